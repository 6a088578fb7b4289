"""Limits that one process keeps by itself: the one on all it does, and the stricter ones while the store is lost."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from throttling.incoming_rules import Rate

MOST: Final = 10_000
"""So many keys a table holds; all that do not fit share one."""
_OVERFLOW: Final = ""


class Meter:
    """One limit, in memory."""

    __slots__ = ("_at", "rate")

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self._at = 0

    def ahead(self, now: int) -> int:
        """How far its moment lies ahead of ``now``, in microseconds."""
        return self.rate.ahead(self._at, now)

    def take(self, now: int) -> bool:
        """Take a unit; False when there is none."""
        ahead = self.rate.ahead(self._at, now)
        if self.rate.wait(ahead) > 0:
            self._at = now + ahead
            return False
        self._at = now + ahead + self.rate.step
        return True

    def give_back(self) -> None:
        """What was taken was not used."""
        self._at -= self.rate.step


class Table:
    """Limits by key. It holds at most ``most`` keys, the ones used longest ago leave first.

    A key that still owes is not forgotten for another: that would let whoever has many keys clear his own. New keys then share
    one limit.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._moments: OrderedDict[str, int] = OrderedDict()

    def __len__(self) -> int:
        """How many keys it holds."""
        return len(self._moments)

    def ahead(self, key: str, rate: Rate, now: int) -> int:
        """How far the moment of ``key`` lies ahead of ``now``."""
        return rate.ahead(self._moments.get(self._place(key, now), 0), now)

    def put(self, key: str, ahead: int, now: int) -> None:
        """The moment of ``key`` lies ``ahead`` from now on."""
        place = self._place(key, now)
        self._moments[place] = now + ahead
        self._moments.move_to_end(place)

    def _place(self, key: str, now: int) -> str:
        """Where ``key`` is kept: under its own name, or with all for whom there is no room."""
        moments = self._moments
        while key not in moments and len(moments) >= self._most:
            eldest, at = next(iter(moments.items()))
            if at > now:
                return _OVERFLOW
            del moments[eldest]
        return key
