"""An application that takes long to load, loaded while the rest already answers.

Nobody who only opens a page waits for what assistants need; whoever asks for it sooner than it is there waits a moment.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import structlog
from starlette.types import ASGIApp, Receive, Scope, Send

from throttling.ending import Alongside

log = structlog.get_logger(__name__)


class Later(Alongside):
    """What ``make`` makes in a thread, once: ``after`` seconds in its context, or as soon as somebody asks."""

    def __init__(self, make: Callable[[], ASGIApp], after: float = 0.0) -> None:
        self._make = make
        self._after = after
        self._made: ASGIApp | None = None
        self._making: asyncio.Future[ASGIApp] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request. Raises what ``make`` raises."""
        app = self._made or await self._load()
        await app(scope, receive, send)

    async def _go_on(self) -> None:
        await asyncio.sleep(self._after)
        if self._made is None:
            try:
                await self._load()
            except Exception:  # whoever asks loads it again, and hears of it
                log.exception("later_not_loaded")

    async def _load(self) -> ASGIApp:
        making = self._making
        if making is None:
            making = self._making = asyncio.ensure_future(asyncio.to_thread(self._make))
        try:
            self._made = await asyncio.shield(making)
        finally:
            if making.done() and self._making is making:
                self._making = None
        return self._made
