"""How busy it is, measured: each process says what it sees of its machine and of itself, smoothed (rules L3 and L4)."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType, TracebackType
from typing import Final

import psutil
import structlog

from throttling.ending import Alongside
from throttling.load import Event, LoadGate
from throttling.load_rules import LoadRules, Signal
from throttling.store import StoreLostError, monotonic

log = structlog.get_logger(__name__)

EVERY = 1.0
"""Seconds between two looks."""
PAGE_MOST: Final = 2.0
"""The highest share of one look at pages: a single page that took a minute says no more than one that took a second."""
FADES_OVER: Final = 120.0
"""Seconds after which a share of which nothing is seen has gone for the most part."""
_UNSEEN_MOST: Final = 3.0

Gauge = Callable[[LoadRules], Awaitable[float | None]]
"""The share of one signal at this moment, 0 and up, by the targets of the rules; None when there was nothing to see it by.
Raises ``OSError`` when it cannot be seen now."""


class Smoothed:
    """A share that follows what is seen with a delay, from 0 on, whatever time lies between two looks."""

    def __init__(self) -> None:
        self.value = 0.0
        self._at: float | None = None
        self._faded: float | None = None
        self.seen_at: float | None = None
        """When there was something to see; None before that."""

    def follow(self, share: float, now: float, over: float) -> float:
        """Take in what was seen at ``now``; after ``over`` seconds it has come through for the most part.

        The first look only begins: nobody knows since when it is so.
        """
        weight = 0.0 if self._at is None else 1 - math.exp(-max(now - self._at, 0.0) / over)
        self._at = self._faded = self.seen_at = now
        self.value += weight * (share - self.value)
        return self.value

    def fade(self, now: float) -> float:
        """Nothing was there to see at ``now``: it goes slowly, and what is seen next counts for some seconds at most."""
        if self._faded is not None:
            self.value *= math.exp(-max(now - self._faded, 0.0) / FADES_OVER)
        self._faded = now
        self._at = max(now - _UNSEEN_MOST, self._at if self._at is not None else now)
        return self.value


class PageTimes:
    """Our own time for pages since the last look, waits for platforms left out, against the target."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self._pages = 0

    def add(self, seconds: float) -> None:
        """A page took so long."""
        self._seconds += seconds
        self._pages += 1

    async def share(self, rules: LoadRules) -> float | None:
        """Their mean since the last look, as a share, at most ``PAGE_MOST``; None when there was no page."""
        seconds, pages = self._seconds, self._pages
        self._seconds, self._pages = 0.0, 0
        return min(seconds / pages / rules.page_target, PAGE_MOST) if pages else None


async def processor_share(_: LoadRules) -> float:
    """The busy share of all cores of this machine since the last look; the first sees nothing."""
    busy: float = psutil.cpu_percent(interval=None)
    return busy / 100


class Measuring(Alongside):
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

    @property
    def shares(self) -> Mapping[Signal, float]:
        """What was seen last, smoothed."""
        return MappingProxyType({signal: one.value for signal, one in self._smoothed.items()})

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """What a process that ends saw last must not count any more."""
        await super().__aexit__(kind, error, trace)
        await self._tell({})

    async def look(self) -> None:
        """Look once, and tell."""
        now, rules = self._clock(), self._gate.rules
        unseen: dict[Signal, float] = {}
        for signal, gauge in self._gauges.items():
            try:
                share = await gauge(rules)
            except OSError as failure:
                log.warning("load_unseen", signal=signal.value, failure=type(failure).__name__)
                continue
            one = self._smoothed[signal]
            if share is not None:
                one.follow(share, now, rules.smoothing)
                continue
            one.fade(now)
            if one.seen_at is not None:
                unseen[signal] = now - one.seen_at
        await self._tell(self.shares, unseen)

    async def _tell(self, shares: Mapping[Signal, float], unseen: Mapping[Signal, float] | None = None) -> None:
        try:
            events = await self._gate.measure(self._process, shares, unseen)
        except StoreLostError:
            log.warning("load_not_told")
            return
        if events:
            await self._passed_on(events)

    async def _go_on(self) -> None:
        while True:
            await self.look()
            await asyncio.sleep(EVERY)
