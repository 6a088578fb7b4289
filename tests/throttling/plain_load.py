"""The gate for heavy work written the slow and obvious way, from the rules L1-L12: lists, loops, no store."""

from __future__ import annotations

from dataclasses import dataclass

from tests.throttling.plain_state import FRESH_SIGNAL, OPEN_STATES, Ask, PlainState, Run, low
from throttling.load import Answer, AskState, Event, EventKind, Reason
from throttling.load_rules import MEASURED, Signal

HOUR = 3600
MINUTE = 60


@dataclass(slots=True)
class PlainGate(PlainState):
    """What must come of every decision."""

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

    def weigh(self) -> None:
        for signal in MEASURED:
            shut_at, open_at = self.rules.threshold(signal)
            share = self.share(signal)
            if signal not in self.rules.counts or share <= open_at:
                self.shut.discard(signal)
            elif share >= shut_at:
                self.shut.add(signal)

    def start(self, run: Run) -> None:
        run.payer = self.rank(run)[3]
        self.say_start(run)

    def refuse_late(self, ask: Ask) -> None:
        ask.state, ask.reason = "refused", Reason.NO_WORKER if self.missed else Reason.WAIT
        self.late.append((self.now, ask.reason))
        self.spare(ask)
        if not ask.run.begun:
            self.keep_told(ask, None)
        self.events.append(Event(EventKind.UNMADE if self.missed else EventKind.REFUSED, ask.name))

    def keep_told(self, ask: Ask, real: float | None) -> None:
        if ask.told is not None:
            self.foretold.append((ask.at, ask.told, real))

    def say_start(self, run: Run) -> None:
        if run.state != "runs" or run.worker:
            run.left_at = self.now
        run.state, run.started, run.lease, run.worker = "runs", self.now, self.now + self.rules.lease, ""
        run.left = None
        self.events.append(Event(EventKind.START, run.name))

    def start_again(self, run: Run) -> None:
        """No worker took it; where none has any other either, whoever does the work is away."""
        was_down = self.now - run.lease >= max(self.rules.lease, FRESH_SIGNAL)
        if not any(other.worker for other in self.running):
            self.missed = True
        for ask in sorted(self.open_asks(run), key=lambda ask: ask.name):
            if self.is_late(ask):
                self.refuse_late(ask)
        self.missed = self.missed and not was_down
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
