"""The right of a worker to go on with a run: renewed while it works, lost when the gate does not hear of it in time.

That it is not wanted any more comes over a channel at once, and with the next renewal at the latest (rule L10).
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

import structlog

from reports.workshop import Office
from throttling.load_progress import Progress
from throttling.store import StoreLostError, monotonic

log = structlog.get_logger(__name__)
STOPS: Final = "rapporten:stoppen"
"""On this channel of the store it is said that a run is not wanted any more."""
_EVERY: Final = 0.8
_AGAIN: Final = 0.5
_T = TypeVar("_T")


class NotWantedError(Exception):
    """Nobody wants the run any more."""


class LeaseLostError(Exception):
    """Somebody else may be at work on it by now: nothing of it is ours to end."""


class Lease:
    """The lease of ``worker`` on ``run``. ``progress`` says how far it is."""

    def __init__(self, office: Office, run: str, worker: str, progress: Progress) -> None:
        self._gate = office.gate
        self._store = office.store
        self._passing = office.passing
        self._run = run
        self._worker = worker
        self._progress = progress
        self._heard = asyncio.Event()

    async def hold(self, work: Coroutine[Any, Any, _T]) -> _T:
        """What ``work`` gives, while the lease holds. Raises ``NotWantedError``, ``LeaseLostError`` and what the work raises.

        Before it raises, the work is ended.
        """
        loop = asyncio.get_running_loop()
        working = loop.create_task(work)
        keeping = loop.create_task(self._keep())
        hearing = loop.create_task(self._hear())
        try:
            await asyncio.wait({working, keeping}, return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                return working.result()
            failure = keeping.exception()
            raise failure if failure is not None else LeaseLostError
        finally:
            for task in (working, keeping, hearing):
                if not task.done():
                    task.cancel()
            await asyncio.gather(working, keeping, hearing, return_exceptions=True)

    async def _keep(self) -> None:
        """Renew until it ends."""
        renewed = monotonic()
        while True:
            at = self._progress
            try:
                word, events = await self._gate.renew(self._run, self._worker, at.done, at.size, at.left)
            except StoreLostError:
                if monotonic() - renewed > self._gate.rules.lease:
                    raise LeaseLostError from None
                await asyncio.sleep(_AGAIN)
                continue
            renewed = monotonic()
            await self._passing.on(events)
            if word == "stop":
                raise NotWantedError
            if word != "on":
                raise LeaseLostError
            try:
                async with asyncio.timeout(min(_EVERY, self._gate.rules.lease / 4)):
                    await self._heard.wait()
                self._heard.clear()
            except TimeoutError:
                continue

    async def _hear(self) -> None:
        """Renew at once when somebody says that this run is not wanted."""
        while True:
            try:
                async for said in self._store.listen(STOPS):
                    if said == self._run:
                        self._heard.set()
            except StoreLostError:
                await asyncio.sleep(_AGAIN)
