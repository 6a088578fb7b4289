"""The one place outside ``throttling`` that reads the clock, and the time zone and month names in which dates are shown."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

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


def now() -> datetime:
    """The present moment, in UTC."""
    return datetime.now(UTC)
