"""Playing a scenario through the real scripts in invented time: an hour of calls takes seconds.

At one instant answers come first, then grants whose time has come, then new calls in the order in which they are written.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final

from throttling.callers import HOUSE_SESSION
from throttling.decisions import Decisions, Entry, Verdict
from throttling.rules import thousandths
from throttling.scenario import PlannedCall, Scenario
from throttling.store import Store

_ANSWER, _LOOK, _CALL = range(3)
_PROCESS: Final = "simulatie"
_FOREVER: Final = 1e15


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """How one call fared. ``granted_at`` is None when it was not granted by the end; ``charged`` is in units."""

    session: str
    call: int
    at: float
    granted_at: float | None
    charged: float


class _Play:
    def __init__(self, scenario: Scenario, queue: Decisions) -> None:
        self.queue = queue
        self.until = scenario.until
        self.units = scenario.rules.units
        self.names = {s.name: HOUSE_SESSION if s.house else f"s{n}" for n, s in enumerate(scenario.sessions)}
        self.calls: dict[str, PlannedCall] = {}
        self.granted: list[tuple[str, float]] = []
        self.numbers = itertools.count()
        self.events: list[tuple[float, int, int, str]] = []
        self.look_at = _FOREVER
        self.waiting = 0
        ordered = itertools.chain.from_iterable(session.calls for session in scenario.sessions)
        for call in sorted(ordered, key=lambda call: call.at):
            number = next(self.numbers)
            self.calls[f"c{number}"] = call
            heapq.heappush(self.events, (call.at, _CALL, number, f"c{number}"))

    async def lines(self) -> AsyncIterator[Line]:
        """Each call at its grant, and at the end those that were not granted."""
        while self.events and self.events[0][0] <= self.until:
            now, kind, _, call = heapq.heappop(self.events)
            if kind == _LOOK and now < self.look_at:
                continue  # another look took its place
            self.queue.frozen = now
            await self._happens(kind, call, now)
            for name, at in self.granted:
                yield self._line(name, at)
                del self.calls[name]
            self.granted.clear()
        for name, planned in self.calls.items():
            if planned.at <= self.until:
                yield self._line(name, None)

    async def _happens(self, kind: int, call: str, now: float) -> None:
        if kind == _ANSWER:
            verdict = await self.queue.done(call)
        elif kind == _LOOK:
            verdict = await self.queue.renew()
        else:
            planned = self.calls[call]
            entry = Entry(
                id=call,
                process=_PROCESS,
                session=self.names[planned.session],
                visitor=planned.visitor,
                cost=planned.cost,
            )
            verdict = await self.queue.enter(entry)
            if verdict.word in {"granted", "landed"}:
                self._grant(call, now)
            else:
                self.waiting += 1
        await self._heard(verdict, now)

    async def _heard(self, verdict: Verdict, now: float) -> None:
        """Read whose turn came, and when to look again."""
        if self.waiting:
            messages = await self.queue.messages(_PROCESS)
            self.waiting -= len(messages)
            for message in messages:
                self._grant(message.split("|")[1], now)
        self.look_at = verdict.look_at
        if verdict.look_at < _FOREVER:
            heapq.heappush(self.events, (max(verdict.look_at, now), _LOOK, next(self.numbers), ""))

    def _grant(self, call: str, now: float) -> None:
        self.granted.append((call, now))
        heapq.heappush(self.events, (now + self.calls[call].takes, _ANSWER, next(self.numbers), call))

    def _line(self, name: str, at: float | None) -> Line:
        planned = self.calls[name]
        charged = 0.0 if at is None else thousandths(min(planned.cost, self.units)) / 1000
        return Line(session=planned.session, call=planned.place, at=planned.at, granted_at=at, charged=charged)


async def simulate(scenario: Scenario, store: Store, name: str = "simulatie/dienst") -> AsyncIterator[Line]:
    """The lines of a scenario, in the order of grants, on a queue that nobody else uses. Calls never granted come last."""
    queue = Decisions(store, name, scenario.rules)
    queue.frozen = 0.0
    play = _Play(scenario, queue)
    used = [(play.names[s.name], s.used, 0.0) for s in scenario.sessions if s.used and not s.house]
    await queue.open("simulatie", 0.0, used)
    await queue.permit(_FOREVER)
    async for line in play.lines():
        yield line
