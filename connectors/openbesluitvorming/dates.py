"""The platform's dates: when a day is only a day, when a time is a time, and when there is no date at all.

``sortDate`` is RFC 3339 in UTC (platform page, section 3.1). Midnight in it stands for "a day without a time". Suppliers that
have no date give a first or a last day of their calendar instead (1899, 0001, 9999): that is no date, and none is made up
(field report 12). A late meeting belongs to its day in Amsterdam, not to the day in UTC (field report 10).
"""

from __future__ import annotations

from datetime import UTC, datetime, time

from connectors import moments
from connectors.moments import AMSTERDAM
from connectors.openbesluitvorming.ids import EntityType
from connectors.records import DateMeaning, Moment

UNKNOWN = "Datum onbekend"
_YEARS = range(1901, 2200)
MEANINGS = {
    EntityType.MEETING: DateMeaning.MEETING,
    EntityType.DOCUMENT: DateMeaning.MEETING_OR_CHANGE,
    EntityType.MOTION: DateMeaning.MEETING_OR_MOTION,
    EntityType.RECORDING: DateMeaning.MEETING,
}


def moment(value: object, meaning: DateMeaning) -> Moment | None:
    """The date in ``value``; None when it is absent, unreadable, or a supplier's way to say that there is none.

    A time without an offset (the older form) could be of any zone, so its day stands alone.
    """
    at = moments.parsed(value)
    if at is None or at.year not in _YEARS:
        return None
    if at.tzinfo is None:
        return Moment(at.date(), meaning)
    if at.astimezone(UTC).time() == time():
        return Moment(at.astimezone(UTC).date(), meaning)
    return Moment(at.astimezone(AMSTERDAM).date(), meaning, at)


def instant(value: object) -> datetime | None:
    """The moment in ``value`` with its offset, or None. For moments of the platform's own work, where midnight is a time."""
    at = moments.parsed(value)
    return at if at is not None and at.tzinfo is not None and at.year in _YEARS else None


def sort_key(found: Moment | None) -> float:
    """A number that orders dates as the platform does: a day without a time counts as midnight in UTC."""
    return moments.sort_key(found, UTC)
