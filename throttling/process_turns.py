"""Turns for one process: first come, first served, within a limit and a number under way.

It keeps the limits where one process asks a platform. The fair order over sessions, and the count over processes and machines,
come with the outgoing queue (design page on turns); this module then goes. Until then each process keeps to a ``share``.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from throttling.callers import Caller
from throttling.ledgers import Charge, Ledger, ledger_for
from throttling.limits import Limit, TokenBucket
from throttling.turns import OnWait, Outcome, TurnRefusedError, Wanted

_MAX_WAITING: Final = 200
_MAX_ESTIMATE_SECONDS: Final = 600.0
_MOMENT_SECONDS: Final = 1.0  # what a wait for a place among the calls under way is estimated at
_CLOSE: Final = 1e-9


@dataclass(frozen=True, slots=True)
class ServiceLimits:
    """What one service bears: calls under way at once, and units in a time (None: no number is known)."""

    in_flight: int
    limit: Limit | None = None

    @property
    def units_a_second(self) -> float:
        """What the limit allows in the long run."""
        match self.limit:
            case None:
                return float("inf")
            case TokenBucket(per_second=rate):
                return rate
            case window:
                return window.units / window.seconds


@dataclass(slots=True, eq=False)
class _Place:
    cost: float
    granted: asyncio.Future[Charge]


@dataclass(slots=True)
class _Queue:
    limits: ServiceLimits
    ledger: Ledger
    units_a_second: float
    waiting: deque[_Place] = field(default_factory=deque)
    under_way: int = 0
    blocked_until: float = 0.0
    wake: asyncio.TimerHandle | None = None
    charged: float = 0.0

    def has_room(self, cost: float, now: float) -> bool:
        fits = cost <= self.ledger.free(now) + _CLOSE
        return fits and self.under_way < self.limits.in_flight and now >= self.blocked_until

    def grant(self, cost: float, now: float) -> Charge:
        charge = Charge(cost)
        self.ledger.charge(charge, now)
        self.under_way += 1
        self.charged += cost
        return charge

    def estimate(self, cost: float, now: float) -> float:
        """Seconds until a call that comes now will probably start."""
        blocked = max(self.blocked_until - now, 0.0)
        ahead = sum(place.cost for place in self.waiting)
        whole = min(ahead + cost, self.ledger.units)
        at = self.ledger.free_at(whole, now)
        first = _MOMENT_SECONDS if at is None else at - now
        return max(blocked, first + (ahead + cost - whole) / self.units_a_second, _MOMENT_SECONDS)


@dataclass(slots=True)
class _Turn:
    """The turn handed out; what is said of it counts when it ends."""

    retry_after: float | None = None
    left: bool = True
    outcome: Outcome | None = None

    def answered(self, remaining: float | None) -> None:
        """The ledgers of one process count by themselves."""

    def refused(self, retry_after: float) -> None:
        """The platform said "over limit"."""
        self.retry_after = retry_after

    def not_sent(self) -> None:
        """The request never left."""
        self.left = False

    async def share(self, outcome: Outcome) -> None:
        """Nobody else of this process waits for the same call."""


class ProcessTurns:
    """Turns of this process at all services. ``share`` is the part of each limit that this process may use."""

    def __init__(self, services: Mapping[str, ServiceLimits], *, share: float = 1.0) -> None:
        self._queues = {
            name: _Queue(limits, ledger_for(limits.limit, share), limits.units_a_second * share)
            for name, limits in services.items()
        }

    def pause(self) -> float:
        """Seconds in which the share gives back everything that was charged, at the service where that takes longest."""
        return max((queue.charged / queue.units_a_second for queue in self._queues.values()), default=0.0)

    @asynccontextmanager
    async def turn(self, wanted: Wanted, caller: Caller, on_wait: OnWait) -> AsyncIterator[_Turn]:
        """Wait for a turn at ``service`` and hold it; see ``Turns.turn``. Flights are not shared here."""
        del caller  # first come, first served: who asks makes no difference yet
        queue = self._queues[wanted.service]
        charge = await self._enter(wanted.service, queue, min(wanted.cost, queue.ledger.units), on_wait)
        turn = _Turn()
        try:
            yield turn
        finally:
            self._end(queue, charge, turn)

    async def _enter(self, service: str, queue: _Queue, cost: float, on_wait: OnWait) -> Charge:
        loop = asyncio.get_running_loop()
        if not queue.waiting and queue.has_room(cost, loop.time()):
            return queue.grant(cost, loop.time())
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

    def _end(self, queue: _Queue, charge: Charge, turn: _Turn) -> None:
        now = asyncio.get_running_loop().time()
        queue.under_way -= 1
        if turn.retry_after is not None:
            queue.blocked_until = max(queue.blocked_until, now + turn.retry_after)
        if turn.left and turn.retry_after is None:
            queue.ledger.settle(charge, now)
        else:
            queue.ledger.take_back(charge, now)
        self._dispatch(queue)

    def _dispatch(self, queue: _Queue) -> None:
        """Grant as long as the first in line fits, then come back when there will be room."""
        loop = asyncio.get_running_loop()
        if queue.wake is not None:
            queue.wake.cancel()
            queue.wake = None
        while queue.waiting and queue.has_room(queue.waiting[0].cost, loop.time()):
            place = queue.waiting.popleft()
            if not place.granted.cancelled():
                place.granted.set_result(queue.grant(place.cost, loop.time()))
        if not queue.waiting or queue.under_way >= queue.limits.in_flight:
            return  # the next answer comes back here
        at = queue.ledger.free_at(queue.waiting[0].cost, loop.time())
        if at is not None:
            # A little later than exactly: a timer may fire early by a rounding.
            queue.wake = loop.call_at(max(at, queue.blocked_until) + _CLOSE * 1000, self._dispatch, queue)
