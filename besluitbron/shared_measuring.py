"""One look at the load for all runs of a worker process, however many event loops they have.

Each run measuring for itself would begin again with every run, leave its last word behind, and take away what the others see.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Final

import structlog

log = structlog.get_logger(__name__)
_PATIENCE: Final = 10.0
"""Seconds that who ends waits for the measuring to end."""


class SharedMeasuring:
    """``measuring`` is open in a thread of its own, once, for as long as anybody is ``under_way``."""

    def __init__(self, measuring: Callable[[], AbstractAsyncContextManager[object]]) -> None:
        self._measuring = measuring
        self._guard = threading.Lock()
        self._users = 0
        self._ends = threading.Event()
        self._thread: threading.Thread | None = None

    @asynccontextmanager
    async def under_way(self) -> AsyncIterator[None]:
        """One more that is at work. Nothing is raised by what cannot be measured."""
        self._come()
        try:
            yield
        finally:
            thread = self._go()
            if thread is not None:
                await asyncio.to_thread(thread.join, _PATIENCE)

    def _come(self) -> None:
        with self._guard:
            self._users += 1
            if self._thread is None:
                self._ends = threading.Event()
                self._thread = threading.Thread(target=self._run, args=(self._ends,), name="drukte", daemon=True)
                self._thread.start()

    def _go(self) -> threading.Thread | None:
        """The thread that ends with the last one."""
        with self._guard:
            self._users -= 1
            if self._users:
                return None
            thread, self._thread = self._thread, None
            self._ends.set()
            return thread

    def _run(self, ends: threading.Event) -> None:
        try:
            asyncio.run(self._measure(ends))
        except Exception:
            log.exception("load_not_measured")

    async def _measure(self, ends: threading.Event) -> None:
        async with self._measuring():
            await asyncio.to_thread(ends.wait)
