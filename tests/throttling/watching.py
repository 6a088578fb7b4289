"""What must hold of a queue, watched from outside: it knows calls, grants and answers, and none of the scripts' keys.

Each watch follows the words of the design page (invariants 1 to 8) and speaks by raising ``BrokenError`` with the invariant.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from tests.throttling.standins import CountingPlatform
from throttling.callers import HOUSE_SESSION

CLOSE = 1e-6


class BrokenError(AssertionError):
    """An invariant does not hold: its name, and where."""


@dataclass(slots=True, eq=False)
class Watched:
    """A call as the watch knows it. ``cost`` is what it may be charged at most."""

    id: str
    session: str
    visitor: str
    cost: float
    granted_at: float | None = None
    free_at: float = math.inf  # when its charge in a window ends


@dataclass(slots=True)
class Gap:
    """A session's wait since it began to wait or was last served, and what may excuse it from its floor."""

    since: float
    crowded: bool = False
    rested: bool = False
    sessions: int = 1
    dearest: float = 0.0


@dataclass(slots=True)
class Watch:
    """One queue. ``longest``: how long after its grant a request may still arrive, in seconds; ``own_time``: how long one did
    take at most. ``spaced``: room may be left unused.
    """

    kind: str
    units: float
    seconds: float
    platform: CountingPlatform
    longest: float
    spaced: bool = True
    now: float = 0.0
    rests_until: float = -math.inf
    own_time: float = 0.0
    rows: dict[tuple[str, str], list[Watched]] = field(default_factory=dict)
    gaps: dict[str, Gap] = field(default_factory=dict)
    charged: dict[str, Watched] = field(default_factory=dict)
    tokens: float = math.inf
    tokens_at: float = 0.0
    worst_gap: float = 0.0

    # What happens

    def enters(self, call: Watched) -> None:
        self._appends(call, 10**9)

    def leaves(self, call: Watched) -> None:
        self._removes(call, served=False)

    def granted(self, call: Watched) -> None:
        """2: order within a session, a visitor in the house; own maintenance of the house last."""
        row = self.rows.get((call.session, call.visitor), [])
        if row and row[0] is not call:
            raise BrokenError(f"2: {call.id} passed {row[0].id} of its own row")  # noqa: EM102, TRY003
        if row:
            self._maintenance_is_last(call)
            self._on_time(call)
            self._removes(call, served=True)
        call.granted_at, call.free_at = self.now, self.now + self.longest + self.seconds
        self.tokens, self.tokens_at = self._own() - call.cost, self.now
        self.charged[call.id] = call

    def answered(self, call: Watched) -> None:
        self._lands()
        if call.granted_at is not None:
            self.own_time = max(self.own_time, self.now - call.granted_at)
        call.free_at = self.now + self.seconds
        if self.kind == "bucket":
            self.charged.pop(call.id, None)

    def lost(self) -> None:
        """A process is gone with a turn in its hand: the charge stands until nothing of it can arrive any more."""
        self.own_time = max(self.own_time, self.longest)

    def cannot_arrive(self, call: Watched) -> None:
        """Nothing of this lost call can arrive any more."""
        self._lands()
        if self.kind == "bucket":
            self.charged.pop(call.id, None)

    def taken_back(self, call: Watched, rests_until: float | None = None) -> None:
        """It was not sent, or (with a rest) refused, and then waits again at the head of its row."""
        if call.granted_at is not None:
            self.own_time = max(self.own_time, self.now - call.granted_at)
        self._lands()
        self.tokens += call.cost
        self.charged.pop(call.id, None)
        if rests_until is None:
            return
        self.rests_until = max(self.rests_until, rests_until)
        self._appends(call, 0)
        for gap in self.gaps.values():
            gap.rested = True

    def settled(self, now: float) -> None:
        """All decisions of this moment were taken: what must hold between events."""
        self.now = now
        heads = self._heads()
        self._nothing_idle(heads)
        if not heads:
            return
        crowd, dearest = sum(heads.values()), max(heads.values())
        for name in heads:
            gap = self.gaps[name]
            gap.crowded = gap.crowded or crowd > self.units - dearest + 0.001 + CLOSE
            gap.sessions, gap.dearest = max(gap.sessions, len(heads)), max(gap.dearest, dearest)

    def ends(self) -> None:
        """1: the platform never counted more than its limit."""
        if self.platform.over() > 0:
            raise BrokenError(f"1: the platform saw {self.platform.over():g} units too many")  # noqa: EM102, TRY003

    # What must hold

    def _on_time(self, call: Watched) -> None:
        """4: the floor. 5: longest waiting first when there are more sessions than fit."""
        gap = self.gaps.get(call.session)
        if gap is None or gap.rested:
            return
        waited = self.now - gap.since
        self.worst_gap = max(self.worst_gap, waited)
        turns = math.ceil(gap.sessions * gap.dearest / (self.units - gap.dearest + 0.001)) if gap.crowded else 1
        # Each round takes the platform's refill time and what the charges of that round stand without an answer.
        if waited > turns * (self.seconds + self.own_time) + CLOSE:
            number = 5 if gap.crowded else 4
            raise BrokenError(f"{number}: {call.session} waited {waited:g} s of {self.seconds:g}")  # noqa: EM102, TRY003

    def _maintenance_is_last(self, call: Watched) -> None:
        others = [v for (s, v), row in self.rows.items() if s == HOUSE_SESSION and v and row]
        if call.session == HOUSE_SESSION and not call.visitor and others and self.rows.get((HOUSE_SESSION, "")):
            raise BrokenError("2: own maintenance went before a visitor")  # noqa: EM101, TRY003

    def _nothing_idle(self, heads: dict[str, float]) -> None:
        """3: no idle room while somebody waits, except for spacing."""
        if not heads or self.now < self.rests_until or (self.spaced and self.kind == "window"):
            return
        dearest = max(heads.values())
        if self.kind == "window":
            free = self.units - sum(c.cost for c in self.charged.values() if c.free_at > self.now - CLOSE)
        else:
            free = self._own()
        if dearest < free - 0.001:
            raise BrokenError(f"3: {free:g} units idle at {self.now:g} while {sorted(heads)} wait")  # noqa: EM102, TRY003

    # What there is

    def _heads(self) -> dict[str, float]:
        """The dearest possible head of each waiting session."""
        heads: dict[str, float] = {}
        for (session, _), row in self.rows.items():
            if row:
                dearest = max(c.cost for c in row) if session == HOUSE_SESSION else row[0].cost
                heads[session] = max(heads.get(session, 0.0), dearest)
        return heads

    def _own(self) -> float:
        travelling = sum(c.cost for c in self.charged.values())
        grown = self.tokens + (self.now - self.tokens_at) * self.units / self.seconds
        return min(grown, self.units - travelling)

    def _lands(self) -> None:
        if self.kind == "bucket":
            self.tokens, self.tokens_at = self._own(), self.now

    def _appends(self, call: Watched, place: int) -> None:
        if not any(row for (session, _), row in self.rows.items() if session == call.session):
            self.gaps[call.session] = Gap(self.now)
        self.rows.setdefault((call.session, call.visitor), []).insert(place, call)

    def _removes(self, call: Watched, *, served: bool) -> None:
        row = self.rows.get((call.session, call.visitor), [])
        if call in row:
            row.remove(call)
            if served:
                self.gaps[call.session] = Gap(self.now)
