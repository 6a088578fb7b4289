"""Whoever gets an answer from the gate passes on what it brought about: a run to a worker, the end of an ask to the database.

What is lost on the way comes back: a start when its lease ends, an end when somebody looks (``reports.upkeep``).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Final

import structlog

from reports.apart import StorageLostError
from reports.models import AskState
from reports.records import Reason
from reports.storage import Storage
from throttling.load import Event, EventKind

log = structlog.get_logger(__name__)
BUILD: Final = "reports.tasks.build"
AGAIN: Final = timedelta(minutes=1)
"""When it makes sense to ask again after waiting was in vain: nobody knows, and who asks then is mostly taken on at once."""


class Passing:
    """Passes events on. ``send`` sends a task to the background and raises ``OSError`` when it cannot."""

    def __init__(self, storage: Storage, send: Callable[[str, str], None], clock: Callable[[], datetime]) -> None:
        self._storage = storage
        self._send = send
        self._clock = clock

    async def on(self, events: Iterable[Event]) -> None:
        """Pass these on. Nothing is raised."""
        for event in events:
            try:
                await self._one(event)
            except (StorageLostError, OSError) as failure:
                log.warning("report_event_lost", kind=event.kind.value, failure=type(failure).__name__)

    async def _one(self, event: Event) -> None:
        at = self._clock()
        match event.kind:
            case EventKind.START:
                await asyncio.to_thread(self._send, BUILD, event.id)
            case EventKind.REFUSED:
                await self._storage.end_ask(event.id, AskState.REFUSED, Reason.WAIT, at + AGAIN, at)
            case EventKind.UNMADE:
                await self._storage.end_ask(event.id, AskState.REFUSED, Reason.NO_WORKER, at + AGAIN, at)
            case EventKind.FAILED:
                await self._storage.fail(event.id, Reason.WORKERS, 0, 0, at)
