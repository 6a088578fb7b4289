"""Turns for tests of what stands above them: first come, first served, so many under way, and so many in all."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from tests.support.turns import InstantTurn
from throttling.callers import Caller
from throttling.turns import Expected, OnWait, TurnRefusedError, Wanted

LONGEST_WAIT = 600.0


@dataclass(slots=True)
class FirstComeTurns:
    """``in_flight`` at every service; after ``budget`` turns the next comes in ``again_in`` s (no test waits for it)."""

    in_flight: int = 1
    budget: int | None = None
    again_in: float = 1.0
    under_way: dict[str, int] = field(default_factory=dict)
    waiting: dict[str, deque[asyncio.Future[None]]] = field(default_factory=dict)
    given: int = 0

    @asynccontextmanager
    async def turn(self, wanted: Wanted, caller: Caller, on_wait: OnWait) -> AsyncIterator[InstantTurn]:
        del caller
        await self._enter(wanted.service, on_wait)
        turn = InstantTurn(wanted)
        try:
            yield turn
        finally:
            turn.left = True
            self._leave(wanted.service)

    async def _enter(self, service: str, on_wait: OnWait) -> None:
        row = self.waiting.setdefault(service, deque())
        if not self._has_room(service) or row:
            if self.again_in > LONGEST_WAIT:
                raise TurnRefusedError(service, self.again_in)
            place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            row.append(place)
            on_wait(Expected(self.again_in))
            try:
                await place
            except asyncio.CancelledError:
                if place in row:
                    row.remove(place)
                raise
        self.under_way[service] = self.under_way.get(service, 0) + 1
        self.given += 1

    def _leave(self, service: str) -> None:
        self.under_way[service] -= 1
        row = self.waiting[service]
        while row and self._has_room(service):
            place = row.popleft()
            if not place.done():
                place.set_result(None)
                return

    def _has_room(self, service: str) -> bool:
        left = self.budget is None or self.given < self.budget
        return left and self.under_way.get(service, 0) < self.in_flight
