"""Turns at all services, over all processes and machines: the ``Turns`` that the product runs on.

The rules stand in the scripts (design page on turns, R1 to R14); here they meet the coroutines that wait.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from throttling.callers import Caller
from throttling.decisions import Decisions, Entry
from throttling.desk import Desk
from throttling.memory import Memory
from throttling.places import Grant
from throttling.rules import QueueRules
from throttling.snapshot import Snapshot
from throttling.store import Store, StoreLostError
from throttling.turns import OnWait, Outcome, Wanted


@dataclass(slots=True, eq=False)
class OutgoingTurn:
    """A turn of this process; what is said of it counts when its context ends."""

    desk: Desk
    entry: Entry
    outcome: Outcome | None
    is_first: bool = False
    remaining: float | None = None
    rest: float | None = None
    left: bool = True
    shared: bool = False

    def answered(self, remaining: float | None) -> None:
        """The platform says how much it has left."""
        self.remaining = remaining

    def refused(self, retry_after: float) -> None:
        """The platform said "over limit"."""
        self.rest = retry_after

    def not_sent(self) -> None:
        """The request never left."""
        self.left = False

    async def share(self, outcome: Outcome) -> None:
        """Tell the others who wait for this very call."""
        if self.entry.flight and self.outcome is None and self.left and self.rest is None and not self.shared:
            self.shared = True
            await self.desk.land(self.entry, outcome)

    async def end(self) -> None:
        """What the context's end says to the queue."""
        if self.outcome is not None:
            return
        if self.rest is not None:
            await self.desk.refused(self.entry, self.rest)
        elif not self.left:
            await self.desk.not_sent(self.entry)
        else:
            await self.desk.answered(self.entry.id, self.remaining)


class Outgoing:
    """Turns at the services in ``rules`` (``platform/service``), decided in ``store``. Open it with ``async with``."""

    def __init__(self, store: Store, rules: Mapping[str, QueueRules], memory: Memory) -> None:
        for service, wanted in rules.items():
            wanted.check(service)
        process = uuid.uuid4().hex[:12]
        self._desks = {
            service: Desk(service, Decisions(store, service, wanted), memory, process)
            for service, wanted in rules.items()
        }

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.gather(*(desk.aclose() for desk in self._desks.values()))

    @asynccontextmanager
    async def turn(self, wanted: Wanted, caller: Caller, on_wait: OnWait) -> AsyncIterator[OutgoingTurn]:
        """Wait for a turn and hold it; see ``Turns.turn``."""
        desk = self._desks[wanted.service]
        again = wanted.again
        if isinstance(again, OutgoingTurn) and again.rest is not None:
            entry = again.entry
            ended = await desk.resume(entry, on_wait)
        else:
            entry = _entry(desk, wanted, caller)
            ended = await desk.enter(entry, on_wait)
        turn = OutgoingTurn(desk, entry, ended) if isinstance(ended, Outcome) else _granted(desk, entry, ended)
        try:
            yield turn
        finally:
            # Said also when whoever asked is being cancelled: else the place stays taken until its lease runs out.
            await asyncio.shield(desk.start(turn.end()))

    async def snapshot(self, service: str) -> Snapshot:
        """A queue as it is. Raises ``StoreLostError`` and ``QueueLostError``."""
        return await self._desks[service].snapshot()

    async def operate(self, service: str, act: str, value: str = "") -> bool:
        """What an operator does at once (``Decisions.operate``); False when the store cannot be told now."""
        try:
            await self._desks[service].decisions.operate(act, value)
        except StoreLostError:
            return False
        return True


def _granted(desk: Desk, entry: Entry, grant: Grant) -> OutgoingTurn:
    return OutgoingTurn(desk, entry, None, is_first=grant.is_first and bool(entry.flight))


def _entry(desk: Desk, wanted: Wanted, caller: Caller) -> Entry:
    solo = f"{caller.session}|{caller.visitor}" if caller.one_at_a_time else ""
    return Entry(
        id=desk.new_id(),
        process=desk.process,
        session=caller.session,
        visitor=caller.visitor if caller.is_house else "",
        cost=wanted.cost,
        flight=wanted.flight,
        solo=solo,
        heir_of=caller.heir_of,
    )
