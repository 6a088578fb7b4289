"""A local server that speaks the wire format of Officiële Bekendmakingen over ``corpus/`` and generated notices.

[inferred]: the default page size, what happens above 1,000 records a page, what parameters with a fault are answered with, the
words of the page about maintenance. Everything else: platform page, sections 2 to 7.
"""

from __future__ import annotations

import threading
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from connectors.officiele_bekendmakingen.standin_answers import Page, as_json, as_xml, explanation, refusal
from connectors.officiele_bekendmakingen.standin_cql import CqlError, parse
from connectors.officiele_bekendmakingen.standin_items import file_at, items
from connectors.platforms import OFFICIELE_BEKENDMAKINGEN
from connectors.standins import CountingStandIn

_XML: Final = "application/xml; charset=utf-8"
_JSON: Final = "application/json; charset=utf-8"
_DEFAULT_SIZE: Final = 10
_LARGEST_PAGE: Final = 1000
_TOO_DEEP: Final = 10_000
_LONGEST_QUERY: Final = 20_000
_BUSY: Final = """<!DOCTYPE html>
<html lang="nl">
<head><title>Dienst tijdelijk niet beschikbaar</title></head>
<body><h1>Dienst tijdelijk niet beschikbaar</h1></body>
</html>
"""
_MAINTENANCE: Final = """<!DOCTYPE html>
<html lang="nl">
<head><title>Onderhoud</title></head>
<body><h1>Wegens onderhoud is deze dienst vandaag niet bereikbaar</h1></body>
</html>
"""
_GATEWAY: Final = """<html>
<head><title>504 Gateway Time-out</title></head>
<body>
<center><h1>504 Gateway Time-out</h1></center>
<hr><center>nginx</center>
</body>
</html>
"""
_BROKEN: Final = """<!DOCTYPE html>
<html>
<head><title>500</title></head>
<body>Internal Server Error</body>
</html>
"""
_NOT_FOUND: Final = """<!DOCTYPE html>
<html lang="nl"><head><title>Pagina niet gevonden</title></head><body><h1>Pagina niet gevonden</h1></body></html>
"""
_FAULTS: Final = {
    4: ("info:srw/diagnostic/1/4", "unsupported operation"),
    6: ("info:srw/diagnostic/1/6", "unsupported parameter value"),
    7: ("info:srw/diagnostic/1/7", "mandatory parameter not supplied: query"),
}
_TYPES: Final = {"xml": _XML, "html": "text/html; charset=utf-8", "pdf": "application/pdf"}


class OfficieleBekendmakingenStandIn(CountingStandIn):
    """Fulfils ``connectors.standins.StandIn``. ``pages`` is the root of our own pages, to which made notices lead."""

    def __init__(self, pages: str) -> None:
        super().__init__(OFFICIELE_BEKENDMAKINGEN)
        self.pages = pages
        self._reading = threading.Lock()

    def routes(self) -> list[BaseRoute]:
        """The search and the files of the repository."""
        return [
            Route("/zoeken/sru", self._sru, methods=["GET"]),
            Route("/zoeken/sru/Search", self._sru, methods=["GET"]),
            Route("/bestanden/{path:path}", self._file, methods=["GET"]),
            Route("/{path:path}", self._elsewhere, methods=["GET"]),
        ]

    def full(self) -> Response:
        """What it answers when it is asked too fast: a page with a sentence that clients recognise it by."""
        return HTMLResponse(_BUSY, 503)

    def maintenance(self) -> Response:
        """A page that speaks of maintenance."""
        return HTMLResponse(_MAINTENANCE, 503)

    async def _sru(self, request: Request) -> Response:
        self._counter.units += 1
        asked = request.query_params
        query = asked.get("query", "")
        start = _number(asked.get("startRecord"), 1)
        if "{" in query or "}" in query:
            return HTMLResponse(_BROKEN, 500)
        if start is not None and start >= _TOO_DEEP:
            return HTMLResponse(_GATEWAY, 504)
        if asked.get("operation") == "explain":
            with self._reading:
                held = len(items())
            return Response(explanation(held), media_type=_XML)
        base = f"{request.url.scheme}://{request.url.netloc}/{self.key}/bestanden"
        try:
            page = await run_in_threadpool(self._page, asked, start, base)
        except CqlError as error:
            return Response(refusal(error.uri, error.message), media_type=_XML)
        if asked.get("httpAccept", "").partition(";")[0].strip().lower() == "application/json":
            return Response(as_json(page), media_type=_JSON)
        return Response(as_xml(page), media_type=_XML)

    def _page(self, asked: QueryParams, start: int | None, base: str) -> Page:
        query = asked.get("query", "")
        wanted = _number(asked.get("maximumRecords"), _DEFAULT_SIZE)
        if asked.get("operation", "searchRetrieve") != "searchRetrieve":
            raise CqlError(*_FAULTS[4])
        if not query.strip() or len(query) > _LONGEST_QUERY:
            raise CqlError(*_FAULTS[7])
        if start is None or wanted is None or start < 1:
            raise CqlError(*_FAULTS[6])
        size = min(wanted, _LARGEST_PAGE)
        parsed = parse(query)
        with self._reading:
            everything = items()
        found = [item for item in everything if parsed.matches(item)]
        if parsed.order is not None:
            index, descending = parsed.order
            found.sort(key=lambda item: (item.values(index) or ("",))[0], reverse=descending)
        else:
            found.sort(key=parsed.score, reverse=True)
        return Page(
            found=tuple(found[start - 1 : start - 1 + size]),
            total=len(found),
            start=start,
            ignored=tuple(parsed.ignored),
            query=query,
            base=base,
            pages=self.pages,
        )

    async def _file(self, request: Request) -> Response:
        self._counter.units += 1
        path = f"/{request.path_params['path']}"
        body = await run_in_threadpool(self._read, path)
        if body is None:
            return HTMLResponse(_NOT_FOUND, 404)
        return Response(body, media_type=_TYPES.get(path.rpartition(".")[2], _XML))

    def _read(self, path: str) -> bytes | None:
        with self._reading:
            return file_at(path)

    async def _elsewhere(self, request: Request) -> Response:
        del request
        self._counter.units += 1
        return HTMLResponse(_NOT_FOUND, 404)


def _number(text: str | None, default: int) -> int | None:
    """The number in a parameter; None when it is anything else."""
    if text is None:
        return default
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None  # noqa: PLR2004 - fits any place
