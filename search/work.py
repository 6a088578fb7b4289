"""The kinds of work that come in by the pages and the API. No export is long enough (500 rows) to have to wait."""

from __future__ import annotations

from typing import Final

from throttling.work import Access, Cost, Door, Load, works

WORK: Final = (
    *works(
        Door.ROUTE,
        *("zoeken", "zoeken-stroom", "zoeken-csv", "zoeken-ris", "zoeken-json", "zoeken-atom"),
        load=Load.URGENT,
        operation="zoeken",
        cost=Cost.PLATFORMS,
        prefixes=("/zoeken",),
    ),
    *works(
        Door.ROUTE, "api-zoek", load=Load.URGENT, operation="zoeken", cost=Cost.PLATFORMS, prefixes=("/api/v1/_zoek",)
    ),
    *works(Door.ROUTE, "document", load=Load.URGENT, operation="lezen", prefixes=("/document/",)),
    *works(
        Door.ROUTE,
        *("api-document", "api-parts", "api-part"),
        load=Load.URGENT,
        operation="lezen",
        prefixes=("/api/v1/documenten/",),
    ),
    *works(
        Door.ROUTE,
        *("organisaties-namen", "fracties-namen", "commissies-namen"),
        load=Load.URGENT,
        operation="lijsten",
        cost=Cost.YEARS,
        prefixes=("/organisaties/namen", "/fracties/namen", "/commissies/namen"),
    ),
    *works(
        Door.ROUTE,
        *("api-organisations", "api-organisation"),
        load=Load.URGENT,
        operation="lijsten",
        cost=Cost.YEARS,
        prefixes=("/api/v1/organisaties",),
    ),
    *works(Door.ROUTE, "bron", "status", load=Load.URGENT, operation="bronnen", prefixes=("/bronnen/", "/status")),
    *works(
        Door.ROUTE,
        *("api-platforms", "api-platform", "api-limits", "api-load_status"),
        load=Load.URGENT,
        operation="bronnen",
        prefixes=("/api/v1/",),
    ),
    *works(
        Door.ROUTE,
        "api-report_fault",
        load=Load.URGENT,
        access=Access.WRITE,
        operation="meld-fout",
        prefixes=("/api/v1/foutmeldingen",),
        methods=("POST",),
    ),
    *works(Door.TASK, "search.tasks.forget_old_faults", load=Load.URGENT, access=Access.WRITE),
    *works(Door.ROUTE, "home", "opensearch", "api", "api-start", "api-openapi", load=Load.URGENT),
)
