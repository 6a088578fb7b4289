"""Values in rows as we use them: text, numbers and moments. Any type may come; what is not as described counts as absent."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time
from typing import Any, Final

from connectors.moments import AMSTERDAM, parsed
from connectors.records import DateMeaning, Moment

Row = dict[str, Any]
_OLDEST_YEAR: Final = 1800
_NEWEST_YEAR: Final = 2200


def number(value: object) -> int | None:
    """A whole number of zero or more; None for anything else (a sub-number of -1 means none)."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def objects(value: object) -> list[Row]:
    """The rows in an expanded collection that are not deleted."""
    if not isinstance(value, list):
        return []
    return [row for row in value if isinstance(row, dict) and row.get("Verwijderd") is not True]


def expanded(value: object) -> Row | None:
    """An expanded single row, or None when there is none or it is deleted."""
    return value if isinstance(value, dict) and value.get("Verwijderd") is not True else None


def instant(value: object) -> datetime | None:
    """A moment with its offset. ``0001-01-01`` and other impossible years are no moments; neither is one without offset."""
    found = _parsed(value)
    return found if found is not None and found.tzinfo is not None else None


def day_of(value: object) -> date | None:
    """The day in the Netherlands."""
    found = _parsed(value)
    if found is None:
        return None
    return found.astimezone(AMSTERDAM).date() if found.tzinfo else found.date()


def moment(value: object, meaning: DateMeaning) -> Moment | None:
    """A date with its meaning. Midnight in the Netherlands stands for a day without a time (section 3)."""
    day = day_of(value)
    if day is None:
        return None
    at = instant(value)
    local = at.astimezone(AMSTERDAM) if at else None
    is_day = local is None or local.time() == time.min
    return Moment(day, meaning, None if is_day else at)


def moments(*found: Moment | None) -> Iterator[Moment]:
    """Those that are known, each once."""
    return iter(dict.fromkeys(one for one in found if one is not None))


def _parsed(value: object) -> datetime | None:
    found = parsed(value)
    return found if found is not None and _OLDEST_YEAR <= found.year <= _NEWEST_YEAR else None
