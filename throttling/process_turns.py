"""Turns for one process: first come, first served, within a window and a number under way.

It keeps the limits where one process asks a platform. The fair order over sessions, and the count over processes and machines,
come with the outgoing queue (design page on turns); this module then goes. Until then each process keeps to a ``share``.

A charge stays until a whole window after the answer, because the platform counts arrivals and not our grants.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from throttling.callers import Caller
from throttling.limits import Limit, TokenBucket
from throttling.turns import OnWait, TurnRefusedError

_MAX_WAITING: Final = 200
_MAX_ESTIMATE_SECONDS: Final = 600.0
_MOMENT_SECONDS: Final = 1.0  # what a wait for a place among the calls under way is estimated at


@dataclass(frozen=True, slots=True)
class ServiceLimits:
    """What one service bears: calls under way at once, and units in a time (None: no number is known)."""

    in_flight: int
    limit: Limit | None = None

    @property
    def units(self) -> float:
        """Units in one window."""
        match self.limit:
            case None:
                return float("inf")
            case TokenBucket(capacity=units):
                return units
            case window:
                return window.units

    @property
    def seconds(self) -> float:
        """The length of the window: for a bucket the time in which it fills up."""
        match self.limit:
            case None:
                return 0.0
            case TokenBucket(capacity=units, per_second=rate):
                return units / rate
            case window:
                return window.seconds


@dataclass(slots=True, eq=False)
class _Charge:
    cost: float
    ends: float | None = None  # None while the call is under way


@dataclass(slots=True, eq=False)
class _Place:
    cost: float
    granted: asyncio.Future[_Charge]


@dataclass(slots=True)
class _Queue:
    limits: ServiceLimits
    units: float  # this process's share of the limit's units
    charges: list[_Charge] = field(default_factory=list)
    waiting: deque[_Place] = field(default_factory=deque)
    under_way: int = 0
    blocked_until: float = 0.0
    wake: asyncio.TimerHandle | None = None

    def has_room(self, cost: float, now: float) -> bool:
        self.charges = [charge for charge in self.charges if charge.ends is None or charge.ends > now]
        fits = self.used + cost <= self.units
        return fits and self.under_way < self.limits.in_flight and now >= self.blocked_until

    @property
    def used(self) -> float:
        return sum(charge.cost for charge in self.charges)

    def grant(self, cost: float) -> _Charge:
        charge = _Charge(cost)
        self.charges.append(charge)
        self.under_way += 1
        return charge

    def estimate(self, cost: float, now: float) -> float:
        """Seconds until a call that comes now will probably start."""
        blocked = max(self.blocked_until - now, 0.0)
        ahead = sum(place.cost for place in self.waiting)
        missing = self.used + ahead + cost - self.units
        if missing <= 0:
            return max(blocked, _MOMENT_SECONDS)
        rounds, rest = divmod(missing - 1, self.units)
        ends = sorted(charge.ends for charge in self.charges if charge.ends is not None)
        first = ends[min(int(rest), len(ends) - 1)] - now if ends else self.limits.seconds
        return max(blocked, first + rounds * self.limits.seconds)


@dataclass(slots=True)
class _Turn:
    """The turn handed out; what is said of it counts when it ends."""

    retry_after: float | None = None
    left: bool = True

    def refused(self, retry_after: float) -> None:
        """The platform said "over limit"."""
        self.retry_after = retry_after

    def not_sent(self) -> None:
        """The request never left."""
        self.left = False


class ProcessTurns:
    """Turns of this process at all services. ``share`` is the part of each limit that this process may use."""

    def __init__(self, services: Mapping[str, ServiceLimits], *, share: float = 1.0) -> None:
        self._queues = {name: _Queue(limits, limits.units * share) for name, limits in services.items()}

    @asynccontextmanager
    async def turn(self, service: str, caller: Caller, *, cost: float, on_wait: OnWait) -> AsyncIterator[_Turn]:
        """Wait for a turn at ``service`` and hold it; see ``Turns.turn``."""
        del caller  # first come, first served: who asks makes no difference yet
        queue = self._queues[service]
        charge = await self._enter(service, queue, min(cost, queue.units), on_wait)
        turn = _Turn()
        try:
            yield turn
        finally:
            self._end(queue, charge, turn)

    async def _enter(self, service: str, queue: _Queue, cost: float, on_wait: OnWait) -> _Charge:
        loop = asyncio.get_running_loop()
        if not queue.waiting and queue.has_room(cost, loop.time()):
            return queue.grant(cost)
        estimate = queue.estimate(cost, loop.time())
        if len(queue.waiting) >= _MAX_WAITING or estimate > _MAX_ESTIMATE_SECONDS:
            raise TurnRefusedError(service, estimate)
        place = _Place(cost, loop.create_future())
        queue.waiting.append(place)
        on_wait(estimate)
        self._dispatch(queue)
        try:
            return await place.granted
        except asyncio.CancelledError:
            if place.granted.done() and not place.granted.cancelled():
                self._end(queue, place.granted.result(), _Turn(left=False))
            else:
                if place in queue.waiting:
                    queue.waiting.remove(place)
                self._dispatch(queue)
            raise

    def _end(self, queue: _Queue, charge: _Charge, turn: _Turn) -> None:
        now = asyncio.get_running_loop().time()
        queue.under_way -= 1
        if turn.retry_after is not None:
            queue.blocked_until = max(queue.blocked_until, now + turn.retry_after)
        if turn.left and turn.retry_after is None:
            charge.ends = now + queue.limits.seconds
        else:
            queue.charges.remove(charge)
        self._dispatch(queue)

    def _dispatch(self, queue: _Queue) -> None:
        """Grant as long as the first in line fits, then come back when a charge ends."""
        loop = asyncio.get_running_loop()
        if queue.wake is not None:
            queue.wake.cancel()
            queue.wake = None
        while queue.waiting and queue.has_room(queue.waiting[0].cost, loop.time()):
            place = queue.waiting.popleft()
            if not place.granted.cancelled():
                place.granted.set_result(queue.grant(place.cost))
        if not queue.waiting:
            return
        moments = [queue.blocked_until, *(charge.ends for charge in queue.charges if charge.ends is not None)]
        later = [moment for moment in moments if moment > loop.time()]
        if later:
            queue.wake = loop.call_at(min(later), self._dispatch, queue)
