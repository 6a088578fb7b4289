"""A storm of heavy work played through the real scripts in invented time: an hour of runs takes seconds.

What is played is work (how many parts, how long each takes, a worker that dies), never a clock of this machine.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from throttling.load import Answer, AskState, Event, EventKind, LoadGate, Reason
from throttling.load_rules import Signal

START: Final = 1_790_000_000.0
_RENEW: Final = 5.0
_MINUTE: Final = 60.0
_LOOK: Final = 15.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One ask: ``at`` seconds after the beginning, ``by`` whom, for ``what``; the run has ``parts`` of ``seconds`` each.

    ``dies_at``: after how many parts its first worker dies, None for one that does not.
    """

    at: float
    by: str
    what: str
    parts: int
    seconds: float
    dies_at: int | None = None


@dataclass(slots=True, kw_only=True)
class Fared:
    """How one ask fared. Times are seconds after the beginning; ``told`` is the start that was foretold."""

    work: Work
    answer: Answer
    reason: Reason | None = None
    told: float | None = None
    started: float | None = None
    state: AskState | None = None

    @property
    def was_foretold_well(self) -> bool | None:
        """Within a quarter or a minute of what was said; None where nothing was said or nothing began."""
        if self.told is None or self.started is None:
            return None
        off = abs(self.started - self.told)
        return off <= _MINUTE or off <= 0.25 * (self.told - self.work.at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How all fared. ``most``: runs at once; ``twice``: parts that were made by two workers though nobody died."""

    asks: tuple[Fared, ...]
    most: int
    twice: int

    @property
    def lost(self) -> int:
        """Asks that were neither refused with a reason nor came to an end."""
        ends = {AskState.READY, AskState.FAILED, AskState.REFUSED, AskState.CANCELLED}
        return sum(one.answer is not Answer.REFUSED and one.state not in ends for one in self.asks)

    @property
    def estimate_within(self) -> float:
        """The share of what was foretold that came within a quarter or a minute; 1 when nothing was."""
        judged = [one.was_foretold_well for one in self.asks if one.was_foretold_well is not None]
        return sum(judged) / len(judged) if judged else 1.0


@dataclass(slots=True)
class _Run:
    work: Work
    worker: str = ""
    done: int = 0
    died: bool = False
    workers: set[str] = field(default_factory=set)

    @property
    def step(self) -> int:
        """How many parts it makes between two signs of life; at the end fewer."""
        return min(max(round(_RENEW / self.work.seconds), 1), self.work.parts - self.done)


class _Play:
    def __init__(self, gate: LoadGate, shares: Mapping[float, float]) -> None:
        self.gate = gate
        self.shares = shares
        self.share = 0.0
        self.runs: dict[str, _Run] = {}
        self.fared: dict[str, Fared] = {}
        self.under_way: set[str] = set()
        self.most = 0
        self.twice = 0
        self.numbers = itertools.count()
        self.todo: list[tuple[float, int, str, object]] = []

    def later(self, at: float, what: str, about: object) -> None:
        heapq.heappush(self.todo, (at, next(self.numbers), what, about))

    async def play(self, until: float) -> None:
        while self.todo and self.todo[0][0] <= until:
            at, _, what, about = heapq.heappop(self.todo)
            self.gate.frozen = START + at
            if what == "look":
                await self._look(at, until)
            elif isinstance(about, Work):
                await self._ask(at, about)
            else:
                await self._work(at, str(about))

    async def _look(self, at: float, until: float) -> None:
        self.share = next((share for since, share in reversed(tuple(self.shares.items())) if since <= at), self.share)
        self._hear(at, await self.gate.measure("simulatie", {Signal.PROCESSOR: self.share}))
        if at + _LOOK <= until:
            self.later(at + _LOOK, "look", None)

    async def _ask(self, at: float, work: Work) -> None:
        number = len(self.fared)
        name, run = f"vraag{number}", f"werk{number}"
        self.runs[run] = _Run(work)
        asked = await self.gate.ask(name, work.by, work.what, run, work.parts)
        told = at + asked.start_in if asked.answer is Answer.WAITS and asked.start_in is not None else None
        self.fared[name] = Fared(work=work, answer=asked.answer, reason=asked.reason, told=told)
        self._hear(at, asked.events)

    def _hear(self, at: float, events: Iterable[Event]) -> None:
        for event in events:
            if event.kind is EventKind.START:
                self.runs[event.id].worker = f"werker{next(self.numbers)}"
                self.later(at, "work", event.id)

    async def _work(self, at: float, name: str) -> None:
        run = self.runs[name]
        if run.worker not in run.workers:
            taken, events = await self.gate.take(name, run.worker)
            self._hear(at, events)
            if taken is None:
                return
            self.twice += bool(run.workers) and not run.died
            run.workers.add(run.worker)
            run.died = False
            self.under_way.add(name)
            self.most = max(self.most, len(self.under_way))
        else:
            run.done += run.step
        if run.work.dies_at is not None and len(run.workers) == 1 and run.done >= run.work.dies_at:
            run.died = True
            self.under_way.discard(name)
            return
        said, events = await self.gate.renew(name, run.worker, run.done, run.work.parts)
        self._hear(at, events)
        if said == "on" and run.done < run.work.parts:
            self.later(at + run.step * run.work.seconds, "work", name)
        elif said != "lost":
            self.under_way.discard(name)
            _, events = await self.gate.done(name, run.worker, AskState.READY if said == "on" else AskState.STOPPED)
            self._hear(at, events)


async def storm(
    gate: LoadGate, work: Iterable[Work], *, until: float, shares: Mapping[float, float] | None = None
) -> Outcome:
    """Play ``work`` at a gate that nobody else uses. ``shares``: from which moment the processors are how busy by others.

    A share counts from the next look on: every quarter of a minute.
    """
    play = _Play(gate, shares or {})
    for one in work:
        play.later(one.at, "ask", one)
    play.later(0.0, "look", None)
    await play.play(until)
    seen, _ = await gate.overview()
    for standing in seen.asks:
        fared = play.fared[standing.id]
        fared.state = standing.state
        fared.started = None if standing.started_at is None else standing.started_at - START
    return Outcome(asks=tuple(play.fared.values()), most=play.most, twice=play.twice)
