"""The stand-in's own count of what a client may ask: the bucket that the platform publishes (platform page, section 2).

Counted in thousandths of a unit, one bucket for each client address. Not ``throttling`` on purpose: it must catch our mistakes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

CAPACITY = 60_000
REFILL_PER_SECOND = 1_000
_CHEAP_PAGE = re.compile(r"/pdf/page/[0-9]+$")
_FREE_PATHS = ("/api/admin/", "/api/ops")
_FREE_RESULTS, _MOST_RESULTS, _PER_RESULT = 24, 100, 4
_IDLE_SECONDS = 120.0
_ROUNDING = 6


def cost(path: str, limit: str | None) -> int:
    """What a call to ``path`` costs, in thousandths. ``limit`` is the parameter as it came."""
    if _CHEAP_PAGE.search(path):
        return 125
    if path != "/api/search" or limit is None or not re.fullmatch(r"[0-9]{1,9}", limit):
        return 1_000
    return 1_000 + max(0, min(int(limit), _MOST_RESULTS) - _FREE_RESULTS) * _PER_RESULT


def is_counted(path: str) -> bool:
    """Whether calls to ``path`` are counted at all."""
    return path.startswith("/api/") and not path.startswith(_FREE_PATHS)


@dataclass(slots=True)
class _Level:
    thousandths: float
    at: float


@dataclass(frozen=True, slots=True)
class Charge:
    """What became of a charge: whether it was granted, and what the headers say. ``retry_after`` is 0 when granted."""

    granted: bool
    remaining: int
    reset: int
    retry_after: int

    def headers(self) -> dict[str, str]:
        """The headers of every counted answer."""
        found = {
            "ratelimit-limit": str(CAPACITY // 1_000),
            "ratelimit-remaining": str(self.remaining),
            "ratelimit-reset": str(self.reset),
        }
        return found if self.granted else {**found, "retry-after": str(self.retry_after)}


class Buckets:
    """One bucket for each client address."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._levels: dict[str, _Level] = {}

    def charge(self, client: str, thousandths: int) -> Charge:
        """Take ``thousandths`` from the client's bucket, or refuse and take nothing."""
        now = self._clock()
        self._sweep(now)
        level = self._levels.setdefault(client, _Level(CAPACITY, now))
        level.thousandths = min(CAPACITY, level.thousandths + (now - level.at) * REFILL_PER_SECOND)
        level.at = now
        missing = thousandths - level.thousandths
        granted = missing <= 0
        if granted:
            level.thousandths -= thousandths
        return Charge(
            granted=granted,
            remaining=int(level.thousandths // 1_000),
            reset=_seconds(CAPACITY - level.thousandths),
            retry_after=0 if granted else max(1, _seconds(missing)),
        )

    def _sweep(self, now: float) -> None:
        idle = [client for client, level in self._levels.items() if now - level.at > _IDLE_SECONDS]
        for client in idle:
            del self._levels[client]


def _seconds(thousandths: float) -> int:
    """The seconds in which so much is refilled, rounded up; what the clock's own rounding adds is no second."""
    return math.ceil(round(thousandths / REFILL_PER_SECOND, _ROUNDING))
