"""A local server that speaks the wire formats of Rechtspraak over the rulings in ``corpus/``.

They are real rulings, so their links lead to the real platform. [inferred]: the answer to an unknown ECLI (404 with a text), to
a request body that is no JSON (400), and to too many calls (429 with a text; none was ever seen).
"""

from __future__ import annotations

import json
import re
import threading
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from connectors import moments
from connectors.platforms import RECHTSPRAAK
from connectors.rechtspraak import standin_open_data, standin_website
from connectors.rechtspraak.standin_corpus import VALUE_LISTS, by_ecli, decisions
from connectors.standins import CountingStandIn

_XML: Final = "text/xml; charset=utf-8"
_ATOM: Final = "application/atom+xml; charset=utf-8"
_NOT_FOUND_PAGE: Final = "https://mededeling.rechtspraak.nl/404"
_LIST_NAME: Final = re.compile(r"[A-Za-z]{1,40}")
_END_OF_METADATA: Final = b"</rdf:RDF>"
_NO_PAGE: Final = """<!DOCTYPE html>
<html lang="nl"><head><title>Storing</title></head><body><h1>Er ging iets mis</h1></body></html>
"""
_SHELL: Final = """
<!DOCTYPE html>
<html lang="nl">
<head>
    <meta charset="utf-8" />
    <base href="/" />
    <title>Zoeken in uitspraken</title>
</head>
<body>
    <app-root></app-root>
</body>
</html>
"""
_BAD_GATEWAY: Final = """<html>
<head><title>502 Bad Gateway</title></head>
<body><center><h1>502 Bad Gateway</h1></center></body>
</html>
"""


class RechtspraakStandIn(CountingStandIn):
    """Fulfils ``connectors.standins.StandIn``. ``pages`` is the root of our own pages, which real rulings do not need."""

    def __init__(self, pages: str) -> None:
        super().__init__(RECHTSPRAAK)
        self.pages = pages
        self._reading = threading.Lock()

    def routes(self) -> list[BaseRoute]:
        """Both services: the website with its search, and Open Data. Any other path leads to the platform's 404 page."""
        return [
            Route("/zoeken/api/zoek", self._zoek, methods=["POST"]),
            Route("/zoeken/{path:path}", self._shell, methods=["GET"]),
            Route("/open-data/uitspraken/zoeken", self._zoeken, methods=["GET"]),
            Route("/open-data/uitspraken/content", self._content, methods=["GET"]),
            Route("/open-data/Waardelijst/{name}", self._value_list, methods=["GET"]),
            Route("/open-data/{path:path}", self._elsewhere, methods=["GET"]),
        ]

    def full(self) -> Response:
        """[inferred] no answer of this kind was ever recorded."""
        return PlainTextResponse("Te veel verzoeken.", 429)

    def maintenance(self) -> Response:
        """The gateway's page."""
        return HTMLResponse(_BAD_GATEWAY, 502)

    async def _zoek(self, request: Request) -> Response:
        self._counter.units += 1
        try:
            asked = await request.json()
            answer = await run_in_threadpool(self._search, asked)
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
            return PlainTextResponse("Het verzoek kan niet worden gelezen.", 400)
        return Response(json.dumps(answer, ensure_ascii=False), media_type="application/json; charset=utf-8")

    def _search(self, asked: dict[str, object]) -> dict[str, object]:
        self._read_corpus()
        return standin_website.search(asked, moments.now().astimezone(moments.AMSTERDAM).date())

    async def _shell(self, request: Request) -> Response:
        del request
        self._counter.units += 1
        return HTMLResponse(_SHELL)

    async def _zoeken(self, request: Request) -> Response:
        self._counter.units += 1
        try:
            body = await run_in_threadpool(self._feed, request.query_params.multi_items())
        except standin_open_data.BadValueError as bad:
            return PlainTextResponse(f'Parameter "{bad.parameter}" heeft een onbekende waarde.', 400)
        except standin_open_data.NoSuchDayError:
            return HTMLResponse(_NO_PAGE)
        return Response(body, media_type=_ATOM)

    def _feed(self, parameters: list[tuple[str, str]]) -> bytes:
        self._read_corpus()
        return standin_open_data.feed(parameters, moments.now())

    async def _content(self, request: Request) -> Response:
        self._counter.units += 1
        body = await run_in_threadpool(self._bytes_of, request.query_params.get("id", ""))
        if body is None:
            return PlainTextResponse("De uitspraak is niet gevonden.", 404)
        wanted = request.query_params.get("return", "DOC")
        if wanted not in {"DOC", "META"}:
            return PlainTextResponse('Parameter "return" heeft een onbekende waarde.', 400)
        if wanted == "META":
            body = body.partition(_END_OF_METADATA)[0] + _END_OF_METADATA + b"\n</open-rechtspraak>"
        return Response(body, media_type=_XML)

    def _bytes_of(self, ecli: str) -> bytes | None:
        self._read_corpus()
        decision = by_ecli(ecli)
        return decision.file.read_bytes() if decision else None

    async def _value_list(self, request: Request) -> Response:
        name = request.path_params["name"]
        file = VALUE_LISTS / f"{name}.xml"
        if not _LIST_NAME.fullmatch(name) or not file.is_file():
            return await self._elsewhere(request)
        self._counter.units += 1
        return Response(file.read_bytes(), media_type=_XML)

    async def _elsewhere(self, request: Request) -> Response:
        del request
        self._counter.units += 1
        return RedirectResponse(_NOT_FOUND_PAGE, 302)

    def _read_corpus(self) -> None:
        """Read the corpus once, whoever comes first."""
        with self._reading:
            decisions()
