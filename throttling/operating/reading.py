"""The way to queues in the store, over a connection of its own and with a bound: a page does not hang on a store that does."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from throttling.breaker import StoreBreaker
from throttling.decisions import Decisions, QueueLostError
from throttling.operating.queues import Queue
from throttling.reckoning import Reckoning
from throttling.snapshot import Snapshot, read_snapshot
from throttling.store import Store, StoreLostError

BOUND_SECONDS: Final = 3.0
_T = TypeVar("_T")


class NoStoreError(Exception):
    """The store does not answer in time, or not with an answer."""


@dataclass(frozen=True, slots=True)
class Desk:
    """One queue in the store, and the breaker of its service."""

    queue: Decisions
    breaker: StoreBreaker
    service: str


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen of one queue. ``trial_in``: seconds until its breaker lets one call try, None while it is closed."""

    snapshot: Snapshot
    trial_in: float | None


class SeesQueue(Protocol):
    """The turns of this process (``throttling.outgoing.Outgoing``)."""

    async def snapshot(self, service: str) -> Snapshot:
        """The state of one queue."""


class SeesBreaker(Protocol):
    """The breakers of this process (``throttling.breaker``)."""

    async def reopens_in(self, service: str) -> float | None:
        """Seconds until the breaker of ``service`` lets one call try; None while it is closed."""


async def look_beside(turns: SeesQueue, breaker: SeesBreaker, service: str) -> Seen | None:
    """One queue, seen over the connection that this process has already; None for one that the store does not know (yet).

    Raises ``NoStoreError``, also for a state that cannot be read.
    """
    try:
        async with asyncio.timeout(BOUND_SECONDS):
            return Seen(await turns.snapshot(service), await breaker.reopens_in(service))
    except QueueLostError:
        return None
    except (TimeoutError, StoreLostError, ValueError, KeyError, IndexError) as failure:
        raise NoStoreError(type(failure).__name__) from failure


class Reader:
    """Looks at queues in the store at ``address``. Keep one for as long as the process lives: it keeps time between looks.

    A look lets time pass in a queue. A clock of the server that jumped must not pass for time that went by, so each look says
    what time it should be by the look before.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._reckonings: dict[str, Reckoning] = {}

    def look(self, queues: Iterable[Queue]) -> Mapping[str, Seen | None]:
        """Each queue as it is, None for one that the store does not know (yet). Raises ``NoStoreError``."""
        return self.run(queues, _look)

    def run(self, queues: Iterable[Queue], work: Callable[[Desk], Awaitable[_T]]) -> Mapping[str, _T | None]:
        """What ``work`` gives for each queue, None for one that the store does not know. Raises ``NoStoreError``."""
        return asyncio.run(self._bounded(tuple(queues), work))

    async def _bounded(self, queues: tuple[Queue, ...], work: Callable[[Desk], Awaitable[_T]]) -> dict[str, _T | None]:
        try:
            async with asyncio.timeout(BOUND_SECONDS), Store(self._address) as store:
                found = await asyncio.gather(*(self._one(store, queue, work) for queue in queues))
        except (TimeoutError, StoreLostError) as failure:
            raise NoStoreError(type(failure).__name__) from failure
        return {queue.name: one for queue, one in zip(queues, found, strict=True)}

    async def _one(self, store: Store, queue: Queue, work: Callable[[Desk], Awaitable[_T]]) -> _T | None:
        decisions = Decisions(store, queue.name, queue.rules)
        decisions.reckoning = self._reckonings.get(queue.name)
        try:
            return await work(Desk(decisions, StoreBreaker(store), queue.name))
        except QueueLostError:
            return None
        finally:
            if decisions.reckoning is not None:
                self._reckonings[queue.name] = decisions.reckoning


async def _look(desk: Desk) -> Seen:
    await desk.queue.renew()
    answer = await desk.queue.look()
    try:
        snapshot = read_snapshot(answer)
    except (KeyError, TypeError, ValueError) as failure:
        raise StoreLostError(type(failure).__name__) from failure
    return Seen(snapshot, await desk.breaker.reopens_in(desk.service))
