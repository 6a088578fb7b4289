"""Calls that are stopped by a second request (``notifications/cancelled``, older revisions), whichever process gets it.

A process knows its own calls; what it does not know it says on a channel of the store to all others. What is said is a digest
of session and request id. Without a store, only calls of the same process can be stopped: a client may then close its stream.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from hashlib import sha256
from typing import Any, Final, Protocol

import structlog

from assistants.messages import Id
from throttling.ending import Alongside
from throttling.store import StoreLostError

CHANNEL: Final = "mcp:stoppen"
_AGAIN_SECONDS: Final = 1.0

log = structlog.get_logger(__name__)


class Channels(Protocol):
    """What all processes hear (``throttling.store.Store``). Both raise ``StoreLostError``."""

    async def publish(self, channel: str, message: str) -> None:
        """Say something to whoever listens now."""

    def listen(self, channel: str) -> AsyncIterator[str]:
        """What is said from now on; the first is an empty text, given once it listens."""


class Stopping(Alongside):
    """The calls of this process that can be stopped, and an ear for other processes, open as long as the context lasts."""

    def __init__(self, channels: Channels) -> None:
        self._channels = channels
        self._calls: dict[str, set[asyncio.Task[Any]]] = {}
        self.listening = asyncio.Event()

    def know(self, session: str, about: Id, task: asyncio.Task[Any]) -> None:
        """This task answers that request, and can be stopped until it is done."""
        key = _key(session, about)
        self._calls.setdefault(key, set()).add(task)
        task.add_done_callback(partial(self._forget, key))

    async def stop(self, session: str, about: Id) -> None:
        """Stop this call, here or in whichever process it runs. One that is not known, or has ended, is no matter."""
        key = _key(session, about)
        if self._stop_here(key):
            return
        try:
            await self._channels.publish(CHANNEL, key)
        except StoreLostError:
            log.warning("mcp_stop_not_told")

    def _forget(self, key: str, task: asyncio.Task[Any]) -> None:
        tasks = self._calls[key]
        tasks.discard(task)
        if not tasks:
            del self._calls[key]

    def _stop_here(self, key: str) -> bool:
        tasks = self._calls.get(key, set())
        for task in tuple(tasks):
            task.cancel()
        return bool(tasks)

    async def _go_on(self) -> None:
        while True:
            try:
                async for key in self._channels.listen(CHANNEL):
                    self.listening.set()
                    self._stop_here(key)
            except StoreLostError:
                self.listening.clear()
            await asyncio.sleep(_AGAIN_SECONDS)


def _key(session: str, about: Id) -> str:
    """One call of one session; an id that is a number is another than the same digits as text."""
    return sha256(f"{session}\n{type(about).__name__}\n{about}".encode()).hexdigest()
