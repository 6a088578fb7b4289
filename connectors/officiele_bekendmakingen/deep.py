"""Where a deep page begins: the service answers no place beyond 9,999 (platform page, section 3), so the set is cut by day.

In an order by day everything before some day is one run. ``DaySearch`` looks for a day whose run before it ends within reach of
the wanted place, by halving: it names a day, is told how many lie before it, and is done or names the next. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final

from connectors.officiele_bekendmakingen.requests import DEEPEST, Question
from connectors.records import Sort

MOST_COUNTS: Final = 16
FIRST_DAY: Final = date(1813, 1, 1)
_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Slice:
    """A question narrowed by day, and the place in it, from 1, at which the wanted page begins."""

    question: Question
    start: int


@dataclass(slots=True)
class DaySearch:
    """The search for a cut. ``wanted``: the place, from 0, in the whole order; ``size``: how many records from there.

    ``today`` bounds an open end.
    """

    question: Question
    wanted: int
    size: int
    today: date
    _low: date = FIRST_DAY
    _high: date = FIRST_DAY

    def __post_init__(self) -> None:
        # The run before or after a day begins a day further: neither the first nor the last day there is can be a cut.
        self._low = max(self.question.date_from or FIRST_DAY, date.min + _DAY)
        # Some papers are dated ahead.
        self._high = min(self.question.date_until or max(self.today + timedelta(days=366), self._low), date.max - _DAY)

    @property
    def day(self) -> date | None:
        """The day to try, which begins the rest of the order; None when no day will do."""
        if self._low > self._high:
            return None
        return self._low + (self._high - self._low) // 2

    def before(self, day: date) -> Question:
        """The question for the run that lies before ``day`` in the order."""
        if self.question.sort is Sort.OLDEST:
            return replace(self.question, date_until=day - _DAY)
        return replace(self.question, date_from=day + _DAY)

    def told(self, day: date, count: int) -> Slice | None:
        """Take in how many lie before ``day``; the cut, when that is within reach of the wanted place."""
        oldest_first = self.question.sort is Sort.OLDEST
        if count > self.wanted:  # the run is too long
            if oldest_first:
                self._high = day - _DAY
            else:
                self._low = day + _DAY
            return None
        if self.wanted - count + self.size > DEEPEST:  # it is too short
            if oldest_first:
                self._low = day + _DAY
            else:
                self._high = day - _DAY
            return None
        rest = replace(self.question, date_from=day) if oldest_first else replace(self.question, date_until=day)
        return Slice(rest, self.wanted - count + 1)
