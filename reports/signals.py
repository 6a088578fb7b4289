"""What a process sees of the load: its own pages, what came of asks, and how it writes that down each minute for operators.

Keys are names of figures; no requester, no question, no address is in any of them.
"""

from __future__ import annotations

import asyncio
import bisect
import uuid
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from reports.apart import Apart, StorageLostError
from reports.connections import Held, held
from reports.models import LoadMinute
from throttling.ending import Alongside
from throttling.load import AskState, Event, LoadGate, Overview
from throttling.load_rules import LoadRules, Signal
from throttling.load_signals import PageTimes
from throttling.store import StoreLostError

BOUNDS: Final = (0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0, 2.0, 5.0)
"""Upper bounds, in seconds, of the classes in which pages are counted; one more class for what took longer."""
SEARCH_BOUNDS: Final = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 30.0)
"""The same for searches, which wait for platforms."""
_LOOK: Final = 5.0
PassedOn = Callable[[tuple[Event, ...]], Awaitable[None]]
_MINUTE: Final = timedelta(minutes=1)
_HOUR: Final = 60


@dataclass(frozen=True, slots=True)
class Latest:
    """The gate as it was seen last, with the rules that held, and the connections where they can run out.

    ``silent``: for how many seconds no worker gave a sign of life.
    """

    overview: Overview
    rules: LoadRules
    held: Held | None = None
    silent: float = 0.0

    @property
    def waiting(self) -> int:
        """How many asks wait."""
        return sum(ask.state is AskState.WAITS for ask in self.overview.asks)

    @property
    def oldest(self) -> float:
        """For how many seconds the oldest of them has."""
        waits = (self.overview.now - ask.asked_at for ask in self.overview.asks if ask.state is AskState.WAITS)
        return max(waits, default=0.0)


class Seen:
    """What this process counted: since the beginning (for ``/metrics``), and in this minute (for operators)."""

    def __init__(self) -> None:
        self.pages = PageTimes()
        self.totals: Counter[str] = Counter()
        self.classes = [0] * (len(BOUNDS) + 1)
        self.seconds = 0.0
        self.search_classes = [0] * (len(SEARCH_BOUNDS) + 1)
        self.search_seconds = 0.0
        self.latest: Latest | None = None
        self.past: deque[tuple[datetime, Mapping[str, Any]]] = deque(maxlen=_HOUR)
        self._ways = [0, 0]
        self._minute: Counter[str] = Counter()
        self._minute_classes = [0] * (len(BOUNDS) + 1)
        self._minute_searches = [0] * (len(SEARCH_BOUNDS) + 1)

    def page(self, seconds: float) -> None:
        """A page took so long of our own time."""
        place = bisect.bisect_left(BOUNDS, seconds)
        self.pages.add(seconds)
        self.seconds += seconds
        self.classes[place] += 1
        self._minute_classes[place] += 1

    def search(self, seconds: float) -> None:
        """Whoever searched had all of it after so long."""
        place = bisect.bisect_left(SEARCH_BOUNDS, seconds)
        self.search_seconds += seconds
        self.search_classes[place] += 1
        self._minute_searches[place] += 1

    def way(self, *, unnamed: bool) -> None:
        """A request came in; ``unnamed``: by a proxy that nobody named."""
        self._ways[0] += 1
        self._ways[1] += unnamed

    def count(self, what: str) -> None:
        """Something happened."""
        self.totals[what] += 1
        self._minute[what] += 1

    def take_minute(self) -> dict[str, Any]:
        """What this minute held; the next one begins."""
        found: dict[str, Any] = {
            "counts": dict(self._minute),
            "pages": self._minute_classes,
            "searches": self._minute_searches,
        }
        found["ways"], self._ways = self._ways, [0, 0]
        self._minute, self._minute_classes = Counter(), [0] * (len(BOUNDS) + 1)
        self._minute_searches = [0] * (len(SEARCH_BOUNDS) + 1)
        return found


SEEN: Final = Seen()
"""Of this process."""


def quantile(classes: Sequence[int], share: float, bounds: Sequence[float] = BOUNDS) -> float | None:
    """The time within which that share of pages was made, by the upper bound of its class; None without pages.

    What took longer than all classes counts as twice the last bound.
    """
    wanted, passed = share * sum(classes), 0
    if not sum(classes):
        return None
    for number, bound in zip(classes, (*bounds, bounds[-1] * 2), strict=True):
        passed += number
        if passed >= wanted:
            return bound
    return bounds[-1] * 2


def state_of(seen: Latest) -> dict[str, Any]:
    """What a minute keeps of the gate: how many run and wait, for how long the oldest has, and each signal."""
    return {
        "running": seen.overview.running,
        "waiting": seen.waiting,
        "oldest": seen.oldest,
        "signals": {Signal.SLOTS.value: seen.overview.running / seen.rules.slots}
        | {signal.value: share for signal, (share, _) in seen.overview.signals.items()},
    }


class Noting(Alongside):
    """Writes down each minute of this process, for as long as its context lasts. A minute that cannot be written is lost."""

    def __init__(
        self, seen: Seen, gate: LoadGate, apart: Apart, passed_on: PassedOn, clock: Callable[[], datetime]
    ) -> None:
        self._seen = seen
        self._gate = gate
        self._apart = apart
        self._passed_on = passed_on
        self._process = uuid.uuid4().hex[:12]
        self._clock = clock

    async def note(self, minute: datetime) -> None:
        """Write down the minute that began then."""
        figures = self._seen.take_minute()
        if self._seen.latest is not None:
            figures |= state_of(self._seen.latest)
        self._seen.past.append((minute, figures))
        with suppress(StorageLostError):
            await self._apart.write(_write, minute, self._process, figures)

    async def look(self) -> None:
        """Look at the gate. While the store is lost there is nothing to see."""
        try:
            overview, events = await self._gate.overview(ended=False)
            silent = await self._gate.presence.silent()
        except StoreLostError:
            self._seen.latest = None
            return
        self._seen.latest = Latest(overview, self._gate.rules, await self._held(), silent)
        await self._passed_on(events)

    async def _held(self) -> Held | None:
        """None also while the database is away."""
        try:
            return await self._apart(held, self._gate.rules)
        except StorageLostError:
            return None

    async def _go_on(self) -> None:
        minute = _minute(self._clock())
        while True:
            await self.look()
            await asyncio.sleep(_LOOK)
            now = _minute(self._clock())
            if now != minute:
                await self.note(minute)
                minute = now


def _minute(at: datetime) -> datetime:
    return at.replace(second=0, microsecond=0)


def _write(minute: datetime, process: str, figures: Mapping[str, Any]) -> None:
    LoadMinute.objects.update_or_create(minute=minute, process=process, defaults={"figures": figures})
