"""A local server in the shape that the platform page proposes (section 5): the only counterpart that this connector has.

None of it was seen at the live platform, whose API is not public. Only the window of 120 a minute is told of it, in words.
"""

from __future__ import annotations

import json
import math
import time
from collections import deque
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from connectors.open_archivaris.standin_items import Archive, Kept, code_of, last_success
from connectors.open_archivaris.standin_search import BadParameterError, Search, asked
from connectors.platforms import OPEN_ARCHIVARIS
from connectors.standins import Counter

_UNITS: Final = 120
_SECONDS: Final = 60.0
_METHODS: Final = ("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS")


def _json(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(json.dumps(body).encode(), status, {"content-type": "application/json", **(headers or {})})


def _error(status: int, code: str, message: str, headers: dict[str, str] | None = None) -> Response:
    return _json({"error": {"code": code, "message": message}}, status, headers)


def _over_limit(seconds: int) -> Response:
    return _error(429, "rate_limited", "Te veel verzoeken.", {"retry-after": str(seconds)})


@cache
def _served(pages: str) -> tuple[Archive, Search]:
    """What is kept and its index; neither changes, so all stand-ins of a process share them."""
    archive = Archive(pages)
    return archive, Search(archive)


class OpenArchivarisStandIn:
    """Fulfils ``connectors.standins.StandIn``. ``pages`` is the root address of our own site, to which links lead."""

    def __init__(self, pages: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._pages = pages.rstrip("/")
        self._clock = clock
        self._counter = Counter()
        self._granted: deque[float] = deque()

    @property
    def key(self) -> str:
        """``open-archivaris``."""
        return OPEN_ARCHIVARIS.key

    @property
    def counter(self) -> Counter:
        """One unit for each call that was granted."""
        return self._counter

    def routes(self) -> list[BaseRoute]:
        """The service ``api``: search, documents, the state, and a 404 for all else."""
        answers: tuple[tuple[str, Callable[[Request], Response]], ...] = (
            ("/api/search", self._search),
            ("/api/documents/{id}", self._document),
            ("/api/health", self._health),
            ("/{path:path}", self._unknown),
        )
        return [Route(path, self._counted(answer), methods=_METHODS) for path, answer in answers]

    def full(self) -> Response:
        """What is said when more than 120 calls came in a minute."""
        return _over_limit(1)

    def maintenance(self) -> Response:
        """What is said during maintenance."""
        return _error(503, "maintenance", "Er is onderhoud.")

    def _counted(self, answer: Callable[[Request], Response]) -> Callable[[Request], Awaitable[Response]]:
        """The endpoint that counts first: one window for all who ask, as nothing says that it is one for each."""

        async def endpoint(request: Request) -> Response:
            now = self._clock()
            while self._granted and self._granted[0] <= now - _SECONDS:
                self._granted.popleft()
            if len(self._granted) >= _UNITS:
                self._counter.refusals += 1
                return _over_limit(max(1, math.ceil(self._granted[0] + _SECONDS - now)))
            self._granted.append(now)
            self._counter.units += 1
            if request.method not in {"GET", "HEAD"}:
                return _error(405, "method_not_allowed", "Alleen lezen.")
            return answer(request)

        return endpoint

    def _search(self, request: Request) -> Response:
        try:
            wanted = asked(request.query_params.multi_items())
        except BadParameterError as refused:
            return _error(400, refused.code, "Deze vraag klopt niet.")
        return _json(_served(self._pages)[1].answer(wanted))

    def _document(self, request: Request) -> Response:
        archive, wanted = _served(self._pages)[0], str(request.path_params["id"])
        if wanted in archive.withdrawn:
            return _error(410, "withdrawn", "Dit stuk is niet meer openbaar.")
        kept = archive.by_id.get(wanted)
        if kept is None:
            return _error(404, "not_found", "Dit stuk is er niet.")
        pages = [{"number": number, "text": text} for number, text in enumerate(kept.texts, start=1)]
        return _json({"item": archive.item(kept, ""), "text": pages})

    def _health(self, _request: Request) -> Response:
        archive = _served(self._pages)[0]
        held: dict[str, list[Kept]] = {}
        for kept in archive.by_id.values():
            held.setdefault(kept.paper.body.key, []).append(kept)
        rows = [
            {
                "code": code_of(body),
                "label": body.name,
                "kind": body.type.value,
                "lastSuccess": at.isoformat() if (at := last_success(body)) else None,
                "documents": len(held[body.key]),
            }
            for body in archive.bodies
        ]
        return _json({"generatedAt": datetime(2026, 11, 28, 4, 0, tzinfo=UTC).isoformat(), "bodies": rows})

    @staticmethod
    def _unknown(_request: Request) -> Response:
        return _error(404, "unknown_path", "Dit adres bestaat niet.")
