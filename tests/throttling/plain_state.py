"""How it is at the gate for heavy work, written the slow and obvious way: who runs, who goes first, and what is foretold."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil

from throttling.load import AskState, Event, Reason
from throttling.load_rules import LoadRules, Signal

FRESH_SIGNAL, FORGET_SIGNAL = 15, 60
OPEN_STATES = ("waits", "runs")


@dataclass(slots=True)
class Run:
    name: str
    digest: str
    size: int
    state: str = "waits"
    done: int = 0
    since: int = 0
    deaths: int = 0
    payer: str = ""
    worker: str = ""
    started: float = 0
    lease: float = 0
    left_at: float = 0
    ended: float | None = None
    stop: bool = False
    begun: bool = False
    worked: float = 0
    kind: str = ""
    left: float | None = None
    said: float = 0


@dataclass(slots=True)
class Ask:
    name: str
    run: Run
    by: str
    at: float
    number: int
    state: str = "open"
    told: float | None = None
    reason: Reason | None = None


@dataclass(slots=True)
class PlainState:
    """All there is to know at one moment."""

    rules: LoadRules
    now: float = 0
    runs: dict[str, Run] = field(default_factory=dict)
    asks: dict[str, Ask] = field(default_factory=dict)
    shut: set[Signal] = field(default_factory=set)
    measured: dict[str, tuple[float, dict[Signal, float], dict[Signal, float]]] = field(default_factory=dict)
    used: list[tuple[str, float, float]] = field(default_factory=list)
    asked: list[tuple[str, float, bool]] = field(default_factory=list)
    away: list[tuple[str, float, int]] = field(default_factory=list)
    number: int = 0
    learnt: list[tuple[str, int, float]] = field(default_factory=list)
    missed: bool = False
    late: list[tuple[float, Reason]] = field(default_factory=list)
    worked: float = 0
    foretold: list[tuple[float, float, float | None]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    @property
    def running(self) -> list[Run]:
        return [run for run in self.runs.values() if run.state == "runs"]

    @property
    def under_way(self) -> list[Run]:
        return [run for run in self.runs.values() if run.state in OPEN_STATES]

    @property
    def unmanned(self) -> bool:
        return self.missed and bool(self.running)

    @property
    def most(self) -> int:
        if Signal.SLOTS not in self.rules.counts:
            return self.rules.slots
        return max(ceil(self.rules.threshold(Signal.SLOTS)[0] * self.rules.slots - 1e-9), 1)

    def open_asks(self, run: Run) -> list[Ask]:
        return [ask for ask in self.asks.values() if ask.run is run and ask.state == "open"]

    def used_by(self, requester: str) -> float:
        past = sum(seconds for by, _, seconds in self.used if by == requester)
        return past + sum(self.now - run.started for run in self.running if run.worker and run.payer == requester)

    def rank(
        self, run: Run, at: float | None = None, used: dict[str, int] | None = None
    ) -> tuple[float, float, float, str]:
        found, moment = [], self.now if at is None else at
        by_now = self.used_by if used is None else used.__getitem__
        for ask in self.open_asks(run):
            near = ask.told is not None and ask.at + low(ask.told - ask.at) <= moment
            late = near or ask.at + self.rules.longest_wait / 2 <= moment
            first = 0 if run.deaths else 1 if late else 2
            found.append((first, by_now(ask.by) if first == 2 else 0, ask.number, ask.by))
        return min(found)

    @property
    def waiting(self) -> list[Run]:
        return sorted((run for run in self.runs.values() if run.state == "waits"), key=self.rank)

    @property
    def full(self) -> bool:
        """Rule L8: between the thresholds it is not full, though it may still be shut; nor by what was seen beside a run."""
        return any(self.share(signal, self.worked) >= self.rules.threshold(signal)[0] for signal in self.shut)

    def share(self, signal: Signal, since: float | None = None) -> float:
        said = [
            (self.now - at, shares.get(signal, 0))
            for at, shares, unseen in self.measured.values()
            if since is None or signal not in unseen or at - unseen[signal] > since
        ]
        shut_at, _ = self.rules.threshold(signal)
        count = [share for age, share in said if age <= FRESH_SIGNAL or (age < FORGET_SIGNAL and share >= shut_at)]
        return max(count, default=0)

    def is_late(self, ask: Ask) -> bool:
        """Rule L6: since it was asked for, or since a worker had it."""
        return max(ask.at, ask.run.worked) + self.rules.longest_wait <= self.now

    def answers(self, run: Run) -> bool:
        return not run.stop and run.state in (*OPEN_STATES, "ready")

    def left_at(self, name: str) -> float | None:
        run = self.asks[name].run
        return run.left_at if self.state(name) is AskState.RUNS and not run.worker else None

    def state(self, name: str) -> AskState | None:
        ask = self.asks.get(name)
        return None if ask is None else AskState(ask.state if ask.state != "open" else ask.run.state)

    def forecast(self) -> dict[str, float | None]:
        ends = [] if self.unmanned else [self.takes(run) for run in self.running]
        free = 0 if self.shut or self.unmanned else max(self.most - len(ends), 0)
        if self.shut and ends:
            ends += [max(ends)] * (self.most - len(ends))  # the others come free as the last of those that shut it ends
        found: dict[str, float | None] = {}
        left = self.waiting
        used = {ask.by: round(1000 * self.used_by(ask.by)) for ask in self.asks.values()}
        for run in [] if self.unmanned else self.running:
            used[run.payer] = round(used.get(run.payer, 1000 * self.used_by(run.payer)) + 1000 * self.takes(run))
        while left:
            start: float | None = 0.0 if free else min(ends, default=None)
            run = min(left, key=lambda run: self.rank(run, self.now + (start or 0), used))
            payer = self.rank(run, self.now + (start or 0), used)[3]
            left.remove(run)
            if free:
                free -= 1
            elif start is not None:
                ends.remove(start)
            found[run.name] = start
            if start is not None:
                ends.append(start + self.takes(run))
                used[payer] = round(used[payer] + 1000 * self.takes(run))
        return found

    def takes(self, run: Run) -> float:
        """What it says; else by its parts, and once it is longer at it than was foreseen, as long again as it is over."""
        left = self.says(run)
        if left is not None:
            return left
        each = self.pace(run.kind)
        taken = self.now - run.started if run.worker else 0
        return max(max(run.size - run.done, 1) * each, taken - self.own_parts(run) * each)

    def says(self, run: Run) -> float | None:
        if run.state != "runs" or run.left is None:
            return None
        return max(run.left - (self.now - run.said), 0)

    def own_parts(self, run: Run) -> int:
        """Parts that its worker makes."""
        return max(run.size - run.since, 1)

    def in_all(self, run: Run, left: float) -> float:
        """How long one that says how long still takes, by all its parts or by those that are left, which count for less."""
        by_left = 0.85 * self.own_parts(run) * left / max(run.size - run.done, 1)
        return max(self.now - run.started + left, by_left)

    def pace(self, kind: str) -> float:
        """Seconds a part takes: as was learnt, and as those show that run now, of its own kind more than of another."""
        told = [
            (run, left)
            for run in sorted(self.running, key=lambda run: run.name)
            if (left := self.says(run)) is not None
        ]
        known = kind in {row[0] for row in self.learnt} or kind in {run.kind for run, _ in told}
        parts, seconds = self.weighed([row for row in self.learnt if row[0] == kind or not known])
        learnt = self.learnt_pace(kind)
        for run, left in told:
            own, shown = self.own_parts(run), self.in_all(run, left) / self.own_parts(run)
            fades, weight = (0.5 if run.kind == kind or not known else 0.8), min(own, 200)
            times = shown / self.learnt_pace(run.kind)
            parts = fades * parts + weight
            seconds = fades * seconds + weight * min(times * learnt, max(learnt, shown))
        return max(seconds / parts, 0.001) if parts else self.rules.pace

    def learnt_pace(self, kind: str) -> float:
        """By the last runs of its kind, else of all."""
        parts, seconds = self.weighed([row for row in self.learnt if row[0] == kind] or self.learnt)
        return max(seconds / parts, 0.001) if parts else self.rules.pace

    def weighed(self, rows: list[tuple[str, int, float]]) -> tuple[float, float]:
        """Parts and seconds: each run counts by its parts, up to two hundred, and the older the less."""
        weights = [0.8**age * min(parts, 200) / parts for age, (_, parts, _) in enumerate(reversed(rows))]
        weighed = list(zip(weights, reversed(rows), strict=True))
        return sum(w * parts for w, (_, parts, _) in weighed), sum(w * seconds for w, (_, _, seconds) in weighed)


def low(start: float) -> float:
    return max(min(start * 0.75, start - 60), 0)
