"""The kinds of work that come in by the pages and the API. No export is long enough (500 rows) to have to wait."""

from __future__ import annotations

from typing import Final

from throttling.work import Access, Cost, Door, works

WORK: Final = (
    *works(
        Door.ROUTE,
        *("zoeken", "zoeken-stroom", "zoeken-csv", "zoeken-ris", "zoeken-json", "zoeken-atom"),
        operation="zoeken",
        cost=Cost.PLATFORMS,
        prefixes=("/zoeken",),
    ),
    *works(Door.ROUTE, "api-zoek", operation="zoeken", cost=Cost.PLATFORMS, prefixes=("/api/v1/_zoek",)),
    *works(Door.ROUTE, "document", operation="lezen", prefixes=("/document/",)),
    *works(
        Door.ROUTE,
        *("api-document", "api-parts", "api-part"),
        operation="lezen",
        prefixes=("/api/v1/documenten/",),
    ),
    *works(
        Door.ROUTE,
        *("organisaties-namen", "fracties-namen", "commissies-namen"),
        operation="lijsten",
        cost=Cost.YEARS,
        prefixes=("/organisaties/namen", "/fracties/namen", "/commissies/namen"),
    ),
    *works(
        Door.ROUTE,
        *("api-organisations", "api-organisation"),
        operation="lijsten",
        cost=Cost.YEARS,
        prefixes=("/api/v1/organisaties",),
    ),
    *works(Door.ROUTE, "bron", "status", operation="bronnen", prefixes=("/bronnen/", "/status")),
    *works(
        Door.ROUTE,
        *("api-platforms", "api-platform", "api-limits", "api-load_status"),
        operation="bronnen",
        prefixes=("/api/v1/",),
    ),
    *works(
        Door.ROUTE,
        "api-report_fault",
        access=Access.WRITE,
        operation="meld-fout",
        prefixes=("/api/v1/foutmeldingen",),
        methods=("POST",),
    ),
    *works(Door.TASK, "search.tasks.forget_old_faults", access=Access.WRITE),
    *works(Door.ROUTE, "home", "opensearch", "api", "api-start", "api-openapi"),
)
