"""Dates as this platform writes them: local time without a zone, UTC with a Z, or a day alone (section 2)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, time
from typing import Any, Final

from connectors.moments import AMSTERDAM, parsed
from connectors.records import DateMeaning, Moment

Row = dict[str, Any]
_OLDEST_YEAR: Final = 1800
_NEWEST_YEAR: Final = 2200


def moment(value: object, meaning: DateMeaning) -> Moment | None:
    """A date with its meaning. Without a zone it is local time; midnight stands for a day without a time."""
    found = _parsed(value)
    if found is None:
        return None
    local = found.astimezone(AMSTERDAM) if found.tzinfo else found.replace(tzinfo=AMSTERDAM)
    return Moment(local.date(), meaning, None if local.time() == time.min else local)


def moments(*found: Moment | None) -> Iterator[Moment]:
    """Those that are known, each once."""
    return iter(dict.fromkeys(one for one in found if one is not None))


def change(value: object) -> Moment | None:
    """When something was changed. Without a zone the platform means either UTC or local time: then the day alone stands."""
    found = _parsed(value)
    if found is None:
        return None
    if found.tzinfo is None:
        return Moment(found.date(), DateMeaning.CHANGE)
    return moment(value, DateMeaning.CHANGE)


def number(value: object) -> int | None:
    """A whole number; None for the empty text that stands for nothing here (section 3)."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _parsed(value: object) -> datetime | None:
    found = parsed(value)
    return found if found is not None and _OLDEST_YEAR < found.year < _NEWEST_YEAR else None
