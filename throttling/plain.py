"""The rules of turns at a platform, as slow and plain as they can be said. Written from the design page, not from the scripts.

It decides nothing here: the scripts are compared with it on generated histories, and estimates are made by letting it run
ahead of a queue as it is (``throttling.forecast``). Units are whole thousandths, times are seconds that the caller passes;
each decision looks at everything again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final, Self

from throttling.callers import HOUSE_SESSION
from throttling.rules import THOUSAND, QueueRules, thousandths

IDLE_SECONDS: Final = 1800.0
CLOSE: Final = 1e-6


@dataclass(slots=True, eq=False)
class Call:
    """One call, waiting or granted."""

    id: str
    session: str
    visitor: str
    cost: int
    lease: float = math.inf
    granted_at: float | None = None
    stride: float = 0.0
    g0: int = 0
    t0: float = 0.0
    age: int = 0
    expires: float = math.inf  # of its charge in a window
    under_way: bool = False
    lost: bool = False  # its process is gone, and what it sent may still arrive


@dataclass(slots=True, eq=False)
class Session:
    """What is known of one session."""

    name: str
    tag: float = 0.0
    used: int = 0
    last: float = -math.inf
    g0: int = 0
    t0: float = 0.0
    age: int = 0
    waiting: list[Call] = field(default_factory=list)
    turn_of: list[str] = field(default_factory=list)  # visitors of the house, next first

    def head(self) -> Call:
        """The call whose turn it is inside this session."""
        if self.name != HOUSE_SESSION:
            return self.waiting[0]
        visitor = self.turn_of[0] if self.turn_of else ""
        return next(call for call in self.waiting if call.visitor == visitor)

    def add(self, call: Call, *, first: bool = False) -> None:
        """Put a call at the end, or back at the front."""
        self.waiting.insert(0 if first else len(self.waiting), call)
        if self.name == HOUSE_SESSION and call.visitor:
            if first:
                self.turn_of = [call.visitor, *(v for v in self.turn_of if v != call.visitor)]
            elif call.visitor not in self.turn_of:
                self.turn_of.append(call.visitor)

    def remove(self, call: Call, *, served: bool) -> None:
        """Take a call out; a visitor who was served and still has calls goes to the end."""
        self.waiting.remove(call)
        if self.name == HOUSE_SESSION and call.visitor:
            more = any(other.visitor == call.visitor for other in self.waiting)
            if served or not more:
                self.turn_of.remove(call.visitor)
                if more:
                    self.turn_of.append(call.visitor)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """A queue's limit. ``kind`` is bucket, window or none; ``units`` in thousandths; ``in_flight`` None: not kept.

    ``longest`` is how many seconds after its grant a request may still arrive over there.
    """

    kind: str
    units: int
    seconds: float
    in_flight: int | None = None
    longest: float = 25.0
    lease: float = 10.0
    spaced: bool = True

    @classmethod
    def of(cls, rules: QueueRules, cap: int | None = None) -> Self:
        """The same rules as the scripts get; ``cap`` is a lower limit that an operator set."""
        units = thousandths(rules.units)
        return cls(
            kind=rules.kind,
            units=units if cap is None else min(units, cap),
            seconds=rules.seconds,
            in_flight=rules.in_flight,
            longest=rules.longest,
            lease=rules.lease,
            spaced=rules.spaced,
        )


class Model:
    """One queue."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.sessions: dict[str, Session] = {}
        self.calls: dict[str, Call] = {}
        self.kept: list[Call] = []  # over, while their charge stands in the window
        self.virtual = 0.0
        self.given = 0
        self.slot = -math.inf
        self.blocked_until = -math.inf
        self.ages = 0
        self.tokens = float(rules.units)
        self.tokens_at = 0.0
        self.grants: list[tuple[str, float]] = []

    # What happens

    def enter(self, now: float, call_id: str, session: str, cost: int, visitor: str = "") -> None:
        """A call comes in."""
        self.sweep(now)
        call = Call(call_id, session, visitor, min(cost, self.rules.units), lease=now + self.rules.lease)
        self.calls[call_id] = call
        s = self.sessions.setdefault(session, Session(session))
        if not self.queue() and now >= self.blocked_until and self.room(call.cost, now):
            s.tag = max(s.tag, self.virtual)
            self.virtual = max(self.virtual, s.tag)
            self.ages += 1
            s.g0, s.t0, s.age = self.given, now, self.ages
            self.grant(s, call, now, direct=True)
            return
        if not s.waiting:
            s.tag = max(s.tag, self.virtual)
            self.ages += 1
            s.g0, s.t0, s.age = self.given, now, self.ages
        s.last = now
        s.add(call)
        self.dispatch(now)

    def done(self, now: float, call_id: str, remaining: int | None = None) -> None:
        """The answer is in."""
        self.sweep(now)
        call = self.calls.get(call_id)
        if call is None or call.granted_at is None:
            return
        if remaining is not None and self.rules.kind == "bucket":
            rate = self.rules.units / self.rules.seconds
            said = remaining + THOUSAND + rate * (now - call.granted_at)
            self.tokens, self.tokens_at = min(self.own(now), said), now
        self.land(call, now)
        del self.calls[call_id]
        if call.expires > now:
            call.expires = now + self.rules.seconds
        self.kept.append(call)
        self.dispatch(now)

    def not_sent(self, now: float, call_id: str) -> None:
        """The request never left."""
        self.sweep(now)
        call = self.calls.get(call_id)
        if call is not None and call.granted_at is not None and not call.lost:
            self.take_back(call, now)
            del self.calls[call_id]
        self.dispatch(now)

    def refused(self, now: float, call_id: str, rest: float) -> None:
        """The platform said "over limit"."""
        self.sweep(now)
        self.blocked_until = max(self.blocked_until, now + rest)
        call = self.calls.get(call_id)
        if call is not None and call.granted_at is not None and not call.lost:
            self.take_back(call, now)
            call.granted_at = None
            call.lease = now + self.rules.lease
            s = self.sessions.setdefault(call.session, Session(call.session))
            s.add(call, first=True)
            s.g0, s.t0, s.age = call.g0, call.t0, call.age
        self.dispatch(now)

    def leave(self, now: float, call_id: str) -> None:
        """Whoever waited goes away."""
        self.sweep(now)
        self.drop(call_id, now)
        self.dispatch(now)

    def renew(self, now: float, call_ids: list[str]) -> None:
        """The process of these calls is still there."""
        for call_id in call_ids:
            if call_id in self.calls:
                self.calls[call_id].lease = now + self.rules.lease
        self.sweep(now)
        self.dispatch(now)

    # What is decided

    def queue(self) -> list[Session]:
        """Sessions that wait, longest first."""
        return sorted((s for s in self.sessions.values() if s.waiting), key=lambda s: s.age)

    def chosen(self, now: float) -> tuple[Session, bool] | None:
        """Whose turn it is, and whether spacing yields to it; None when nobody's is now."""
        waiting = self.queue()
        if not waiting or now < self.blocked_until:
            return None
        units, seconds = self.rules.units, self.rules.seconds
        best = min(waiting, key=lambda s: (s.tag, s.age))
        room = units - max(s.head().cost for s in waiting) + THOUSAND
        ahead = self.given + best.head().cost
        for s in waiting:
            if s is best:
                continue
            ahead += s.head().cost
            if ahead > s.g0 + room:
                best = waiting[0]
                break
        if self.rules.in_flight is not None and now > waiting[0].t0 + seconds:
            best = waiting[0]
        if self.rules.kind == "window" and self.rules.spaced and now < self.slot:
            at = self.slot
            for s in waiting:
                if at > s.t0 + seconds:
                    return waiting[0], True
                at += s.head().cost * seconds / units
            return None
        return best, False

    def dispatch(self, now: float) -> None:
        """Grant as long as somebody's turn has come and there is room."""
        while True:
            choice = self.chosen(now)
            if choice is None or not self.room(choice[0].head().cost, now):
                return
            self.grant(choice[0], choice[0].head(), now, direct=choice[1])

    def grant(self, s: Session, call: Call, now: float, *, direct: bool) -> None:
        """``s`` may make ``call``."""
        tags = [other.tag for other in self.sessions.values() if other.waiting or other is s]
        self.virtual = max(self.virtual, min(tags))
        call.stride = call.cost * (1.0 if s.name == HOUSE_SESSION else 1.0 + s.used / self.rules.units)
        call.g0, call.t0, call.age = s.g0, s.t0, s.age
        s.tag += call.stride
        if s.name != HOUSE_SESSION:
            s.used += call.cost
        self.given += call.cost
        self.ages += 1
        s.g0, s.t0, s.age, s.last = self.given, now, self.ages, now
        step = call.cost * self.rules.seconds / self.rules.units
        self.slot = (
            now + step if direct else max(self.slot, now - 5 * self.rules.seconds * THOUSAND / self.rules.units) + step
        )
        self.tokens, self.tokens_at = self.own(now) - call.cost, now
        call.granted_at, call.under_way = now, True
        call.lease = now + self.rules.lease
        call.expires = now + self.rules.longest + self.rules.seconds
        if call in s.waiting:
            s.remove(call, served=True)
        self.grants.append((call.id, now))

    # What there is

    def charged(self) -> list[Call]:
        """Calls that were granted and may still count."""
        return [c for c in (*self.calls.values(), *self.kept) if c.granted_at is not None]

    def own(self, now: float) -> float:
        """Our own tokens in the bucket."""
        rate = self.rules.units / self.rules.seconds
        travelling = sum(c.cost for c in self.calls.values() if c.under_way)
        full = self.rules.units - travelling
        return min(self.tokens + rate * max(now - self.tokens_at, 0.0), float(full))

    def room(self, cost: int, now: float) -> bool:
        """Whether all ledgers have room for ``cost`` now."""
        under_way = sum(1 for c in self.calls.values() if c.under_way and not c.lost)
        if self.rules.in_flight is not None and under_way >= self.rules.in_flight:
            return False
        if self.rules.kind == "bucket":
            return cost <= self.own(now) + CLOSE
        if self.rules.kind == "window":
            return sum(c.cost for c in self.charged() if c.expires > now) + cost <= self.rules.units
        return True

    def comes_back(self, now: float) -> float:
        """The next moment at which something may happen by itself; infinity when only somebody's act can help."""
        moments = [c.lease for c in self.calls.values()]
        waiting = self.queue()
        if waiting:
            moments += [self.blocked_until, self.slot, waiting[0].t0 + self.rules.seconds + CLOSE]
            moments += [c.expires for c in self.charged()]
            if self.rules.kind == "bucket":
                rate, own = self.rules.units / self.rules.seconds, self.own(now)
                moments += [now + (s.head().cost - own) / rate for s in waiting if s.head().cost > own]
        return min((m for m in moments if m > now), default=math.inf)

    # Cleaning

    def take_back(self, call: Call, now: float) -> None:
        """Undo charge, use and tag of a grant; what was given stays given."""
        s = self.sessions.get(call.session)
        if s is not None:
            s.tag -= call.stride
            if s.name != HOUSE_SESSION:
                s.used = max(s.used - call.cost, 0)
        self.land(call, now)
        call.expires = -math.inf
        self.tokens += call.cost

    def land(self, call: Call, now: float) -> None:
        """It is no longer under way. What the bucket could not take in while it was must not come in afterwards."""
        self.tokens, self.tokens_at = self.own(now), now
        call.under_way = False

    def lose(self, call: Call, now: float) -> None:
        """Its process is gone and its place is free; the charge stays. What it sent may still arrive at a bucket."""
        latest = (call.granted_at or 0.0) + self.rules.longest
        if self.rules.kind == "bucket" and not call.lost and now < latest:
            call.lost, call.lease = True, latest
        else:
            self.land(call, now)
            self.kept.append(self.calls.pop(call.id))

    def drop(self, call_id: str, now: float) -> None:
        """A waiting call goes."""
        call = self.calls.get(call_id)
        if call is not None and call.granted_at is None:
            del self.calls[call_id]
            self.sessions[call.session].remove(call, served=False)
            self.sessions[call.session].last = now

    def sweep(self, now: float) -> None:
        """Forget what ran out: leases, charges, idle sessions."""
        for call in list(self.calls.values()):
            if call.lease <= now:
                if call.granted_at is None:
                    self.drop(call.id, now)
                elif call.under_way:
                    self.lose(call, now)
        self.kept = [c for c in self.kept if c.expires > now]
        for s in list(self.sessions.values()):
            if not s.waiting and s.last + IDLE_SECONDS < now:
                del self.sessions[s.name]
