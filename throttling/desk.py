"""One queue as one process lives with it: who waits here, whose leases are renewed, when to look again.

Every process does this for all: each of its calls lets the script give turns to whoever's turn it is, in any process. So there
is no leader, and a process that dies leaves nothing behind but leases that run out.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import uuid
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, Final

import structlog

from throttling import forecast
from throttling.decisions import Decisions, Entry, QueueLostError, Verdict
from throttling.foretold import Foretold
from throttling.memory import Memory
from throttling.places import Grant, Place
from throttling.rules import STALE_SECONDS
from throttling.snapshot import Snapshot, read_snapshot
from throttling.store import StoreLostError, monotonic, wall
from throttling.turns import Expected, OnWait, Outcome, TurnRefusedError, TurnsClosedError

log = structlog.get_logger(__name__)
PERMIT_SECONDS: Final = 30.0
_EARLY: Final = 10.0  # how long before a permit ends the next is written
_LONGEST_WAIT: Final = 600.0
_AGAIN: Final = 0.25  # how long to leave a store alone that does not answer
_CLOSING: Final = 2.0  # seconds for what is still being said to the store


@dataclass(slots=True)
class Desk:
    """One queue in this process."""

    name: str
    decisions: Decisions
    memory: Memory
    process: str
    waiting: dict[str, Place] = field(default_factory=dict)
    held: set[str] = field(default_factory=set)
    flights: set[str] = field(default_factory=set)
    may_until: float = 0.0
    epoch: str = ""
    _numbers: itertools.count[int] = field(default_factory=itertools.count)
    _listener: asyncio.Task[None] | None = None
    _looker: asyncio.Task[None] | None = None
    _look: asyncio.Event = field(default_factory=asyncio.Event)
    _look_at: float = float("inf")
    _estimator: asyncio.Task[None] | None = None
    _permitting: asyncio.Lock = field(default_factory=asyncio.Lock)
    _loose: set[asyncio.Task[Any]] = field(default_factory=set)

    # Coming in

    def new_id(self) -> str:
        """An id for a call that no other process gives."""
        return f"{self.process}.{next(self._numbers)}"

    async def enter(self, entry: Entry, on_wait: OnWait) -> Grant | Outcome:
        """Wait for the turn of a call: its grant, or how another asker's call ended.

        Cancelling gives the place up.
        """
        place = Place(entry, on_wait, asyncio.get_running_loop().create_future())
        return await self._wait(place, self._enter(place))

    async def resume(self, entry: Entry, on_wait: OnWait) -> Grant | Outcome:
        """Wait for the next turn of a call that was put back in its old place."""
        place = Place(entry, on_wait, asyncio.get_running_loop().create_future(), epoch=self.epoch)
        return await self._wait(place, self._look_at_place(place))

    async def _look_at_place(self, place: Place) -> None:
        await self._note_or_reopen(self.decisions.renew([place.entry.id]))
        self._wait_for_turns()

    async def _wait(self, place: Place, beginning: Coroutine[Any, Any, None]) -> Grant | Outcome:
        """Wait in ``place`` from its ``beginning`` on; who stops waiting gives it up."""
        self.waiting[place.entry.id] = place
        try:
            await beginning
            return await self._granted(place)
        except asyncio.CancelledError:
            self.start(self._quietly(self.decisions.leave(place.entry.id)))
            raise
        finally:
            self.waiting.pop(place.entry.id, None)

    async def _granted(self, place: Place) -> Grant | Outcome:
        """The end of the wait, with a grant that was slept through given back and waited for again."""
        while True:
            ended = await place.ended
            if isinstance(ended, Outcome) or self.decisions.age(ended.at) <= STALE_SECONDS:
                if not isinstance(ended, Outcome):
                    self.held.add(place.entry.id)
                    self._flies(place.entry)
                    self._started(place)
                return ended
            place.ended = asyncio.get_running_loop().create_future()
            await self._note_or_reopen(self.decisions.again(place.entry.id))
            self._wait_for_turns()

    def _flies(self, entry: Entry) -> None:
        if entry.flight:
            self.flights.add(f"v:{entry.flight}")

    def _started(self, place: Place) -> None:
        """Keep what it was told beside what came of it: the bookkeeper compares them."""
        if place.foretold is not None:
            self.start(self._came_true(place.foretold))

    async def _came_true(self, foretold: Foretold) -> None:
        with contextlib.suppress(StoreLostError):
            await self.decisions.came_true(foretold)

    async def _enter(self, place: Place) -> None:
        try:
            await self.permit(2.0)
            verdict = await self._entered(place.entry)
        except (StoreLostError, QueueLostError):
            raise TurnsClosedError(self.name) from None
        place.epoch = verdict.epoch
        match verdict.word:
            case "granted" | "landed" if place.ended.done():
                await self._quietly(self.decisions.not_sent(place.entry.id))  # its asker left meanwhile
            case "granted" | "landed":
                place.ended.set_result(Grant(verdict.now, is_first=verdict.word == "granted"))
            case "waits" | "follows":
                self._wait_for_turns()
                if verdict.word == "waits":
                    place.owed = True
                    self._estimate_soon()
            case "off":
                raise TurnsClosedError(self.name, text=verdict.off)
            case "full":
                raise TurnRefusedError(self.name, await self._last_start())
            case _:
                raise TurnsClosedError(self.name, retry_after=max(verdict.rests_until - verdict.now, 1.0))

    async def _entered(self, entry: Entry) -> Verdict:
        try:
            return self._note(await self.decisions.enter(entry))
        except QueueLostError:
            await self.reopen()
            return self._note(await self.decisions.enter(entry))

    # Going out

    async def answered(self, call: str, remaining: float | None) -> None:
        """The answer to a call is in."""
        await self._out(call, self.decisions.done(call, remaining))

    async def not_sent(self, entry: Entry) -> None:
        """A granted call never left."""
        self.flights.discard(f"v:{entry.flight}")
        await self._out(entry.id, self.decisions.not_sent(entry.id))

    async def refused(self, entry: Entry, rest: float) -> None:
        """The platform wants rest; the call is back in its old place until its lease runs out."""
        self.flights.discard(f"v:{entry.flight}")
        await self._out(entry.id, self.decisions.refused(entry.id, rest))

    async def land(self, entry: Entry, outcome: Outcome) -> None:
        """A shared call is over."""
        self.flights.discard(f"v:{entry.flight}")
        await self._quietly(self.decisions.land(entry.flight, entry.id, outcome.failure))

    async def _out(self, call: str, decision: Coroutine[Any, Any, Verdict]) -> None:
        self.held.discard(call)
        await self._quietly(decision)

    async def _quietly(self, decision: Coroutine[Any, Any, Verdict]) -> None:
        """Say it to the store; when that is lost, leases and deadlines say it later."""
        with contextlib.suppress(StoreLostError, QueueLostError):
            self._note(await decision)

    # Waiting

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something beside whoever asks, and remember it until it is done."""
        task = self._begin(work)
        self._loose.add(task)
        task.add_done_callback(self._loose.discard)
        return task

    def _begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Work that nobody awaits: a fault in it must not pass unseen."""
        task = asyncio.get_running_loop().create_task(work)
        task.add_done_callback(self._over)
        return task

    def _over(self, task: asyncio.Task[None]) -> None:
        failure = None if task.cancelled() else task.exception()
        if failure is not None:
            log.error("queue_broken", queue=self.name, exc_info=failure)
            self._close_all()

    def _note(self, verdict: Verdict) -> Verdict:
        """Remember when to look again and until when grants are allowed."""
        self.may_until = verdict.may_until
        if verdict.epoch != self.epoch:
            self.epoch = verdict.epoch
            self.start(self._enter_again())
        moment = monotonic() + max(verdict.look_at - verdict.now, 0.0)
        if self.waiting or self.held:
            self._look_at = moment
            self._look.set()
            if self._looker is None or self._looker.done():
                self._looker = self._begin(self._keep_looking())
        return verdict

    async def _note_or_reopen(self, decision: Coroutine[Any, Any, Verdict]) -> None:
        try:
            self._note(await decision)
        except QueueLostError:
            await self.reopen()
            self._note(await self.decisions.renew())

    async def _enter_again(self) -> None:
        """Those whose place went with a lost state come in anew, whoever noticed the loss."""
        for place in list(self.waiting.values()):
            if place.epoch in {"", self.epoch} or place.ended.done():
                continue
            place.epoch = ""
            try:
                await self._enter(place)
            except (TurnRefusedError, TurnsClosedError) as failure:
                if not place.ended.done():
                    place.ended.set_exception(failure)

    def _wait_for_turns(self) -> None:
        if self._listener is None or self._listener.done():
            self._listener = self._begin(self._listen())

    async def _listen(self) -> None:
        """Hear whose turn came, as long as anybody here waits."""
        lost_at: float | None = None
        while self.waiting:
            try:
                message = await self.decisions.told(self.process)
                lost_at = None
            except StoreLostError:
                lost_at = lost_at or monotonic()
                if monotonic() - lost_at > self.decisions.rules.lease:
                    self._close_all()
                    return
                await asyncio.sleep(_AGAIN)
                continue
            if message is not None:
                self._hear(message)

    def _hear(self, message: str) -> None:
        word, call, rest = message.split("|", 2)
        place = self.waiting.get(call)
        if place is None or place.ended.done():
            if word == "g" and call not in self.held:
                self.start(self._quietly(self.decisions.not_sent(call)))  # its asker left while the turn came
            return
        match word:
            case "g":
                place.ended.set_result(Grant(float(rest)))
            case "o":
                place.ended.set_result(Outcome(rest))
            case _:
                place.ended.set_exception(TurnsClosedError(self.name, text=rest))

    def _close_all(self) -> None:
        for place in self.waiting.values():
            if not place.ended.done():
                place.ended.set_exception(TurnsClosedError(self.name))

    async def _keep_looking(self) -> None:
        """Renew leases and look again whenever the script said so, as long as there is anybody to do it for."""
        every = self.decisions.rules.lease / 3
        while self.waiting or self.held:
            self._look.clear()
            seconds = min(max(self._look_at - monotonic(), 0.0), every)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._look.wait()
                    continue
            try:
                await self.permit(_EARLY)
                self._look_at = float("inf")
                await self._note_or_reopen(self.decisions.renew([*self.waiting, *self.held, *self.flights]))
                self._tell_again()
            except StoreLostError:
                await asyncio.sleep(_AGAIN)
            except TurnsClosedError:
                self._close_all()

    # Until when

    async def permit(self, left: float) -> None:
        """See to it that grants are allowed for ``left`` seconds more: the database first, then the store."""
        if self.decisions.age(self.may_until) < -left:
            return
        async with self._permitting:
            try:
                verdict = self._note(await self.decisions.renew())
            except QueueLostError:
                await self.reopen()
            else:
                if verdict.may_until - verdict.now > left:
                    return  # another process saw to it
            began = monotonic()
            await self.memory.allow(self.name, wall() + PERMIT_SECONDS)
            self._note(await self.decisions.permit(PERMIT_SECONDS - (monotonic() - began)))

    async def reopen(self) -> None:
        """Begin the queue again after its state was lost, and on a fresh installation for the first time.

        After a loss it stays closed until everything that may have been sent is forgotten over there.
        """
        until = await self.memory.may_send_until(self.name)
        rules = self.decisions.rules
        closed_for = 0.0 if until is None else max(until - wall(), 0.0) + rules.longest + rules.seconds
        used = [(u.session, u.units, u.idle) for u in await self.memory.used(self.name)]
        if await self.decisions.open(uuid.uuid4().hex, closed_for, used) is not None:
            log.warning("queue_begun", queue=self.name, closed_for=closed_for)
            wanted = await self.memory.operator_settings(self.name)
            if wanted.off:
                await self.decisions.operate("off", wanted.off)
            if wanted.cap is not None:
                await self.decisions.operate("cap", str(wanted.cap))

    # Saying when

    def _estimate_soon(self) -> None:
        if self._estimator is None or self._estimator.done():
            self._estimator = self._begin(self._estimate())

    def _tell_again(self) -> None:
        """See to it that those hear an estimate who heard none yet, or wait longer than they were told."""
        late = [place for place in self.waiting.values() if (place.owed or place.is_late) and not place.ended.done()]
        for place in late:
            place.owed = True
        if late:
            self._estimate_soon()

    async def _estimate(self) -> None:
        """Tell those who are owed it when they will probably start; refuse a newcomer whom it would take too long."""
        while untold := [place for place in self.waiting.values() if place.owed and not place.ended.done()]:
            try:
                begin = await self._starts()
            except (StoreLostError, QueueLostError):
                return
            for place in untold:
                place.owed = False
                expected = begin.get(place.entry.id)
                if expected is None or place.ended.done():
                    continue
                if expected.seconds > _LONGEST_WAIT and place.first is None:
                    place.ended.set_exception(TurnRefusedError(self.name, expected.seconds))
                    self.start(self._quietly(self.decisions.leave(place.entry.id)))
                else:
                    place.tell(expected)

    async def _starts(self) -> dict[str, Expected]:
        snapshot = await self.snapshot()
        starts = await asyncio.to_thread(forecast.starts, snapshot, self.decisions.rules)
        return {call: Expected(seconds, place) for place, (call, seconds) in enumerate(starts.items(), 1)}

    async def _last_start(self) -> float:
        """When the last of those who wait will probably start."""
        try:
            return max((expected.seconds for expected in (await self._starts()).values()), default=1.0)
        except (StoreLostError, QueueLostError):
            return _LONGEST_WAIT

    async def snapshot(self) -> Snapshot:
        """The queue as it is. Raises ``StoreLostError`` and ``QueueLostError``."""
        return read_snapshot(await self.decisions.look())

    async def aclose(self) -> None:
        """Leave the queue: nothing of this process waits, listens or looks any more."""
        for call in list(self.waiting):
            await self._quietly(self.decisions.leave(call))
        if self._loose:
            await asyncio.wait(self._loose, timeout=_CLOSING)
        tasks = [t for t in (self._listener, self._looker, self._estimator, *self._loose) if t is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
