"""Askers in a real queue: they wait, hold turns, and go when the test says so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from besluitbron.queues import queues
from tests.support.serving import until
from throttling.callers import Caller
from throttling.database import DatabaseMemory
from throttling.outgoing import Outgoing
from throttling.store import Store
from throttling.turns import Expected, TurnsClosedError, Wanted


@dataclass(slots=True)
class Crowd:
    """``closed`` holds what those read who were sent away."""

    turns: Outgoing
    waiting: int = 0
    holding: int = 0
    closed: list[str] = field(default_factory=list)
    may_end: asyncio.Event = field(default_factory=asyncio.Event)
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    async def ask(self, service: str, callers: Sequence[Caller], holding: int) -> None:
        """One call of each caller, in this order; ``holding`` of all that ever asked get a turn now."""
        for caller in callers:
            self.tasks.append(asyncio.get_running_loop().create_task(self._one(service, caller)))
            asked = len(self.tasks)
            await until(lambda asked=asked: self.waiting + self.holding == asked)  # type: ignore[misc]  # bound now
        assert self.holding == holding

    async def _one(self, service: str, caller: Caller) -> None:
        told = False

        def waits(_: Expected) -> None:
            nonlocal told
            if not told:
                told, self.waiting = True, self.waiting + 1

        try:
            async with self.turns.turn(Wanted(service=service), caller, waits):
                self.waiting -= told
                self.holding += 1
                await self.may_end.wait()
        except TurnsClosedError as closed:
            self.closed.append(closed.text)


@asynccontextmanager
async def crowd(address: str) -> AsyncIterator[Crowd]:
    """A process of the product that asks for turns in the store at ``address``; all go at the end."""
    rules = {queue.name: queue.rules for queue in queues()}
    async with Store(address) as store, Outgoing(store, rules, DatabaseMemory()) as turns:
        there = Crowd(turns)
        try:
            yield there
        finally:
            for task in there.tasks:
                task.cancel()
            await asyncio.gather(*there.tasks, return_exceptions=True)
