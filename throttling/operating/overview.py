"""One queue as operators look at it: its ledgers, who waits since when, what each gets. Pure: a snapshot in, values out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from throttling import forecast
from throttling.callers import HOUSE_SESSION
from throttling.operating import words
from throttling.operating.queues import Queue
from throttling.operating.reading import Seen
from throttling.rules import THOUSAND, thousandths
from throttling.snapshot import SessionNow, Snapshot

MOST_ROWS: Final = 50
"""How many sessions a page shows; those that wait longest come first."""
_MOST_TO_FORETELL: Final = (
    6000  # waiting calls times waiting sessions: beyond, running ahead takes longer than a page may
)


class Condition(StrEnum):
    """How a queue fares, in a word."""

    OFF = "uit"
    CLOSED = "gesloten"
    RESTS = "rust"
    BROKEN = "storing"
    QUEUED = "rij"
    FREE = "vrij"
    NEW = "nieuw"
    UNKNOWN = "onbekend"


_CONDITIONS: Final[Mapping[Condition, str]] = MappingProxyType(
    {
        Condition.OFF: "uitgezet",
        Condition.CLOSED: "gesloten, want de opslag wist niet meer wat er was gevraagd",
        Condition.RESTS: "rust, want de bron vroeg daarom",
        Condition.BROKEN: "storing: de bron gaf steeds geen antwoord",
        Condition.QUEUED: "er staat een rij",
        Condition.FREE: "vrij",
        Condition.NEW: "nog niets gevraagd",
        Condition.UNKNOWN: "niet te zien",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRow:
    """One session at a queue. ``first`` and ``last`` are when its calls will probably start, empty when that is not known.

    ``weight`` is 1/(1+u/L), ``share`` its part of what is given while these sessions wait.
    """

    key: str
    since: datetime | None
    waited: str
    waiting: int
    under_way: int
    others: int
    used: str
    weight: str
    share: str
    visitors: int
    first: str
    last: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueView:
    """One queue on a page. Where ``known`` is false the store says nothing of it, and only the names are right."""

    queue: Queue
    condition: Condition
    waiting: int = 0
    eldest: str = ""
    under_way: int = 0
    room: str = ""
    limit: str = ""
    cap: str = ""
    off: str = ""
    until: datetime | None = None
    next_slot: str = ""
    permit: str = ""
    breaker: bool = False
    rows: tuple[SessionRow, ...] = ()
    more: int = 0

    @property
    def known(self) -> bool:
        """Whether the store knows this queue."""
        return self.condition not in {Condition.NEW, Condition.UNKNOWN}

    @property
    def words(self) -> str:
        """How the queue fares."""
        return _CONDITIONS[self.condition]

    @property
    def most(self) -> str:
        """The usual limit, in units."""
        return words.number(self.queue.rules.units)

    @property
    def id(self) -> str:
        """What the page calls it in its own links."""
        return f"rij-{self.queue.service}"


def unread(queue: Queue, condition: Condition) -> QueueView:
    """A queue of which the store says nothing."""
    return QueueView(queue=queue, condition=condition, limit=_limit(queue))


def view(queue: Queue, seen: Seen, at: datetime, *, closely: bool) -> QueueView:
    """The queue at ``at``, the time of day of that look. ``closely``: with its sessions, and when they will start."""
    snapshot = seen.snapshot
    waits = [s for s in snapshot.sessions if s.waiting]
    eldest = max((snapshot.now - s.t0 for s in waits), default=None)
    condition, seconds = _condition(snapshot, seen.trial_in)
    rows = tuple(_rows(queue, snapshot, at)) if closely else ()
    return QueueView(
        queue=queue,
        condition=condition,
        waiting=snapshot.waiting,
        eldest="" if eldest is None else words.seconds(eldest),
        under_way=snapshot.flying,
        room=_room(queue, snapshot),
        limit=_limit(queue),
        cap="" if snapshot.cap is None else words.units(snapshot.cap),
        off=snapshot.off,
        until=None if seconds is None else at + timedelta(seconds=seconds),
        next_slot=_in(snapshot.slot - snapshot.now) if queue.rules.kind == "window" and waits else "",
        permit=_in(snapshot.may_until - snapshot.now),
        breaker=seen.trial_in is not None,
        rows=rows[:MOST_ROWS],
        more=len(rows[MOST_ROWS:]),
    )


def _limit(queue: Queue) -> str:
    return words.limit(queue.rules.limit, queue.rules.in_flight)


def _in(seconds: float) -> str:
    return words.seconds(seconds) if seconds > 0 else ""


def _condition(snapshot: Snapshot, trial_in: float | None) -> tuple[Condition, float | None]:
    """The first that applies, and for how many seconds."""
    if snapshot.off:
        return Condition.OFF, None
    if snapshot.now < snapshot.closed:
        return Condition.CLOSED, snapshot.closed - snapshot.now
    if snapshot.now < snapshot.blocked:
        return Condition.RESTS, snapshot.blocked - snapshot.now
    if trial_in is not None:
        return Condition.BROKEN, trial_in
    return (Condition.QUEUED if snapshot.waiting else Condition.FREE), None


def _units(queue: Queue, snapshot: Snapshot) -> int:
    """The limit that holds now, in thousandths."""
    usual = thousandths(queue.rules.units)
    return usual if snapshot.cap is None else min(usual, snapshot.cap)


def _room(queue: Queue, snapshot: Snapshot) -> str:
    """What is left of a bucket, or used of a window."""
    limit = _units(queue, snapshot)
    match queue.rules.kind:
        case "bucket":
            grown = snapshot.tokens + limit / queue.rules.seconds * max(snapshot.now - snapshot.tokens_at, 0.0)
            left = max(min(grown, limit - snapshot.travelling), 0.0)
            return f"{words.number(int(left / THOUSAND * 10) / 10)} van {words.units(limit)} eenheden over"
        case "window":
            return f"{words.units(snapshot.charged)} van {words.units(limit)} eenheden gebruikt"
        case _:
            return "alleen het aantal tegelijk telt"


def _rows(queue: Queue, snapshot: Snapshot, at: datetime) -> list[SessionRow]:
    """Who waits, longest first, then who has a call under way, then who used most lately."""
    limit = _units(queue, snapshot)
    weights = {s.name: _weight(s, limit) for s in snapshot.sessions}
    total = sum(weights[s.name] for s in snapshot.sessions if s.waiting)
    starts = _starts(queue, snapshot)
    states: dict[str, Counter[str]] = {}
    for call in snapshot.calls:
        states.setdefault(call.session, Counter())[call.state] += 1
    order = sorted(snapshot.sessions, key=lambda s: (not s.waiting, s.t0 if s.waiting else -s.last))
    return [
        SessionRow(
            key=words.short_key(s.name),
            since=at - timedelta(seconds=snapshot.now - s.t0) if s.waiting else None,
            waited=words.seconds(snapshot.now - s.t0) if s.waiting else "",
            waiting=s.waiting,
            under_way=states.get(s.name, Counter())["onderweg"],
            others=states.get(s.name, Counter())["volgt"] + states.get(s.name, Counter())["geparkeerd"],
            used="telt niet" if s.name == HOUSE_SESSION else words.units(s.used),
            weight=words.number(weights[s.name]),
            share=words.percent(weights[s.name] / total) if s.waiting else "",
            visitors=len(snapshot.visitors) if s.name == HOUSE_SESSION else 0,
            first=_in_words(min(starts.get(s.name, ()), default=None)),
            last=_in_words(max(starts.get(s.name, ()), default=None)),
        )
        for s in order
    ]


def _weight(session: SessionNow, limit: int) -> float:
    """1/(1+u/L) (rule R2); the house's use does not count (rule R10)."""
    return 1.0 if session.name == HOUSE_SESSION else 1 / (1 + session.used / limit)


def _starts(queue: Queue, snapshot: Snapshot) -> dict[str, list[float]]:
    """The seconds until each waiting call will probably start, by session; nothing when there are too many to say."""
    sessions = sum(1 for s in snapshot.sessions if s.waiting)
    if snapshot.waiting * sessions > _MOST_TO_FORETELL:
        return {}
    whose = {call.id: call.session for call in snapshot.calls}
    found: dict[str, list[float]] = {}
    for call, seconds in forecast.starts(snapshot, queue.rules).items():
        found.setdefault(whose[call], []).append(seconds)
    return found


def _in_words(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return "later dan 10 min" if seconds >= forecast.HORIZON else f"over {words.seconds(seconds)}"
