"""Which moment a date stands for, by supplier (field report 10)."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from connectors.open_raadsinformatie.dates import date_of, moment
from connectors.records import DateMeaning


@pytest.mark.parametrize(
    ("written", "instant"),
    [
        ("2026-07-07T09:30:00+02:00", datetime(2026, 7, 7, 7, 30, tzinfo=UTC)),
        ("2026-01-08T19:30:00+01:00", datetime(2026, 1, 8, 18, 30, tzinfo=UTC)),
        # iBabs and GemeenteOplossingen: Dutch clock time with a label that is not true; Parlaeus: no zone.
        ("2026-01-08T19:30:00+00:00", datetime(2026, 1, 8, 18, 30, tzinfo=UTC)),
        ("2026-07-07T19:30:00Z", datetime(2026, 7, 7, 17, 30, tzinfo=UTC)),
        ("2026-07-07T19:30:00", datetime(2026, 7, 7, 17, 30, tzinfo=UTC)),
        # Half past midnight, and the nights in which the clock changes.
        ("2024-11-08T00:30:00+00:00", datetime(2024, 11, 7, 23, 30, tzinfo=UTC)),
        ("2025-10-25T23:30:00+00:00", datetime(2025, 10, 25, 21, 30, tzinfo=UTC)),
        ("2026-03-29T19:30:00+00:00", datetime(2026, 3, 29, 17, 30, tzinfo=UTC)),
    ],
)
def test_clock_time_is_dutch_whatever_its_label(written: str, instant: datetime) -> None:
    found = moment(written, DateMeaning.MEETING)
    assert found is not None
    assert found.at is not None
    assert found.at.astimezone(UTC) == instant


def test_a_late_meeting_belongs_to_its_own_day() -> None:
    found = moment("2024-11-08T00:30:00+00:00", DateMeaning.MEETING)
    assert found is not None
    assert found.day == date(2024, 11, 8)


@pytest.mark.parametrize("written", ["2026-02-12T00:00:00+00:00", "2026-02-12T00:00:00+01:00", "2026-02-12"])
def test_midnight_is_a_day_without_a_time(written: str) -> None:
    found = moment(written, DateMeaning.MEETING)
    assert found is not None
    assert (found.day, found.at) == (date(2026, 2, 12), None)


@pytest.mark.parametrize(
    "written", [None, "", "morgen", "1899-12-30T00:00:00", "0001-01-01", "9999-12-31", 5, [], {}, "2026-13-01"]
)
def test_what_is_no_date_stays_unknown(written: object) -> None:
    """Field report 12."""
    assert moment(written, DateMeaning.MEETING) is None


def test_an_entry_of_a_register_has_its_own_date() -> None:
    found = date_of({"start_date": "2026-02-12T00:00:00+00:00"}, "Report")
    assert found is not None
    assert found.meaning is DateMeaning.MEETING_OR_MOTION
