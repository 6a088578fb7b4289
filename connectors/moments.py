"""The one place outside ``throttling`` that reads the clock, and the time zone and month names in which dates are shown."""

from __future__ import annotations

from datetime import UTC, datetime, time, tzinfo
from zoneinfo import ZoneInfo

from connectors.records import Moment

AMSTERDAM = ZoneInfo("Europe/Amsterdam")
MONTHS = (
    "januari",
    "februari",
    "maart",
    "april",
    "mei",
    "juni",
    "juli",
    "augustus",
    "september",
    "oktober",
    "november",
    "december",
)
MONTHS_IN_ENGLISH = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def now() -> datetime:
    """The present moment, in UTC."""
    return datetime.now(UTC)


def parsed(value: object) -> datetime | None:
    """The date and time in a text of ISO 8601, with an offset only when it has one; None for anything else."""
    if not isinstance(value, str):
        return None
    try:
        return datetime.fromisoformat(value.strip())
    except ValueError:
        return None


def sort_key(found: Moment | None, zone: tzinfo) -> float:
    """A number that orders dates. A day without a time counts as its first moment in ``zone``; no date comes first."""
    if found is None:
        return 0.0
    return (found.at or datetime.combine(found.day, time(), zone)).timestamp()
