"""The gate for heavy work written the slow and obvious way, from the rules L1-L12: lists, loops, no store."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil

from throttling.load import Answer, AskState, Event, EventKind, Reason
from throttling.load_rules import MEASURED, LoadRules, Signal

HOUR = 3600
MINUTE = 60
FRESH_SIGNAL, FORGET_SIGNAL = 15, 60
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
class PlainGate:
    """What must come of every decision."""

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
    worked: float = 0
    foretold: list[tuple[float, float, float | None]] = field(default_factory=list)
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
        self.away = [row for row in self.away if row[1] + HOUR > self.now]
        self.weigh()
        for ask in sorted(self.asks.values(), key=lambda ask: ask.name):
            if ask.state == "open" and ask.run.state == "waits" and self.is_late(ask):
                self.refuse_late(ask)
                if not self.open_asks(ask.run):
                    ask.run.state, ask.run.ended = "stopped", self.now
        for run in sorted(self.running, key=lambda run: run.name):
            if run.state == "runs" and run.lease <= self.now:
                if run.stop:
                    self.end(run, "stopped")
                elif not run.worker:
                    self.start_again(run)
                else:
                    run.deaths += 1
                    self.end(run, "failed" if run.deaths > self.rules.deaths else "waits")
        self.start_who_may()
        self.missed = self.missed and bool(self.running)

    # What is the case.

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
            near = ask.told is not None and ask.told - HELD <= moment
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

    def weigh(self) -> None:
        for signal in MEASURED:
            shut_at, open_at = self.rules.threshold(signal)
            share = self.share(signal)
            if signal not in self.rules.counts or share <= open_at:
                self.shut.discard(signal)
            elif share >= shut_at:
                self.shut.add(signal)

    # What is done.

    def start(self, run: Run) -> None:
        run.payer = self.rank(run)[3]
        self.say_start(run)

    def is_late(self, ask: Ask) -> bool:
        """Rule L6: since it was asked for, or since a worker had it."""
        return max(ask.at, ask.run.worked) + self.rules.longest_wait <= self.now

    def refuse_late(self, ask: Ask) -> None:
        ask.state, ask.reason = "refused", Reason.NO_WORKER if self.missed else Reason.WAIT
        self.spare(ask)
        if not ask.run.begun:
            self.keep_told(ask, None)
        self.events.append(Event(EventKind.UNMADE if self.missed else EventKind.REFUSED, ask.name))

    def keep_told(self, ask: Ask, real: float | None) -> None:
        if ask.told is not None:
            self.foretold.append((ask.at, ask.told, real))

    def say_start(self, run: Run) -> None:
        run.state, run.started, run.lease, run.worker = "runs", self.now, self.now + self.rules.lease, ""
        run.left = None
        self.events.append(Event(EventKind.START, run.name))

    def start_again(self, run: Run) -> None:
        """No worker took it; where none has any other either, whoever does the work is away."""
        if not any(other.worker for other in self.running):
            self.missed = True
        for ask in sorted(self.open_asks(run), key=lambda ask: ask.name):
            if self.is_late(ask):
                self.refuse_late(ask)
        if self.open_asks(run):
            self.say_start(run)
        else:
            self.end(run, "stopped")

    def start_who_may(self) -> None:
        while not self.shut and len(self.running) < self.most and self.waiting:
            self.start(self.waiting[0])

    def spare(self, ask: Ask) -> None:
        """Nothing came of it through no fault of who asked."""
        row = (ask.by, ask.at, False)
        places = [place for place, one in enumerate(self.asked) if one == row]
        if places:
            self.asked[places[-1]] = (ask.by, ask.at, True)

    def charge(self, run: Run) -> None:
        if run.worker:
            self.used.append((run.payer, self.now, self.now - run.started))
            run.worked = self.now

    def end(self, run: Run, state: str) -> None:
        self.charge(run)
        if run.worker:
            self.worked = self.now
        for ask in self.open_asks(run) if state == "failed" else []:
            self.spare(ask)
        run.state, run.worker = state, ""
        if state != "waits":
            run.ended = self.now
        if state == "failed":
            self.events.append(Event(EventKind.FAILED, run.name))
        if len(self.running) < self.most and self.waiting:
            self.start(self.waiting[0])

    def ask(  # noqa: PLR0917 - as the gate is asked
        self, name: str, by: str, digest: str, new: str, size: int, kind: str
    ) -> tuple[Answer, str, Reason | None]:
        answer = self.answer(name, by, digest, new, size, kind)
        if answer[0] is Answer.REFUSED:
            last = [row for row in self.away if row[0] == by][-1:]
            if last and self.now - last[0][1] < MINUTE:
                self.away[self.away.index(last[0])] = (by, last[0][1], last[0][2] + 1)
            else:
                self.away.append((by, self.now, 1))
        return answer

    def answer(  # noqa: PLR0917 - as the gate is asked
        self, name: str, by: str, digest: str, new: str, size: int, kind: str
    ) -> tuple[Answer, str, Reason | None]:
        shared = next((run for run in self.runs.values() if run.digest == digest and self.answers(run)), None)
        if shared:
            own = sorted((a for a in self.open_asks(shared) if a.by == by), key=lambda ask: ask.number)
            if own:
                return Answer.SAME, own[0].name, None
        too_many = self.too_many(by, shared)
        if too_many:
            return Answer.REFUSED, "", too_many
        run = shared or Run(new, digest, size, payer=by, kind=kind)
        self.runs[run.name] = run
        alone = not self.running and self.now - self.worked >= self.rules.smoothing
        self.number += 1
        self.asks[name] = Ask(name, run, by, self.now, self.number)
        self.start_who_may()
        reason = self.refusal(run, alone=alone) if run.state == "waits" else None
        if reason:
            del self.asks[name]
            if not shared:
                del self.runs[run.name]
            return Answer.REFUSED, "", reason
        self.asked.append((by, self.now, False))
        if run.state == "waits":
            start = self.forecast()[run.name]
            self.asks[name].told = None if start is None else self.now + start
            return Answer.WAITS, name, None
        if run.state == "ready":
            return Answer.READY, name, None
        return (Answer.JOINS if shared else Answer.STARTS), name, None

    def too_many(self, by: str, shared: Run | None) -> Reason | None:
        own = [spared for who, _, spared in self.asked if who == by]
        if own.count(False) >= self.rules.per_hour or len(own) >= 2 * self.rules.per_hour:
            return Reason.HOUR
        is_ready = shared is not None and shared.state == "ready"
        open_asks = sum(len(self.open_asks(run)) for run in self.under_way)
        return Reason.QUEUE if open_asks >= self.rules.most_open and not is_ready else None

    def refusal(self, run: Run, *, alone: bool) -> Reason | None:
        if alone and self.full:
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
        if not run.worker:
            run.started = self.now
        for ask in [] if run.begun else self.open_asks(run):
            self.keep_told(ask, self.now)
        self.missed, run.left = False, None
        run.worker, run.begun, run.lease, run.since = worker, True, self.now + self.rules.lease, run.done
        return True

    def give_back(self, name: str, worker: str) -> bool:
        run = self.runs.get(name)
        if run is None or run.state != "runs" or run.worker != worker:
            return False
        if run.stop:
            self.end(run, "stopped")
        else:
            self.charge(run)
            self.say_start(run)
        return True

    def renew(self, name: str, worker: str, done: int, size: int, left: float | None = None) -> str:
        run = self.runs.get(name)
        if run is None or run.state != "runs" or run.worker != worker:
            return "lost"
        if run.stop:
            return "stop"
        run.lease, run.done, run.size = self.now + self.rules.lease, done, size
        run.since = min(run.since, done)
        run.left, run.said = left, self.now
        return "on"

    def done(self, name: str, worker: str, outcome: str) -> bool:
        run = self.runs.get(name)
        if run is None or run.state != "runs" or run.worker != worker:
            return False
        parts = run.done - run.since
        if outcome == "ready" and parts > 0:
            self.learnt.append((run.kind, parts, self.now - run.started))
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
            self.unwanted(run)
        self.start_who_may()
        return AskState.CANCELLED

    def unwanted(self, run: Run) -> None:
        if run.state == "waits":
            run.state, run.ended = "stopped", self.now
        elif run.state == "runs" and not run.worker:
            self.end(run, "stopped")
        elif run.state == "runs":
            run.stop = True

    def forget(self, name: str, whole: str) -> None:
        run = self.asks[name].run if name in self.asks else self.runs.get(whole)
        if run is None or run.name not in self.runs:
            return
        for ask in [ask for ask in self.asks.values() if (ask.name == name if name else ask.run is run)]:
            del self.asks[ask.name]
            last = [place for place, row in enumerate(self.asked) if row[:2] == (ask.by, ask.at)]
            if last:
                del self.asked[last[-1]]
        if not self.open_asks(run):
            self.unwanted(run)
        if not name and run.state == "ready":
            run.state = "stopped"
        self.start_who_may()

    def measure(self, process: str, shares: dict[Signal, float], unseen: dict[Signal, float]) -> None:
        self.measured[process] = (self.now, shares, unseen)
        self.weigh()
        self.start_who_may()

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
        if run.state == "runs" and run.left is not None:
            return max(run.left - (self.now - run.said), 0)
        return max(run.size - run.done, 1) * self.pace(run.kind)

    def pace(self, kind: str) -> float:
        """Seconds a part takes, by the last runs of its kind, else of all: each counts by its parts, up to two hundred, and the
        older the less."""
        rows = [row for row in self.learnt if row[0] == kind] or self.learnt
        if not rows:
            return self.rules.pace
        weights = [0.8**age * min(parts, 200) / parts for age, (_, parts, _) in enumerate(reversed(rows))]
        weighed = list(zip(weights, reversed(rows), strict=True))
        return sum(w * seconds for w, (_, _, seconds) in weighed) / sum(w * parts for w, (_, parts, _) in weighed)


def low(start: float) -> float:
    return max(min(start * 0.75, start - 60), 0)
