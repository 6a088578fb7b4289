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
from throttling.load_progress import Progress, foreseen_size
from throttling.load_rules import Signal
from throttling.load_signals import PAGE_MOST, Smoothed
from throttling.load_stories import Machine, Work

START: Final = 1_790_000_000.0
_RENEW: Final = 5.0
_MINUTE: Final = 60.0
_LOOK: Final = 15.0
_LOOK_AT_MACHINE: Final = 5.0
_ROUND: Final = 3.0
"""How many parts' time a round takes with sources that answer as usual."""


FORETOLD: Final = 30
"""Starts that are foretold at least before a share of them says anything; on a storm day there are some forty."""


class TooFewForetoldError(Exception):
    """So few starts were foretold (``judged``) that nothing can be said of how well."""

    def __init__(self, judged: int) -> None:
        super().__init__(judged)
        self.judged = judged


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
    def is_accounted_for(self) -> bool:
        """Done, or refused with a reason: at once, or after it waited."""
        if self.answer is Answer.REFUSED or self.state is AskState.REFUSED:
            return self.reason not in {None, Reason.UNKNOWN}
        return self.state is AskState.READY

    @property
    def was_foretold_well(self) -> bool | None:
        """Within a quarter or a minute of what was said; False for who waited in vain.

        None where nothing was said, or nothing came of it yet.
        """
        if self.told is not None and self.started is None and self.state is AskState.REFUSED:
            return False
        if self.told is None or self.started is None:
            return None
        off = abs(self.started - self.told)
        return off <= _MINUTE or off <= 0.25 * (self.told - self.work.at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How all fared. ``most``: runs at once; ``twice``: parts that were made by two workers though nobody died.

    ``shut``: the share of looks at which a signal held runs back.
    """

    asks: tuple[Fared, ...]
    most: int
    twice: int
    shut: float = 0.0

    @property
    def lost(self) -> int:
        """Asks that are neither done nor refused with a reason. What failed is lost: in a story nothing but workers does."""
        return sum(not one.is_accounted_for for one in self.asks)

    @property
    def judged(self) -> tuple[bool, ...]:
        """Of each start that was foretold, and of which it can be said: whether it came within a quarter or a minute."""
        return tuple(one.was_foretold_well for one in self.asks if one.was_foretold_well is not None)

    @property
    def estimate_within(self) -> float:
        """The share of what was foretold that came within a quarter or a minute.

        Raises ``TooFewForetoldError`` where fewer than ``FORETOLD`` starts were: a share of next to nothing says nothing.
        """
        if len(self.judged) < FORETOLD:
            raise TooFewForetoldError(len(self.judged))
        return sum(self.judged) / len(self.judged)


@dataclass(slots=True)
class _Run:
    work: Work
    worker: str = ""
    done: int = 0
    died: bool = False
    workers: set[str] = field(default_factory=set)
    progress: Progress = field(default_factory=lambda: Progress(1))
    ends: float = 0.0
    """When what it does now is there."""
    step: tuple[int, float] = (0, 0.0)
    """What it does now: how many parts, and how long they take."""

    def begin(self, at: float, times: float) -> None:
        """Begin the next that it does between two signs of life, with sources that take so many ``times`` as long."""
        self.step = self._next(self.work.seconds * times)
        self.ends = at + self.step[1]

    def _next(self, each: float) -> tuple[int, float]:
        """At the end fewer."""
        rounds = list(itertools.accumulate(self.work.rounds))
        collected = next((place for place, end in enumerate(rounds) if self.done < end), None)
        if collected is None:
            parts = min(max(round(_RENEW / each), 1), self.work.parts - self.done)
            return parts, parts * each
        usual = each * _ROUND
        return rounds[collected] - self.done, max(usual, self.work.slow) if collected == 0 else usual

    def passed(self) -> None:
        """What was begun is there: it says so as a worker of the product does."""
        work, (parts, seconds) = self.work, self.step
        reads = self.done >= work.collects
        for _ in range(parts):
            self.progress.passed("lezen" if reads else "", seconds / parts if reads else None)
        self.done += parts
        if not reads:
            self.reckon()

    def reckon(self) -> None:
        """What there is to do, as far as it knows."""
        if self.done >= self.work.collects:
            self.progress.settle({"lezen": self.work.parts - self.done}, 0)
        elif self.done:
            self.progress.expect(self.work.parts - self.done)


class _Play:
    def __init__(
        self, gate: LoadGate, shares: Mapping[float, float], machine: Machine | None, slower: Mapping[float, float]
    ) -> None:
        self.gate = gate
        self.slower = slower
        self.shares = shares
        self.machine = machine
        self.smoothed = {signal: Smoothed() for signal in (Signal.PROCESSOR, Signal.PAGE)}
        self.shut = 0
        self.looks = 0
        self.share = 0.0
        self.runs: dict[str, _Run] = {}
        self.fared: dict[str, Fared] = {}
        self.under_way: set[str] = set()
        self.sizes: list[int] = []
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
        self._hear(at, await self.gate.measure("simulatie", self._measured(at)))
        seen, events = await self.gate.overview(ended=False)
        self._hear(at, events)
        self.looks += 1
        self.shut += any(shut for _, shut in seen.signals.values())
        every = _LOOK if self.machine is None else _LOOK_AT_MACHINE
        if at + every <= until:
            self.later(at + every, "look", None)

    def _measured(self, at: float) -> Mapping[Signal, float]:
        """What is said of the processors by others, or else seen of the machine: what searches and runs make of it."""
        self.share = _at(at, self.shares, self.share)
        if self.machine is None:
            return {Signal.PROCESSOR: self.share}
        cores = sum(self.runs[name].work.cores for name in self.under_way)
        page = min(self.machine.page(cores) / self.gate.rules.page_target, PAGE_MOST)
        now = {Signal.PROCESSOR: self.machine.share(cores), Signal.PAGE: page}
        over = self.gate.rules.smoothing
        return {signal: one.follow(now[signal], at, over) for signal, one in self.smoothed.items()}

    async def _ask(self, at: float, work: Work) -> None:
        number = len(self.fared)
        name, run = f"vraag{number}", f"werk{number}"
        self.runs[run] = _Run(work)
        asked = await self.gate.ask(name, work.by, work.what, run, foreseen_size(self.sizes, work.counted), work.kind)
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
            run.died, run.ends = False, at
            run.progress = Progress(taken.size, run.done)
            for _ in range(run.done):
                run.progress.passed()
            run.reckon()
            self.under_way.add(name)
            self.most = max(self.most, len(self.under_way))
        elif at >= run.ends:
            run.passed()
        if run.work.dies_at is not None and len(run.workers) == 1 and run.done >= run.work.dies_at:
            run.died = True
            self.under_way.discard(name)
            return
        at_now = run.progress
        said, events = await self.gate.renew(name, run.worker, at_now.done, at_now.size, at_now.left)
        self._hear(at, events)
        if said == "on" and run.done < run.work.parts:
            if run.ends <= at:
                run.begin(at, _at(at, self.slower, 1.0))
            self.later(min(run.ends, at + _RENEW), "work", name)
        elif said != "lost":
            self.under_way.discard(name)
            if said == "on":
                self.sizes.insert(0, run.work.parts)
            _, events = await self.gate.done(name, run.worker, AskState.READY if said == "on" else AskState.STOPPED)
            self._hear(at, events)


def _at(at: float, since: Mapping[float, float], before: float) -> float:
    """What holds at this moment, of what holds since when."""
    return next((value for begin, value in reversed(tuple(since.items())) if begin <= at), before)


async def storm(  # noqa: PLR0913 - what a day may bring
    gate: LoadGate,
    work: Iterable[Work],
    *,
    until: float,
    shares: Mapping[float, float] | None = None,
    machine: Machine | None = None,
    slower: Mapping[float, float] | None = None,
) -> Outcome:
    """Play ``work`` at a gate that nobody else uses. ``shares``: from which moment the processors are how busy by others.

    A share counts from the next look on: every quarter of a minute. With a ``machine``, on which searches go on all the while,
    its processors and the time of a page are the signals, looked at every five seconds. ``slower``: from which moment all
    sources take how many times as long.
    """
    play = _Play(gate, shares or {}, machine, slower or {})
    for one in work:
        play.later(one.at, "ask", one)
    play.later(0.0, "look", None)
    await play.play(until)
    seen, _ = await gate.overview()
    for standing in seen.asks:
        fared = play.fared[standing.id]
        fared.state, fared.reason = standing.state, standing.reason
        fared.started = None if standing.started_at is None else standing.started_at - START
    return Outcome(
        asks=tuple(play.fared.values()),
        most=play.most,
        twice=play.twice,
        shut=play.shut / max(play.looks, 1),
    )
