"""The kinds of work that come in by the pages and the API. No export is long enough (500 rows) to have to wait."""

from __future__ import annotations

from typing import Final

from throttling.work import Door, works

WORK: Final = works(
    Door.ROUTE,
    *("home", "zoeken", "zoeken-stroom", "zoeken-csv", "zoeken-ris", "zoeken-json", "zoeken-atom", "opensearch"),
    *("organisaties-namen", "fracties-namen", "commissies-namen", "document", "bron", "status"),
    *("api", "api-start", "api-openapi", "api-zoek", "api-document", "api-parts", "api-part"),
    *("api-organisations", "api-organisation", "api-platforms", "api-platform", "api-limits", "api-load_status"),
)
