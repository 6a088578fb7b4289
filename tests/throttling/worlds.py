"""A queue on the real scripts, its askers and a platform in invented time: each grant, arrival and answer at its moment."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.throttling.standins import BucketPlatform, CountingPlatform, WindowPlatform
from tests.throttling.watching import Watch, Watched
from throttling.decisions import Decisions, Entry, Verdict
from throttling.limits import Limit, SlidingWindow, TokenBucket
from throttling.rules import QueueRules
from throttling.store import Store

_NAMES = itertools.count()
BEGIN = 1_000_000.0
# A lease that ends at the moment of another decision is over before it: the script sweeps first.
_ENDS, _ARRIVES, _ANSWERS, _LOOKS, _ENTERS = range(5)


@dataclass(frozen=True, slots=True)
class Ask:
    """A call ``wait`` seconds after the one before it. ``fate``: what becomes of it.

    ``answered`` after ``takes`` seconds; ``leaves`` when it waits ``takes`` seconds; ``dies``: its process is killed ``takes``
    seconds after it asked; ``unsent``: given back ``takes`` seconds after its grant; ``refused``: over limit at first, by
    somebody else's doing. ``sent_after``: seconds between grant and sending; ``travels``: the part of the time until its
    answer (or of the deadline, when it dies) at which it arrives.
    """

    wait: float
    session: str
    visitor: str = ""
    cost: float = 1.0
    takes: float = 0.3
    travels: float = 0.5
    sent_after: float = 0.0
    fate: str = "answered"


@dataclass(slots=True, eq=False)
class Going:
    """A call on its way."""

    ask: Ask
    watched: Watched
    entered_at: float
    fate: str
    leased_at: float
    says_left: float | None = None
    dead: bool = False
    dead_before_its_turn: bool = False
    over: bool = False


@dataclass(slots=True)
class World:
    """One queue with everything that happens to it."""

    decisions: Decisions
    watch: Watch
    says_left: bool = True  # whether answers tell what is left
    now: float = BEGIN
    look_at: float = 1e15
    calls: dict[str, Going] = field(default_factory=dict)
    grants: list[tuple[str, float]] = field(default_factory=list)
    events: list[tuple[float, int, int, str, str]] = field(default_factory=list)
    numbers: itertools.count[int] = field(default_factory=itertools.count)

    async def begin(self, used: Iterable[tuple[str, float, float]] = ()) -> None:
        """Open the queue, with the use (units, seconds since the last call) that sessions bring."""
        self._tick(BEGIN)
        await self.decisions.open("e", 0, used)
        await self.decisions.permit(1e12)

    async def play(self, asks: Iterable[Ask], until: float | None = None) -> None:
        """Let everything happen to its end, or ``until`` seconds after the beginning; then look what the platform saw."""
        at = self.now
        for ask in asks:
            at += ask.wait
            name = f"k{next(self.numbers)}"
            watched = Watched(name, ask.session, ask.visitor, min(ask.cost, self.decisions.rules.units))
            self.calls[name] = Going(ask, watched, at, ask.fate, at)
            self._plan(at, _ENTERS, "enters", name)
        end = BEGIN + until if until is not None else 1e14
        while self.events and self.events[0][0] <= end:
            now, _, _, act, name = heapq.heappop(self.events)
            self._tick(now)
            if act != "looks" or now >= self.look_at:
                await self._happens(act, name)
            if not self.events or self.events[0][0] > now:  # else more happens at this very moment
                self.watch.settled(now)
        self.watch.ends()

    def granted_at(self, name: str) -> float | None:
        """When a call was granted last, in seconds after the beginning."""
        return next((at - BEGIN for call, at in reversed(self.grants) if call == name), None)

    def _tick(self, now: float) -> None:
        self.now = self.watch.now = now
        self.decisions.frozen = now

    def _plan(self, at: float, order: int, act: str, name: str) -> None:
        heapq.heappush(self.events, (at, order, next(self.numbers), act, name))

    async def _happens(self, act: str, name: str) -> None:
        self._leases_run_out()
        await self._renewed_in_time()
        going = self.calls.get(name)
        match act:
            case "looks":
                await self._heard(await self.decisions.renew(self._there()))
            case "enters" if going:
                await self._enters(going)
            case "arrives" if going:
                self._arrives(going)
            case "answers" if going:
                await self._answers(going)
            case "leaves" if going and going.watched.granted_at is None:
                self.watch.leaves(going.watched)
                going.over = True
                await self._heard(await self.decisions.leave(name))
            case "dies" if going and not going.over:
                going.dead = True
                self._plan(going.leased_at + self.decisions.rules.lease, _ENDS, "lease", name)
                if going.watched.granted_at is not None:
                    self._lost(going)
            case "lease" if going:
                await self._lease_ends(going)
            case "cannot arrive" if going:
                self.watch.cannot_arrive(going.watched)
                await self._heard(await self.decisions.renew(self._there()))

    def _living(self) -> list[str]:
        return [n for n, c in self.calls.items() if c.entered_at <= self.now and not c.dead and not c.over]

    def _there(self) -> list[str]:
        """The calls whose process is still there; their leases begin anew."""
        there = self._living()
        for name in there:
            self.calls[name].leased_at = self.now
        return there

    async def _enters(self, going: Going) -> None:
        call, ask = going.watched, going.ask
        entry = Entry(id=call.id, process="p", session=call.session, visitor=call.visitor, cost=ask.cost)
        verdict = await self.decisions.enter(entry)
        if verdict.word == "granted":
            self._granted(going)
        else:
            self.watch.enters(call)
        if going.fate in {"leaves", "dies"}:
            self._plan(self.now + ask.takes, _ENDS, going.fate, call.id)
        await self._heard(verdict)

    async def _heard(self, verdict: Verdict) -> None:
        """Read whose turn came."""
        for message in await self.decisions.messages("p"):
            self._granted(self.calls[message.split("|")[1]])
        self.look_at = verdict.look_at
        if verdict.look_at < 1e15:
            self._plan(max(verdict.look_at, self.now), _LOOKS, "looks", "")

    def _granted(self, going: Going) -> None:
        ask, name = going.ask, going.watched.id
        self.watch.granted(going.watched)
        going.leased_at = self.now
        self.grants.append((name, self.now))
        if going.dead:
            going.dead_before_its_turn = True
            self._lost(going)
        elif going.fate == "unsent":
            self._plan(self.now + min(ask.takes, 5.0), _ANSWERS, "answers", name)
        elif going.fate != "dies":
            sent = self.now + ask.sent_after
            self._plan(sent + ask.takes * ask.travels, _ARRIVES, "arrives", name)
            self._plan(sent + ask.takes, _ANSWERS, "answers", name)

    def _lost(self, going: Going) -> None:
        """Its process died with a turn: what it sent arrives at some moment within the deadline."""
        granted = going.watched.granted_at or self.now
        self.watch.lost()
        sent = granted + going.ask.sent_after
        if sent <= self.now and not going.dead_before_its_turn:
            arrives = max(sent + self.decisions.rules.deadline * going.ask.travels, self.now)
            self._plan(arrives, _ARRIVES, "arrives", going.watched.id)
        self._plan(
            max(granted + self.watch.longest, going.leased_at + self.decisions.rules.lease),
            _ENDS,
            "cannot arrive",
            going.watched.id,
        )

    def _arrives(self, going: Going) -> None:
        if going.fate != "refused":
            going.says_left = self.watch.platform.arrives(self.now, going.ask.cost).remaining

    async def _answers(self, going: Going) -> None:
        name, ask = going.watched.id, going.ask
        if going.fate == "unsent":
            self.watch.taken_back(going.watched)
            going.over = True
            await self._heard(await self.decisions.not_sent(name))
        elif going.fate == "refused":
            self.watch.taken_back(going.watched, self.now + ask.takes)
            going.fate, going.watched.granted_at, going.leased_at = "answered", None, self.now
            await self._heard(await self.decisions.refused(name, ask.takes))
        else:
            self.watch.answered(going.watched)
            going.over = True
            await self._heard(await self.decisions.done(name, going.says_left if self.says_left else None))

    def _leases_run_out(self) -> None:
        """Every decision sweeps first: all leases that end at this moment are over before any of them gives a turn away."""
        for going in self.calls.values():
            if going.dead and not going.over and going.leased_at + self.decisions.rules.lease <= self.now:
                going.over = True
                if going.watched.granted_at is None:
                    self.watch.leaves(going.watched)

    async def _renewed_in_time(self) -> None:
        """A process that lives renews its leases before they end, whatever else happens at that moment."""
        lease = self.decisions.rules.lease
        if any(self.calls[name].leased_at + lease <= self.now for name in self._living()):
            await self._heard(await self.decisions.renew(self._there()))

    async def _lease_ends(self, going: Going) -> None:
        if going.over:
            await self._heard(await self.decisions.renew(self._there()))
        else:
            self._plan(going.leased_at + self.decisions.rules.lease, _ENDS, "lease", going.watched.id)


def platform_for(limit: Limit | None) -> CountingPlatform:
    """A platform that keeps to ``limit`` and begins with a full bucket."""
    match limit:
        case TokenBucket(capacity=units, per_second=rate):
            return BucketPlatform(units, units / rate, tokens=units, at=BEGIN)
        case SlidingWindow(units=units, seconds=seconds):
            return WindowPlatform(units, seconds)
    raise ValueError(limit)


def world(store: Store, limit: Limit, **rules: float) -> World:
    """A fresh queue with ``limit`` and its platform; R14 off."""
    wanted = QueueRules(limit=limit, in_flight=None, most=0, **rules)  # type: ignore[arg-type]  # a test's own numbers
    watch = Watch(wanted.kind, wanted.units, wanted.seconds, platform_for(limit), wanted.longest, spaced=wanted.spaced)
    watch.now = watch.tokens_at = BEGIN
    return World(Decisions(store, f"wereld{next(_NAMES)}", wanted), watch)
