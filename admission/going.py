"""What the origin answers under a contract, for as long as the contract holds: in the task of the request itself.

A second task for each request, with a wait for either, costs more than what it is for nearly always; so one is made only for
a request that must be stopped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

from admission.edge import Reason

GRACE: Final = 5.0
"""Seconds that an origin may take to end by itself, after it was told that nobody listens."""
_AGAIN: Final = 1.0


class Stopping:
    """Ends ``task``, at most once told to: first gently, then by cancelling it until it is over.

    ``stopped`` tells whoever asked. ``grace`` in seconds.
    """

    def __init__(self, task: asyncio.Task[Any], stopped: Callable[[Reason], Awaitable[None]], grace: float) -> None:
        self._task = task
        self._stopped = stopped
        self._grace = grace
        self._over = asyncio.Event()
        self._work: asyncio.Task[None] | None = None
        self._cancelled = 0

    def begin(self, stop: asyncio.Future[Reason]) -> None:
        """The contract holds no longer: what ``stop`` was set to says why."""
        if not self._over.is_set():
            self._work = asyncio.get_running_loop().create_task(self._stop(stop.result()))

    async def over(self) -> bool:
        """The work of the task has ended. Whether it was cancelled by this and by nobody else.

        What tells whoever asked goes on to its end first, and the task counts as not cancelled by this any more.
        """
        self._over.set()
        if self._work is not None:
            await self._work
        left = [self._task.uncancel() for _ in range(self._cancelled)]
        return bool(left) and left[-1] == 0

    async def _stop(self, reason: Reason) -> None:
        try:
            await self._stopped(reason)
        finally:
            wait = self._grace
            while not await self._ended(wait):
                # Asked again: on Python 3.11 a cancellation inside a library may be lost (see ``throttling.ending``).
                self._cancelled += 1
                self._task.cancel()
                wait = _AGAIN

    async def _ended(self, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                await self._over.wait()
        except TimeoutError:
            return self._over.is_set()
        return True


async def while_it_holds(
    work: Awaitable[None],
    stop: asyncio.Future[Reason],
    stopped: Callable[[Reason], Awaitable[None]],
    grace: float = GRACE,
) -> None:
    """Wait for ``work``. Once ``stop`` is done ``stopped`` is called beside it, and ``work`` has ``grace`` seconds to end.

    What ``work`` raises is raised, a cancellation by this not.
    """
    task = asyncio.current_task()
    assert task is not None, "an answer is always given in a task"
    stopping = Stopping(task, stopped, grace)
    stop.add_done_callback(stopping.begin)
    cancelled: asyncio.CancelledError | None = None
    try:
        await work
    except asyncio.CancelledError as asked:
        cancelled = asked
    finally:
        stop.remove_done_callback(stopping.begin)
        by_us = await stopping.over()
    if cancelled is not None and not by_us:
        raise cancelled
