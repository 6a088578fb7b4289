"""How busy it is, measured: each process says what it sees of its machine and of itself, smoothed (rules L3 and L4)."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType, TracebackType
from typing import Final, Self

import psutil
import structlog

from throttling.ending import end
from throttling.load import Event, LoadGate
from throttling.load_rules import Signal
from throttling.store import StoreLostError, monotonic

log = structlog.get_logger(__name__)

SMOOTHED_OVER: Final = 10.0
"""Seconds after which a change has come through for the most part."""
EVERY = 1.0
"""Seconds between two looks."""
PAGE_TARGET: Final = 0.5
"""Seconds that a page may take of our own time: a share of 1."""

Gauge = Callable[[], Awaitable[float]]
"""The share of one signal at this moment, 0 and up. Raises ``OSError`` when it cannot be seen now."""


class Smoothed:
    """A share that follows what is seen with a delay, whatever time lies between two looks."""

    def __init__(self, over: float = SMOOTHED_OVER) -> None:
        self.value = 0.0
        self._over = over
        self._at: float | None = None

    def follow(self, share: float, now: float) -> float:
        """Take in what was seen at ``now``; the first look counts in full."""
        weight = 1.0 if self._at is None else 1 - math.exp(-max(now - self._at, 0.0) / self._over)
        self._at = now
        self.value += weight * (share - self.value)
        return self.value


class PageTimes:
    """Our own time for pages since the last look, waits for platforms left out, against the target."""

    def __init__(self, target: float = PAGE_TARGET) -> None:
        self._target = target
        self._seconds = 0.0
        self._pages = 0

    def add(self, seconds: float) -> None:
        """A page took so long."""
        self._seconds += seconds
        self._pages += 1

    async def share(self) -> float:
        """Their mean since the last look, as a share; 0 when there was no page."""
        mean = self._seconds / max(self._pages, 1)
        self._seconds, self._pages = 0.0, 0
        return mean / self._target


async def processor_share() -> float:
    """The busy share of all cores of this machine since the last look; the first sees nothing."""
    busy: float = psutil.cpu_percent(interval=None)
    return busy / 100


class Measuring:
    """Looks at every gauge and tells the gate, for as long as its context lasts. ``passed_on`` gets what that brings about.

    A gauge that cannot be seen counts as before; while the store is lost nothing is told, and nothing is decided.
    """

    def __init__(
        self,
        gate: LoadGate,
        process: str,
        gauges: Mapping[Signal, Gauge],
        passed_on: Callable[[tuple[Event, ...]], Awaitable[None]],
        *,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._gate = gate
        self._process = process
        self._gauges = gauges
        self._passed_on = passed_on
        self._clock = clock
        self._smoothed = {signal: Smoothed() for signal in gauges}
        self._work: asyncio.Task[None] | None = None

    @property
    def shares(self) -> Mapping[Signal, float]:
        """What was seen last, smoothed."""
        return MappingProxyType({signal: one.value for signal, one in self._smoothed.items()})

    async def __aenter__(self) -> Self:
        self._work = asyncio.get_running_loop().create_task(self._keep_looking())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._work is not None:
            await end(self._work)

    async def look(self) -> None:
        """Look once, and tell."""
        now = self._clock()
        for signal, gauge in self._gauges.items():
            try:
                self._smoothed[signal].follow(await gauge(), now)
            except OSError as failure:
                log.warning("load_unseen", signal=signal.value, failure=type(failure).__name__)
        try:
            events = await self._gate.measure(self._process, self.shares)
        except StoreLostError:
            log.warning("load_not_told")
            return
        if events:
            await self._passed_on(events)

    async def _keep_looking(self) -> None:
        while True:
            await self.look()
            await asyncio.sleep(EVERY)
