"""Server-sent events: how one is written, that a quiet stream shows that it lives, and how many may be open at once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager
from typing import Final

PING: Final = ": leeft\n\n"
PING_SECONDS: Final = 15.0
MEDIA: Final = "text/event-stream; charset=utf-8"
HEADERS: Final = {"Cache-Control": "no-cache, no-store", "X-Accel-Buffering": "no", "X-Robots-Tag": "noindex"}
"""A proxy must hand each event on as it comes, and nothing of it may be kept."""


async def nothing() -> AsyncGenerator[str, None]:
    """The body of an answer to HEAD: no platform is asked for it."""
    empty: tuple[str, ...] = ()
    for piece in empty:
        yield piece


def event(name: str, data: str, identifier: str = "") -> str:
    """One event. ``data`` may have any number of lines; ``identifier`` comes back as ``Last-Event-ID``."""
    lines = [f"event: {name}", *([f"id: {identifier}"] if identifier else [])]
    return "\n".join([*lines, *(f"data: {line}" for line in data.splitlines() or [""])]) + "\n\n"


async def with_pings(items: AsyncGenerator[str, None], seconds: float = PING_SECONDS) -> AsyncGenerator[str, None]:
    """The items, and a ping after every so many seconds without one. Closing it closes ``items`` too."""
    coming: asyncio.Future[str | None] | None = None
    try:
        while True:
            coming = coming or asyncio.ensure_future(_next(items))
            done, _ = await asyncio.wait({coming}, timeout=seconds)
            if not done:
                yield PING
                continue
            item, coming = coming.result(), None
            if item is None:
                return
            yield item
    finally:
        if coming is not None:
            coming.cancel()
            await asyncio.gather(coming, return_exceptions=True)
        await items.aclose()


async def _next(items: AsyncGenerator[str, None]) -> str | None:
    return await anext(items, None)


class TooManyStreamsError(Exception):
    """As many streams as may be are open, in this process or for this client."""


class Streams:
    """The streams that are open in this process. ``opened`` and ``refused`` count since the process began."""

    def __init__(self, per_process: int, per_client: int) -> None:
        self._per_process = per_process
        self._per_client = per_client
        self._of: Counter[str] = Counter()
        self.opened = 0
        self.refused = 0

    @property
    def now_open(self) -> int:
        """How many are open."""
        return self._of.total()

    def has_room(self, client: str) -> bool:
        """Whether one more may be opened for this client; that there is none counts as a refusal."""
        room = self.now_open < self._per_process and self._of[client] < self._per_client
        self.refused += not room
        return room

    @contextmanager
    def one(self, client: str) -> Iterator[None]:
        """Hold a place for as long as the context lasts. Raises ``TooManyStreamsError`` when there is none."""
        if not self.has_room(client):
            raise TooManyStreamsError
        self.opened += 1
        self._of[client] += 1
        try:
            yield
        finally:
            self._of[client] -= 1
            if not self._of[client]:
                del self._of[client]
