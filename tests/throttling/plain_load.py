"""The gate for heavy work written the slow and obvious way, from the rules L1-L12: lists, loops, no store."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil

from throttling.load import Answer, AskState, Event, EventKind, Reason
from throttling.load_rules import MEASURED, LoadRules, Signal

HOUR = 3600
FRESH_SIGNAL = 15
HELD = 30
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
    ended: float | None = None
    stop: bool = False


@dataclass(slots=True)
class Ask:
    name: str
    run: Run
    by: str
    at: float
    number: int
    state: str = "open"
    told: float | None = None


@dataclass(slots=True)
class PlainGate:
    """What must come of every decision."""

    rules: LoadRules
    now: float = 0
    runs: dict[str, Run] = field(default_factory=dict)
    asks: dict[str, Ask] = field(default_factory=dict)
    shut: set[Signal] = field(default_factory=set)
    measured: dict[str, tuple[float, dict[Signal, float]]] = field(default_factory=dict)
    used: list[tuple[str, float, float]] = field(default_factory=list)
    asked: list[tuple[str, float]] = field(default_factory=list)
    number: int = 0
    pace: float = 0
    events: list[Event] = field(default_factory=list)

    # What time does.

    def at(self, now: float) -> None:
        """Begin a decision at this moment."""
        self.now = max(now, self.now)
        self.events = []
        for run in [
            run for run in self.runs.values() if run.ended is not None and run.ended + self.rules.fresh <= self.now
        ]:
            del self.runs[run.name]
            self.asks = {name: ask for name, ask in self.asks.items() if ask.run is not run}
        self.used = [row for row in self.used if row[1] + HOUR > self.now]
        self.asked = [row for row in self.asked if row[1] + HOUR > self.now]
        self.weigh()
        for run in sorted(self.running, key=lambda run: run.name):
            if run.state == "runs" and run.lease <= self.now:
                if run.stop:
                    self.end(run, "stopped")
                else:
                    run.deaths += 1
                    self.end(run, "failed" if run.deaths > self.rules.deaths else "waits")
        for ask in sorted(self.asks.values(), key=lambda ask: ask.name):
            waits_too_long = (
                ask.run.state == "waits" and not ask.run.deaths and ask.at + self.rules.longest_wait <= self.now
            )
            if ask.state == "open" and waits_too_long:
                ask.state = "refused"
                self.events.append(Event(EventKind.REFUSED, ask.name))
                if not self.open_asks(ask.run):
                    ask.run.state, ask.run.ended = "stopped", self.now
        self.start_who_may()

    # What is the case.

    @property
    def running(self) -> list[Run]:
        return [run for run in self.runs.values() if run.state == "runs"]

    @property
    def most(self) -> int:
        if Signal.SLOTS not in self.rules.counts:
            return self.rules.slots
        return max(ceil(self.rules.shut_at * self.rules.slots - 1e-9), 1)

    def open_asks(self, run: Run) -> list[Ask]:
        return [ask for ask in self.asks.values() if ask.run is run and ask.state == "open"]

    def used_by(self, requester: str) -> float:
        past = sum(seconds for by, _, seconds in self.used if by == requester)
        return past + sum(self.now - run.started for run in self.running if run.payer == requester)

    def rank(self, run: Run, at: float | None = None) -> tuple[float, float, float, str]:
        found, moment = [], self.now if at is None else at
        for ask in self.open_asks(run):
            near = ask.told is not None and ask.told - HELD <= moment
            late = near or ask.at + self.rules.longest_wait / 2 <= moment
            first = 0 if run.deaths else 1 if late else 2
            found.append((first, self.used_by(ask.by) if first == 2 else 0, ask.number, ask.by))
        return min(found)

    @property
    def waiting(self) -> list[Run]:
        return sorted((run for run in self.runs.values() if run.state == "waits"), key=self.rank)

    def weigh(self) -> None:
        for signal in MEASURED:
            fresh = [shares.get(signal, 0) for at, shares in self.measured.values() if self.now - at <= FRESH_SIGNAL]
            share = max(fresh, default=0)
            if signal not in self.rules.counts or share <= self.rules.open_at:
                self.shut.discard(signal)
            elif share >= self.rules.shut_at:
                self.shut.add(signal)

    # What is done.

    def start(self, run: Run) -> None:
        run.payer = self.rank(run)[3]
        run.state, run.started, run.lease, run.worker = "runs", self.now, self.now + self.rules.lease, ""
        self.events.append(Event(EventKind.START, run.name))

    def start_who_may(self) -> None:
        while not self.shut and len(self.running) < self.most and self.waiting:
            self.start(self.waiting[0])

    def end(self, run: Run, state: str) -> None:
        self.used.append((run.payer, self.now, self.now - run.started))
        run.state, run.worker = state, ""
        if state != "waits":
            run.ended = self.now
        if state == "failed":
            self.events.append(Event(EventKind.FAILED, run.name))
        if len(self.running) < self.most and self.waiting:
            self.start(self.waiting[0])

    def ask(self, name: str, by: str, digest: str, new: str, size: int) -> tuple[Answer, str, Reason | None]:
        shared = next((run for run in self.runs.values() if run.digest == digest and self.answers(run)), None)
        if shared:
            own = sorted((a for a in self.open_asks(shared) if a.by == by), key=lambda ask: ask.number)
            if own:
                return Answer.SAME, own[0].name, None
        if len([None for who, _ in self.asked if who == by]) >= self.rules.per_hour:
            return Answer.REFUSED, "", Reason.HOUR
        run = shared or Run(new, digest, size, payer=by)
        self.runs[run.name] = run
        alone = not self.running
        self.number += 1
        self.asks[name] = Ask(name, run, by, self.now, self.number)
        self.start_who_may()
        reason = self.refusal(run, alone=alone) if run.state == "waits" else None
        if reason:
            del self.asks[name]
            if not shared:
                del self.runs[run.name]
            return Answer.REFUSED, "", reason
        self.asked.append((by, self.now))
        if run.state == "waits":
            start = self.forecast()[run.name]
            self.asks[name].told = None if start is None else self.now + start
            return Answer.WAITS, name, None
        if run.state == "ready":
            return Answer.READY, name, None
        return (Answer.JOINS if shared else Answer.STARTS), name, None

    def refusal(self, run: Run, *, alone: bool) -> Reason | None:
        if alone and self.shut:
            return Reason.FULL
        start = self.forecast()[run.name]
        return Reason.WAIT if start is not None and low(start) > self.rules.longest_wait else None

    def answers(self, run: Run) -> bool:
        return not run.stop and run.state in (*OPEN_STATES, "ready")

    def take(self, name: str, worker: str) -> bool:
        run = self.runs.get(name)
        if run is None or run.state != "runs" or run.worker not in {"", worker}:
            return False
        if run.stop:
            self.end(run, "stopped")
            return False
        run.worker, run.lease, run.since = worker, self.now + self.rules.lease, run.done
        return True

    def renew(self, name: str, worker: str, done: int, size: int) -> str:
        run = self.runs.get(name)
        if run is None or run.state != "runs" or run.worker != worker:
            return "lost"
        if run.stop:
            return "stop"
        run.lease, run.done, run.size = self.now + self.rules.lease, done, size
        return "on"

    def done(self, name: str, worker: str, outcome: str) -> bool:
        run = self.runs.get(name)
        if run is None or run.state != "runs" or run.worker != worker:
            return False
        parts = run.done - run.since
        if outcome == "ready" and parts > 0:
            pace = (self.now - run.started) / parts
            self.pace = 0.7 * self.pace + 0.3 * pace if self.pace else pace
        self.end(run, outcome)
        self.start_who_may()
        return True

    def cancel(self, name: str) -> AskState | None:
        ask = self.asks.get(name)
        if ask is None:
            return None
        run = ask.run
        if ask.state != "open" or run.state not in OPEN_STATES:
            return AskState(run.state if ask.state == "open" else ask.state)
        ask.state = "cancelled"
        if not self.open_asks(run):
            if run.state == "waits":
                run.state, run.ended = "stopped", self.now
            elif not run.worker:
                self.end(run, "stopped")
            else:
                run.stop = True
        self.start_who_may()
        return AskState.CANCELLED

    def measure(self, process: str, shares: dict[Signal, float]) -> None:
        self.measured[process] = (self.now, shares)
        self.weigh()
        self.start_who_may()

    def state(self, name: str) -> AskState | None:
        ask = self.asks.get(name)
        return None if ask is None else AskState(ask.state if ask.state != "open" else ask.run.state)

    def forecast(self) -> dict[str, float | None]:
        ends = [self.takes(run) for run in self.running]
        free = 0 if self.shut else max(self.most - len(ends), 0)
        found: dict[str, float | None] = {}
        left = self.waiting
        while left:
            start: float | None = 0.0 if free else min(ends, default=None)
            run = min(left, key=lambda run: self.rank(run, self.now + (start or 0)))
            left.remove(run)
            if free:
                free -= 1
            elif start is not None:
                ends.remove(start)
            found[run.name] = start
            if start is not None:
                ends.append(start + self.takes(run))
        return found

    def takes(self, run: Run) -> float:
        parts = run.done - run.since
        pace = self.pace or self.rules.pace
        if run.state == "runs" and parts >= 5:
            pace = (self.now - run.started) / parts
        return max(run.size - run.done, 1) * pace


def low(start: float) -> float:
    return max(min(start * 0.75, start - 60), 0)
