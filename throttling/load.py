"""Heavy work that may wait gives way to what is urgent: the gate in the store, one script a decision (rules L1-L12).

An *ask* is what a requester has: an unguessable address, a place, a state. A *run* is the computation that answers it, and
those of others who asked for the same. Every answer carries events: runs that were started by it and must be sent to a worker,
asks that waited too long, runs that failed. Whoever gets an answer passes its events on; a start that is lost comes back when
its lease ends.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from throttling.load_rules import LoadRules, Signal
from throttling.presence import Presence
from throttling.reckoning import Reckoner, invented
from throttling.store import Store, StoreLostError, monotonic
from throttling.work import Work

PREFIX: Final = "druk:"
_NONSENSE: Final = "not an answer of ours"
_UNKNOWN: Final = -1.0


class EventKind(StrEnum):
    """What a decision brought about."""

    START = "start"
    """A run has a slot: a worker must begin it."""
    REFUSED = "refused"
    """An ask waited as long as may be."""
    UNMADE = "unmade"
    """An ask waited as long as may be, and no worker was there."""
    FAILED = "failed"
    """A run lost its worker too often."""


@dataclass(frozen=True, slots=True)
class Event:
    """``id`` is a run's, of a refusal an ask's."""

    kind: EventKind
    id: str


class Answer(StrEnum):
    """What comes of an ask."""

    STARTS = "starts"
    WAITS = "waits"
    JOINS = "joins"
    """The same run is under way for somebody else."""
    READY = "ready"
    """The same run was done for somebody else, not long ago."""
    SAME = "same"
    """This requester has asked for it already."""
    REFUSED = "refused"


class Reason(StrEnum):
    """Why an ask is refused."""

    HOUR = "uur"
    """As many in an hour as one requester may (L12)."""
    FULL = "vol"
    """It is too busy without any run (L8)."""
    WAIT = "wacht"
    """It would wait longer than may be (L6)."""
    QUEUE = "rij"
    """As many are open as may be, of all requesters together."""
    NO_WORKER = "geen-werker"
    """It waited longer than may be (L6), and not for others: no worker was there."""
    UNKNOWN = "onbekend"
    """Another version said why, in a word that this one does not know; or it kept no account of why."""

    @classmethod
    def read(cls, word: str) -> Reason:
        """What a script answered as ``word``: processes of several versions share one state while one follows another."""
        try:
            return cls(word)
        except ValueError:
            return cls.UNKNOWN


LATE: Final = (Reason.WAIT, Reason.NO_WORKER)
"""Why an ask is refused that waited."""


class AskState(StrEnum):
    """How it stands with an ask."""

    WAITS = "waits"
    RUNS = "runs"
    READY = "ready"
    FAILED = "failed"
    REFUSED = "refused"
    CANCELLED = "cancelled"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The answer to an ask. ``start_in`` seconds, None when nobody can tell; ``come_back`` seconds, for a refusal."""

    answer: Answer
    ask: str = ""
    run: str = ""
    place: int = 0
    start_in: float | None = None
    reason: Reason | None = None
    come_back: float = 0.0
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """An ask as it stands at ``now`` of the store's clock. ``told``: the start that was foretold when it was asked for.

    ``started_at``: since when it has its slot, or a worker has it. ``reason``: why it was refused after it waited.
    ``left_at``: since when what has a slot has no worker; None where one has it, and where it has no slot.
    ``unmanned``: no worker took what has a slot, for a lease at least, and none has anything else.
    ``failure``: why it failed, as its worker said; empty where none did. ``heard_at``: when its worker last gave a sign of
    life; None where it has none.
    """

    id: str
    run: str
    state: AskState
    place: int
    start_in: float | None
    done: int
    size: int
    requester: str
    asked_at: float
    told: float | None
    started_at: float | None
    deaths: int
    now: float
    reason: Reason | None = None
    unmanned: bool = False
    left_at: float | None = None
    failure: str = ""
    heard_at: float | None = None

    @property
    def has_worker(self) -> bool:
        """Whether a worker is at it."""
        return self.state is AskState.RUNS and self.left_at is None


@dataclass(frozen=True, slots=True)
class Taken:
    """What a worker begins with: how many died before it, and that they left ``done`` of ``size`` parts."""

    deaths: int
    done: int
    size: int


@dataclass(frozen=True, slots=True)
class Waited:
    """How one of the last asks waited: from ``asked`` until ``began``, None for who did so in vain. ``group`` of requesters."""

    group: str
    asked: float
    began: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """Everything at ``now``.

    ``signals``: share, and whether it is shut. Of the last hour by requester: ``used`` report seconds, ``asked`` asks,
    ``turned_away`` asks that were refused at once.
    ``told``: when asked, foretold and begun, None for who waited in vain. ``late``: how many did so in the last hour, by why;
    ``late_ever`` as long as the store remembers. ``unmanned``: no worker takes what has a slot (``Standing``).
    """

    now: float
    running: int
    most: int
    asks: tuple[Standing, ...]
    signals: Mapping[Signal, tuple[float, bool]]
    used: Mapping[str, float]
    told: tuple[tuple[float, float, float | None], ...]
    pace: float
    asked: Mapping[str, int] = field(default_factory=dict)
    turned_away: Mapping[str, int] = field(default_factory=dict)
    waited: tuple[Waited, ...] = ()
    late: Mapping[Reason, int] = field(default_factory=dict)
    late_ever: Mapping[Reason, int] = field(default_factory=dict)
    unmanned: bool = False


class NeverWaitsError(ValueError):
    """Work that is declared urgent was brought to a gate."""


class LoadGate:
    """The decisions, over ``store``. ``frozen`` is a test's own clock. Every method raises ``StoreLostError``.

    ``presence``: whether anybody is there to do the work. ``work``: what it holds back. Raises ``NeverWaitsError`` for what
    never waits for load (rules L1 and L8).
    """

    def __init__(self, store: Store, rules: LoadRules, name: str = "rapporten", work: Work | None = None) -> None:
        if work is not None and not work.may_wait():
            raise NeverWaitsError(work.name)
        self.rules = rules
        self.frozen: float | None = None
        self._store = store
        self.key = f"{PREFIX}{{{name}}}:"
        self.presence = Presence(store, name)
        self._reckoner = Reckoner(lambda: monotonic())  # noqa: PLW0108 - looked up each time: tests move it

    async def ask(  # noqa: PLR0913, PLR0917 - what the script is told, in its order
        self, ask: str, requester: str, digest: str, run: str, size: int, kind: str = ""
    ) -> Asked:
        """Ask for a run. ``digest`` says what is asked for, and by which version; ``size`` how many parts it probably has.

        ``run`` is the name of a new computation; the answer names the one that counts. What a part takes is learnt of each
        ``kind`` by itself: there are few of them.
        """
        word, _, events, *said = await self._run("ask", ask, requester, digest, run, str(size), kind)
        answer = Answer(word)
        if answer is Answer.REFUSED:
            return Asked(answer=answer, reason=Reason.read(said[0]), come_back=float(said[1]), events=events)
        if answer is Answer.SAME:
            return Asked(answer=answer, ask=said[0], run=said[1], events=events)
        return Asked(
            answer=answer, ask=said[0], run=said[1], place=int(said[2]), start_in=_known(said[3]), events=events
        )

    async def take(self, run: str, worker: str) -> tuple[Taken | None, tuple[Event, ...]]:
        """A worker begins: what it begins with, None when the run is not to be begun by this one."""
        word, _, events, *said = await self._run("take", run, worker)
        return (Taken(*map(int, said)) if word == "yes" else None), events

    async def renew(
        self, run: str, worker: str, done: int, size: int, left: float | None = None
    ) -> tuple[str, tuple[Event, ...]]:
        """A worker goes on: ``on``, ``stop`` (cancelled) or ``lost``. ``left``: how many seconds still, where it can tell."""
        seconds = _UNKNOWN if left is None else left
        word, _, events, *_ = await self._run("renew", run, worker, str(done), str(size), repr(float(seconds)))
        return word, events

    async def done(self, run: str, worker: str, outcome: AskState, why: str = "") -> tuple[bool, tuple[Event, ...]]:
        """A worker ends, ready, failed or stopped. False: its lease had ended, and what it made does not count.

        ``why`` it failed, in a word of who asks for the run: whoever looks finds it, where it stands nowhere else.
        """
        word, _, events, *_ = await self._run("done", run, worker, outcome.value, why)
        return word == "done", events

    async def give_back(self, run: str, worker: str) -> tuple[bool, tuple[Event, ...]]:
        """A worker that must end leaves its run to another, which is no death (L10). False: its lease had ended."""
        word, _, events, *_ = await self._run("back", run, worker)
        return word == "back", events

    async def cancel(self, ask: str) -> tuple[AskState | None, tuple[Event, ...]]:
        """Somebody does not want it any more. The state of the ask from now on; None when it is not known (any more)."""
        word, _, events, *_ = await self._run("cancel", ask)
        return (None if word == "unknown" else AskState(word)), events

    async def forget(self, ask: str = "", *, run: str = "") -> tuple[Event, ...]:
        """An ask, or else a run with all its asks, is written down nowhere: it answers nobody any more."""
        answer = await self._run("forget", ask, run)
        events: tuple[Event, ...] = answer[2]
        return events

    async def measure(
        self, process: str, shares: Mapping[Signal, float], unseen: Mapping[Signal, float] | None = None
    ) -> tuple[Event, ...]:
        """What a process measures, smoothed; nothing when it ends: what it said before counts no more.

        ``unseen``: of which there has been nothing to see it by for so many seconds. What was last seen beside a run says
        nothing about a machine without runs (rule L8).
        """
        parts = [part for signal, share in shares.items() for part in (signal.value, repr(float(share)))]
        for signal, seconds in (unseen or {}).items():
            parts += [f"{signal}:ongezien", repr(float(seconds))]
        answer = await self._run("measure", process, *parts)
        events: tuple[Event, ...] = answer[2]
        return events

    async def see(self, ask: str) -> tuple[Standing | None, tuple[Event, ...]]:
        """How it stands with an ask; None when it is not known (any more)."""
        word, now, events, *said = await self._run("see", ask)
        return (_standing(said[0], now) if word == "seen" else None), events

    async def overview(self, *, ended: bool = True) -> tuple[Overview, tuple[Event, ...]]:
        """Everything, for operators. Keys of requesters, never a question. ``ended``: with asks that ended not long ago."""
        answer = await self._run("see", "", *(("1",) if ended else ()))
        _, now, events, running, most, asks, signals, used, asked, told, pace, late, away, unmanned = answer
        return (
            Overview(
                now=now,
                running=running,
                most=most,
                asks=tuple(_standing(one, now) for one in asks),
                signals={Signal(name): (share, shut) for name, share, shut in signals},
                used=dict(used),
                told=tuple((float(at), float(start), _known(real)) for at, start, real, _ in told if start != _UNKNOWN),
                pace=pace,
                asked=dict(asked),
                turned_away=dict(away),
                waited=tuple(Waited(group, float(at), _known(real)) for at, _, real, group in told),
                late=_by_why((why, lately) for why, lately, _ in late),
                late_ever=_by_why((why, ever) for why, _, ever in late),
                unmanned=bool(unmanned),
            ),
            events,
        )

    async def _run(self, decision: str, *arguments: str) -> tuple[Any, ...]:
        clock, began = self._reckoner.text() if self.frozen is None else invented(self.frozen), monotonic()
        raw = await self._store.run(f"load_{decision}", self.key, (clock, self.rules.text(), *arguments))
        self._reckoner.travelled(monotonic() - began)
        try:
            word, now, events, *said = json.loads(raw)
            answer = (word, float(now), tuple(Event(EventKind(kind), name) for kind, name in events), *said)
        except (TypeError, ValueError) as failure:
            raise StoreLostError(_NONSENSE) from failure
        if self.frozen is None:
            self._reckoner.heard(answer[1])
        return answer


def _known(seconds: float) -> float | None:
    return None if seconds == _UNKNOWN else float(seconds)


def _by_why(rows: Iterable[tuple[str, int]]) -> Mapping[Reason, int]:
    """How many for each reason; words that are not known here are one."""
    found: Counter[Reason] = Counter()
    for why, number in rows:
        found[Reason.read(why)] += int(number)
    return {why: number for why, number in found.items() if number}


def _standing(row: list[Any], now: float) -> Standing:
    ask, run, state, place, start_in, done, size, requester, asked_at, told, started_at, deaths, why, *more = row
    left_at, alone, heard_at = more
    failed = state == AskState.FAILED
    return Standing(
        id=ask,
        run=run,
        state=AskState(state),
        place=int(place),
        start_in=_known(start_in),
        done=int(done),
        size=int(size),
        requester=requester,
        asked_at=float(asked_at),
        told=_known(told),
        started_at=_known(started_at),
        deaths=int(deaths),
        now=now,
        reason=Reason.read(why) if why and not failed else None,
        failure=why if failed else "",
        unmanned=bool(alone),
        left_at=_known(left_at),
        heard_at=_known(heard_at),
    )
