"""A local server that speaks as OpenTK does, over the same rows as the stand-in of the Tweede Kamer (section 8).

Reproduced: a search by SQLite FTS5 that takes multipart alone, 280 hits and filters after the cut, fragments that nobody
escaped, one error page for every failure, answers of 200 that say "nothing found" in words, ETags. [inferred]: the answer when
it is asked too much; it has no limit of its own.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable
from email.parser import BytesParser
from http import HTTPStatus
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from connectors.moments import now
from connectors.opentk import standin_data as data
from connectors.opentk.standin_pages import error_page
from connectors.opentk.standin_site import Asked, SearchFailedError, Site, site
from connectors.platforms import OPENTK
from connectors.standins import CountingStandIn

_LARGEST_BODY: Final = 1024 * 1024
_JSON: Final = "application/json"
Answering = Callable[[Site, Request], Response | None]


class OpenTKStandIn(CountingStandIn):
    """Fulfils ``connectors.standins.StandIn``. ``pages`` is the root of our own pages, which no answer here names."""

    def __init__(self, pages: str) -> None:
        super().__init__(OPENTK)
        self.pages = pages

    def routes(self) -> list[BaseRoute]:
        """The same site below both services."""
        return [route for service in OPENTK.services for route in self._site_below(f"/{service.key}")]

    def full(self) -> Response:
        """[inferred] the platform has no limit of its own; what is in front of it might say this."""
        return PlainTextResponse("Too many requests", 429, {"retry-after": "5"})

    def maintenance(self) -> Response:
        """The error page of the site."""
        return _error(HTTPStatus.SERVICE_UNAVAILABLE)

    def _site_below(self, base: str) -> list[BaseRoute]:
        routes: list[BaseRoute] = [Route(f"{base}/search", self._search, methods=["POST"])]
        routes += [Route(f"{base}{path}", self._endpoint(answer), methods=["GET"]) for path, answer in _ANSWERS]
        return [*routes, Route(f"{base}/{{path:path}}", self._nothing, methods=["GET", "POST"])]

    def _endpoint(self, answering: Answering) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            self._counter.units += 1
            answer = await run_in_threadpool(lambda: answering(site(), request))
            return _tagged(request, answer) if answer is not None else _error(HTTPStatus.NOT_FOUND)

        return endpoint

    async def _search(self, request: Request) -> Response:
        self._counter.units += 1
        body = await request.body()
        if len(body) > _LARGEST_BODY:
            return _error(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        fields = _fields(request.headers.get("content-type", ""), body)
        asked = Asked(
            words=fields.get("q", ""),
            sorts=fields.get("soorten", "alles"),
            two_months=fields.get("twomonths") == "true",
            now=now(),
        )
        try:
            results = await run_in_threadpool(lambda: site().index.search(asked))
        except SearchFailedError:
            return _error(HTTPStatus.INTERNAL_SERVER_ERROR)
        return _json({"milliseconds": 12.5, "results": results})

    async def _nothing(self, request: Request) -> Response:
        del request
        return _error(HTTPStatus.NOT_FOUND)


def _fields(content_type: str, body: bytes) -> dict[str, str]:
    """The fields of a form of files. Any other form is not seen: then there is no question in it (section 2)."""
    if not content_type.lower().startswith("multipart/form-data"):
        return {}
    head = f"content-type: {content_type}\r\n\r\n".encode("latin-1", "replace")
    message = BytesParser().parsebytes(head + body)
    fields = {}
    for part in message.get_payload() if message.is_multipart() else []:
        if isinstance(part, str):
            continue
        name = part.get_param("name", header="content-disposition")
        value = part.get_payload(decode=True)
        if isinstance(name, str) and isinstance(value, bytes):
            fields[name] = value.decode("utf-8", "replace")
    return fields


def _html(page: str | None) -> Response | None:
    return HTMLResponse(page) if page is not None else None


def _json(value: Any) -> Response:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return Response(text, media_type=_JSON)


def _error(status: HTTPStatus) -> Response:
    return HTMLResponse(error_page(status, status.phrase, int(now().timestamp())), status)


def _tagged(request: Request, answer: Response) -> Response:
    """With an ETag on every good answer that has a body, and 304 to who has it already (section 6)."""
    if answer.status_code != HTTPStatus.OK or not answer.body:
        return answer
    tag = f'"{hashlib.sha256(bytes(answer.body)).hexdigest()[:32]}"'
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers={"etag": tag})
    answer.headers["etag"] = tag
    return answer


def _asked(request: Request, name: str = "nummer") -> str:
    return request.query_params.get(name, "")


def _activity(held: Site, request: Request) -> Response:
    row = held.activities.get(request.path_params["number"])
    return _json(data.activity(held.held, row)) if row else PlainTextResponse("Found nothing!!")


def _committee(held: Site, request: Request) -> Response:
    row = held.held.tables["Commissie"].get(request.path_params["guid"])
    return _json(data.committee(held.held, row)) if row else PlainTextResponse("")


def _raw(held: Site, request: Request) -> Response:
    found = held.file(request.path_params["number"])
    if found is None:
        return PlainTextResponse("Could not find a Verslag with id ")
    return Response(found[0], headers={"content-type": found[1]})


def _raw_open(held: Site, request: Request) -> Response | None:
    found = held.open_file(request.path_params["name"])
    return Response(found, media_type="application/pdf") if found else None


def _redirect(held: Site, request: Request) -> Response:
    del held
    return RedirectResponse(f"../document.html?nummer={request.path_params['number']}", 301)


def _updates(held: Site, request: Request) -> Response:
    del held, request
    at = int(now().timestamp())
    ages = {"tkconv": 74, "tkgetxml": 134}
    return _json({name: {"absolute": at - age, "relative": age} for name, age in ages.items()})


def _status(held: Site, request: Request) -> Response:
    del held, request
    return _json({"admin": False, "login": False, "ok": 1})


def _feed(held: Site, request: Request) -> Response:
    del request
    return Response(held.newest(), media_type="application/xml")


def _search_feed(held: Site, request: Request) -> Response:
    try:
        return Response(held.search_feed(_asked(request, "q")), media_type="application/xml")
    except SearchFailedError:
        return _error(HTTPStatus.INTERNAL_SERVER_ERROR)


_ANSWERS: Final[tuple[tuple[str, Answering], ...]] = (
    ("/document.html", lambda held, r: _html(held.document(_asked(r)))),
    ("/getdoc/{number}", lambda held, r: _html(held.text(r.path_params["number"]))),
    ("/getraw/{number}", _raw),
    ("/getrawoo/{name}", _raw_open),
    ("/get/{number}", _redirect),
    ("/zaak.html", lambda held, r: _html(held.case(_asked(r)))),
    ("/activiteit/{number}", _activity),
    ("/verslag.html", lambda held, r: _html(held.report(_asked(r, "vergaderingid")))),
    ("/toezegging.html", lambda held, r: _html(held.commitment(_asked(r)))),
    ("/oo.html", lambda held, r: _html(held.open(_asked(r)))),
    ("/persoon.html", lambda held, r: _html(held.person(_asked(r)))),
    ("/commissies.html", lambda held, _: _html(held.committees())),
    ("/kamerleden.html", lambda held, _: _html(held.members())),
    ("/commissie/{guid}", _committee),
    ("/ksds", lambda held, r: _json(data.dossier_names(held.held, _asked(r, "q")))),
    ("/recent-kamerstukdossiers", lambda held, _: _json(data.dossiers(held.held))),
    ("/recente-kamervragen", lambda held, _: _json(data.questions(held.held))),
    ("/lastupdates", _updates),
    ("/status", _status),
    ("/index.xml", _feed),
    ("/search/index.xml", _search_feed),
)
