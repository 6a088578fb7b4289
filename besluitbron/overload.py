"""When this process cannot keep up, whoever comes in hears so at once, with when to come back (rule L8).

Urgent work never queues for load: a page that comes too late to be of use only makes the next one later. What is measured is
how late the event loop is with what it was to do: so long somebody who comes in now would wait before anything is done.
"""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from assistants.places import PREFIX as MCP
from besluitbron.errors import busy_page
from besluitbron.language import in_their_language
from throttling.ending import Alongside
from throttling.middleware import Paths, accepts_pages, machine_refusal, rpc_refusal
from throttling.problems import Kinds, Problem, worded
from throttling.words import later

STATE: Final = "lateness"
"""Under this name the shell puts a ``Lateness`` in the state of each request."""
TOO_LATE: Final = 3.0
"""Seconds. Somebody who waits longer before anything happens has gone, or asked again."""
AGAIN: Final = 5
_EVERY: Final = 0.25
_DETAIL: Final = later("Het is hier nu zo druk dat dit verzoek niet op tijd klaar zou zijn. Het is niet uitgevoerd.")


class Lateness(Alongside):
    """How late the event loop is, measured for as long as its context lasts."""

    def __init__(self) -> None:
        self._last = (0.0, 0.0)

    def seconds(self) -> float:
        """How late it was at both of the last two looks: standing still once, for whatever reason, is not being overloaded."""
        return min(self._last)

    def saw(self, seconds: float) -> None:
        """A look came so late."""
        self._last = (self._last[1], max(seconds, 0.0))

    async def _go_on(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + _EVERY
            await asyncio.sleep(_EVERY)
            self.saw(loop.time() - due)


class Overload:
    """ASGI middleware: refuses while the process is too late. ``free`` is always let in, as in ``IncomingLimits``."""

    def __init__(self, app: ASGIApp, free: tuple[str, ...], site: str) -> None:
        self._app = app
        self._free = Paths(free)
        self._rpc = rpc_refusal(site, in_their_language)
        self._machine = machine_refusal(site, in_their_language)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hand it on."""
        lateness = scope.get("state", {}).get(STATE) if scope["type"] == "http" else None
        if lateness is None or scope["path"] in self._free or lateness.seconds() <= TOO_LATE:
            await self._app(scope, receive, send)
            return
        problem = worded(Kinds.OWN_FAULT.value, _DETAIL, retry_after=AGAIN)
        body, media = self._printed(problem, scope)
        fields = {"retry-after": str(AGAIN), "cache-control": "no-store"}
        await Response(body, problem.kind.status, fields, media)(scope, receive, send)

    def _printed(self, problem: Problem, scope: Scope) -> tuple[bytes, str]:
        told = self._rpc if scope["path"].startswith(MCP) else self._machine
        if told is self._machine and not scope["path"].startswith("/api/") and accepts_pages(scope):
            return busy_page(problem, scope).encode(), "text/html; charset=utf-8"
        printed = told(problem, scope, b"")
        return printed.body, printed.media_type.decode()
