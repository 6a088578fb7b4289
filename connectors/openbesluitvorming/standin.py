"""A local server that speaks the wire format of OpenBesluitvorming over generated council papers.

Follows the newest generation of the platform page: weighted bucket with its headers, 429 body with a code, validation in its
order, links to our own pages. Not served: the bulk export, page pictures, recordings, preview pictures.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import cache
from typing import Any
from urllib.parse import unquote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from connectors.council_papers import council_papers
from connectors.openbesluitvorming.standin_bucket import Buckets, Charge, cost, is_counted
from connectors.openbesluitvorming.standin_catalogue import Held, sources_answer, stats_answer, status_answer
from connectors.openbesluitvorming.standin_entities import Entities
from connectors.openbesluitvorming.standin_parameters import BadParameterError, parameters
from connectors.openbesluitvorming.standin_search import SCAN_BUDGET, Search
from connectors.platforms import OPENBESLUITVORMING
from connectors.standins import CountingStandIn

_METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS")  # the platform does not check the method
_SERVICE = "/api"
_MALFORMED = re.compile(rb"%(?![0-9A-Fa-f]{2})")
_DOCS = "https://openbesluitvorming.nl/docs/api"
_HINT = (
    "Een zoekopdracht kost 1 eenheid, en 1 eenheid meer per 250 resultaten boven de eerste 24. "
    "Elke respons onder /api/ noemt in de RateLimit-headers wat er nog over is."
)
_ENTITY_FAILED = {"code": "entity_content_failed", "error": "Inhoud ophalen mislukt. Probeer het later opnieuw."}
_EMPTY_BUCKET = Charge(granted=False, remaining=0, reset=60, retry_after=1)

Answerer = Callable[[Request], Response]


def _json(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """JSON as the platform writes it: ``<`` as an escape sequence."""
    text = json.dumps(body, ensure_ascii=False).replace("<", "\\u003c")
    return Response(text.encode(), status, {"content-type": "application/json", **(headers or {})})


def _not_found(_request: Request) -> Response:
    return Response("Niet gevonden", 404, {"content-type": "text/plain;charset=UTF-8"})


def _over_limit(charge: Charge) -> Response:
    seconds = charge.retry_after
    body = {
        "code": "rate_limited",
        "error": f"Te veel verzoeken. Probeer het over {seconds} seconde(n) opnieuw.",
        "hint": _HINT,
        "limit_per_minute": 60,
        "retry_after_seconds": seconds,
        "documentation": _DOCS,
    }
    return _json(body, 429, charge.headers())


def _client(request: Request) -> str:
    """The client's address as the platform takes it: the right-most forwarded one, else the peer."""
    forwarded = request.headers.get("x-forwarded-for", "").rpartition(",")[2].strip()
    return forwarded or (request.client.host if request.client else "")


def _first_values(request: Request) -> dict[str, str]:
    """The parameters. Of one that is given more than once the first counts, as in the platform's own language."""
    return dict(reversed(request.query_params.multi_items()))


@cache
def _served(pages: str, scan_budget: int) -> tuple[Entities, Search]:
    """What is served and its index. Neither changes, so all stand-ins of a process share them."""
    entities = Entities(council_papers(), pages)
    return entities, Search(entities, scan_budget)


class OpenBesluitvormingStandIn(CountingStandIn):
    """Fulfils ``connectors.standins.StandIn``.

    ``pages`` is the root address of our own site, to which all links lead; ``scan_budget`` the number of index rows that one
    query may read, small to show what happens beyond reach.
    """

    def __init__(
        self, pages: str, clock: Callable[[], float] = time.monotonic, *, scan_budget: int = SCAN_BUDGET
    ) -> None:
        super().__init__(OPENBESLUITVORMING)
        self._clock = clock
        self._buckets = Buckets(clock)
        self._entities, self._search = _served(pages.rstrip("/"), scan_budget)

    def routes(self) -> list[BaseRoute]:
        """The service ``api``; what is not the platform's is its plain 404."""
        answers: tuple[tuple[str, Answerer], ...] = (
            ("/api/search", self._timed(self._search_answer)),
            ("/api/entities/{id}/pdf", self._timed(self._pdf)),
            ("/api/entities/{id}", self._timed(self._entity)),
            ("/api/sources", self._sources),
            ("/api/status", self._status),
            ("/api/stats", self._timed(self._stats)),
            ("/{path:path}", _not_found),
        )
        return [Route(f"{_SERVICE}{path}", self._charged(answer), methods=_METHODS) for path, answer in answers]

    def full(self) -> Response:
        """The 429 of an empty bucket."""
        return _over_limit(_EMPTY_BUCKET)

    def maintenance(self) -> Response:
        """The proxy's answer while the platform restarts."""
        return Response(b"", 502, {"content-type": "text/plain"})

    def _charged(self, answer: Answerer) -> Callable[[Request], Awaitable[Response]]:
        """The endpoint that charges first and answers then: an error costs as much as a success, a refusal nothing."""

        async def endpoint(request: Request) -> Response:
            path = f"/{request.url.path.partition(f'{_SERVICE}/')[2]}"
            if not is_counted(path):
                return answer(request)
            thousandths = cost(path, _first_values(request).get("limit"))
            charge = self._buckets.charge(_client(request), thousandths)
            if not charge.granted:
                self._counter.refusals += 1
                return _over_limit(charge)
            self._counter.units += thousandths / 1_000
            response = answer(request)
            response.headers.update(charge.headers())
            return response

        return endpoint

    def _timed(self, answer: Answerer) -> Answerer:
        """An answer with the header ``Server-Timing``."""

        def timed(request: Request) -> Response:
            begin = self._clock()
            response = answer(request)
            spent = f"{(self._clock() - begin) * 1_000:.1f}"
            names = ("quickwit", "shape", "filter_sort", "preview", "search", "total")
            parts = (f"{name};dur={spent if name in {'search', 'total'} else '0.0'}" for name in names)
            response.headers["server-timing"] = ", ".join(parts)
            return response

        return timed

    def _search_answer(self, request: Request) -> Response:
        try:
            asked = parameters(_first_values(request))
        except BadParameterError as refused:
            return _json(refused.body, 400)
        return _json(self._search.answer(asked))

    def _entity(self, request: Request) -> Response:
        entity_id = self._asked_id(request)
        if entity_id is None:
            return Response("Internal Server Error", 500, {"content-type": "text/plain"})
        held = self._entities.by_id.get(entity_id)
        if held is not None and not held.body.imported and entity_id.startswith("meeting:"):
            return _json(_ENTITY_FAILED, 500)
        body = self._entities.entity(entity_id)
        if body is None:
            return _json({"code": "entity_not_found", "error": "Resultaat niet gevonden"}, 404)
        return _json(body)

    @staticmethod
    def _asked_id(request: Request) -> str | None:
        """The id in the path, or None when its percent sequences are malformed."""
        raw: bytes = request.scope.get("raw_path", b"")
        if _MALFORMED.search(raw):
            return None
        try:
            unquote(raw.decode("ascii", "replace"), errors="strict")
        except UnicodeDecodeError:
            return None
        return str(request.path_params["id"])

    def _pdf(self, _request: Request) -> Response:
        return _json({"code": "pdf_not_found", "error": "PDF niet gevonden"}, 404)

    def _sources(self, request: Request) -> Response:
        return _json(sources_answer(implemented_only=_first_values(request).get("implemented") == "true"))

    def _status(self, _request: Request) -> Response:
        return _json(status_answer(self._held()), headers={"cache-control": "public, max-age=600"})

    def _stats(self, _request: Request) -> Response:
        return _json(stats_answer(self._held()), headers={"cache-control": "public, max-age=1800"})

    def _held(self) -> dict[str, Held]:
        """How much is held of each source."""
        found: dict[str, Held] = {}
        for row in self._search.rows:
            newest = datetime.fromisoformat(row.sort_date) if row.sort_date else datetime.min.replace(tzinfo=UTC)
            before = found.get(row.key)
            found[row.key] = Held(1, newest) if before is None else Held(before.items + 1, max(before.newest, newest))
        return found
