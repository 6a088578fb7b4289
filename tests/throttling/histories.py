"""Generated histories of a queue, played on the scripts and on the plain model side by side."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field

from hypothesis import strategies as st

from throttling.decisions import Decisions, Entry
from throttling.limits import Limit, SlidingWindow, TokenBucket
from throttling.plain import Model, Rules
from throttling.rules import QueueRules
from throttling.store import Store

_NAMES = itertools.count()
SESSIONS = ("a", "b", "c", "d", "huis")
VISITORS = ("", "x", "y", "z")


@dataclass(frozen=True, slots=True)
class Step:
    """After ``wait`` seconds something happens; ``pick`` chooses among the calls it can happen to."""

    wait: float
    act: str
    session: str = ""
    visitor: str = ""
    cost: int = 1000
    pick: int = 0
    number: float = 0.0


_waits = st.sampled_from([0.0] * 6 + [0.125, 0.5, 1.0] * 2 + [3.0, 3.0, 9.0, 31.0, 50.0, 1900.0])
_costs = st.sampled_from([1000, 1000, 1000, 1000, 500, 2500, 9000])
_enters = st.builds(
    Step,
    _waits,
    st.just("enter"),
    session=st.sampled_from(SESSIONS),
    visitor=st.sampled_from(VISITORS),
    cost=_costs,
)
_others = st.builds(
    Step,
    _waits,
    st.sampled_from(["done", "done", "done", "leave", "not_sent", "refused", "crash"]),
    pick=st.integers(0, 30),
    number=st.sampled_from([0.0, 0.5, 2.0, 7.0]),
)
histories = st.lists(st.one_of(_enters, _enters, _others), min_size=1, max_size=40)

limits = st.sampled_from(
    [
        (TokenBucket(5, 1), None),
        (TokenBucket(6, 0.5), 2),
        (SlidingWindow(4, 8), None),
        (SlidingWindow(6, 6), 2),
        (SlidingWindow(5, 60), None),
        (None, 2),
    ]
)


@dataclass(slots=True)
class Both:
    """The scripts and the model of one queue in one invented time."""

    scripts: Decisions
    model: Model
    now: float = 1000.0
    look_at: float = math.inf
    granted: list[tuple[str, float]] = field(default_factory=list)
    crashed: set[str] = field(default_factory=set)

    async def begin(self) -> None:
        self.scripts.frozen = self.now
        await self.scripts.open("e", 0, [])
        await self.scripts.permit(1e12)
        self.model.tokens_at = self.now

    async def play(self, history: list[Step]) -> None:
        for number, step in enumerate(history):
            await self.until(self.now + step.wait)
            await self.act(f"k{number}", step)

    async def until(self, moment: float) -> None:
        """Let time pass, with a look at every moment either side wants one, and leases renewed by who is there."""
        while True:
            due = min(self.look_at, self.model.comes_back(self.now))
            if self.model.calls:
                due = min(due, self.now + self.model.rules.lease * 0.9)
            if due > moment:
                break
            self.now = max(due, self.now)
            await self.renew()
        self.now = moment

    async def renew(self) -> None:
        there = [call for call in self.model.calls if call not in self.crashed]
        self.model.renew(self.now, there)
        self.scripts.frozen = self.now
        self.look_at = (await self.scripts.renew(there)).look_at
        await self.heard()

    async def act(self, name: str, step: Step) -> None:
        self.scripts.frozen = self.now
        waiting = [c.id for c in self.model.calls.values() if c.granted_at is None]
        flying = [c.id for c in self.model.calls.values() if c.granted_at is not None]
        match step.act:
            case "enter":
                await self._enter(name, step)
            case "leave" if waiting:
                call = waiting[step.pick % len(waiting)]
                self.model.leave(self.now, call)
                self.look_at = (await self.scripts.leave(call)).look_at
            case "done" if flying:
                call = flying[step.pick % len(flying)]
                said = round(step.number) if step.number else None
                self.model.done(self.now, call, None if said is None else said * 1000)
                self.look_at = (await self.scripts.done(call, said)).look_at
            case "not_sent" if flying:
                call = flying[step.pick % len(flying)]
                self.model.not_sent(self.now, call)
                self.look_at = (await self.scripts.not_sent(call)).look_at
            case "refused" if flying:
                call = flying[step.pick % len(flying)]
                self.model.refused(self.now, call, step.number)
                self.look_at = (await self.scripts.refused(call, step.number)).look_at
            case "crash" if waiting + flying:
                self.crashed.add((waiting + flying)[step.pick % len(waiting + flying)])
            case _:
                return
        await self.heard()

    async def _enter(self, name: str, step: Step) -> None:
        visitor = step.visitor if step.session == "huis" else ""
        self.model.enter(self.now, name, step.session, step.cost, visitor)
        entry = Entry(id=name, process="p", session=step.session, visitor=visitor, cost=step.cost / 1000)
        verdict = await self.scripts.enter(entry)
        if verdict.word in {"granted", "landed"}:
            self.granted.append((name, self.now))
        self.look_at = verdict.look_at

    async def heard(self) -> None:
        """Read which calls were told of their turn."""
        for message in await self.scripts.messages("p"):
            kind, call, at = message.split("|")
            assert kind == "g"
            self.granted.append((call, float(at)))


async def both(store: Store, limit: Limit | None, in_flight: int | None) -> Both:
    """A fresh queue on both sides."""
    rules = QueueRules(limit=limit, in_flight=in_flight, deadline=60.0, lease=40.0, most=0)
    pair = Both(Decisions(store, f"proef{next(_NAMES)}", rules), Model(Rules.of(rules)))
    await pair.begin()
    return pair
