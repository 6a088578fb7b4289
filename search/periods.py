"""Periods by name, counted back from a day: what somebody picks who does not want to type two dates."""

from __future__ import annotations

import calendar
from datetime import date, timedelta
from enum import StrEnum


class Period(StrEnum):
    """The periods; the values are those of the parameter ``periode``."""

    TODAY = "vandaag"
    WEEK = "week"
    MONTH = "maand"
    YEAR = "jaar"


def days_of(period: Period, today: date) -> tuple[date, date]:
    """The first and last day, both included. A month or year back is the same day, or the last one that is there."""
    match period:
        case Period.TODAY:
            return today, today
        case Period.WEEK:
            return today - timedelta(days=7), today
        case Period.MONTH:
            year, month = (today.year, today.month - 1) if today.month > 1 else (today.year - 1, 12)
        case Period.YEAR:
            year, month = today.year - 1, today.month
    return date(year, month, min(today.day, calendar.monthrange(year, month)[1])), today
