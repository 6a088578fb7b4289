"""Dates: a day, a time, or none."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.openbesluitvorming.dates import instant, moment, sort_key
from connectors.openbesluitvorming.documents import document
from connectors.records import DateMeaning, Moment
from tests.connectors.openbesluitvorming.support import LIVE, answer, sample

MEETING = DateMeaning.MEETING


def test_midnight_in_utc_is_a_day_without_a_time() -> None:
    assert moment("2026-01-29T00:00:00Z", MEETING) == Moment(date(2026, 1, 29), MEETING)
    assert moment("2026-09-24T00:00:00.000Z", MEETING) == Moment(date(2026, 9, 24), MEETING)


def test_a_time_keeps_its_offset() -> None:
    """Field report 10."""
    found = moment("2026-08-19T19:30:00+02:00", MEETING)

    assert found == Moment(
        date(2026, 8, 19), MEETING, datetime(2026, 8, 19, 19, 30, tzinfo=timezone(timedelta(hours=2)))
    )
    assert found is not None
    assert found.at is not None
    assert found.at.utcoffset() == timedelta(hours=2)


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("2026-08-19T22:30:00Z", date(2026, 8, 20)),  # 00:30 in Amsterdam, summer
        ("2026-01-22T22:30:00Z", date(2026, 1, 22)),  # 23:30 in Amsterdam, winter
        ("2026-01-22T23:30:00Z", date(2026, 1, 23)),  # 00:30 in Amsterdam, winter
        ("2026-03-28T23:30:00Z", date(2026, 3, 29)),  # 00:30, the night the clock goes forward
        ("2026-03-29T22:30:00Z", date(2026, 3, 30)),  # 00:30 after it
        ("2026-10-24T22:30:00Z", date(2026, 10, 25)),  # 00:30, the night the clock goes back
        ("2026-10-25T22:30:00Z", date(2026, 10, 25)),  # 23:30 after it
    ],
)
def test_a_late_meeting_belongs_to_its_day_in_amsterdam(written: str, day: date) -> None:
    """Field report 10: 00:30 and both changes of the clock."""
    found = moment(written, MEETING)

    assert found is not None
    assert found.day == day


def test_a_time_without_an_offset_gives_its_day_alone() -> None:
    assert moment("2026-08-19 23:30:00", MEETING) == Moment(date(2026, 8, 19), MEETING)


def test_a_date_in_the_future_is_kept() -> None:
    """Field report 12."""
    assert moment("2031-02-03T00:00:00Z", MEETING) == Moment(date(2031, 2, 3), MEETING)


@pytest.mark.parametrize(
    "written",
    [
        None,
        "",
        "Datum onbekend",
        "0001-01-01T00:00:00Z",
        "1899-12-30T00:00:00Z",
        "1900-01-01T00:00:00Z",
        "9999-12-31T23:59:59Z",
        "2026-02-30T00:00:00Z",
        "gisteren",
        20260101,
        ["2026-01-01T00:00:00Z"],
    ],
)
def test_what_is_no_date_is_never_made_one(written: object) -> None:
    """Field report 12."""
    assert moment(written, MEETING) is None


def test_moments_of_the_platforms_own_work_keep_midnight_and_need_an_offset() -> None:
    assert instant("2022-07-12T00:00:00.000Z") == datetime(2022, 7, 12, tzinfo=UTC)
    assert instant("2022-07-12T00:00:00") is None


def test_a_day_sorts_before_the_meetings_on_it() -> None:
    days = ["2026-01-22T18:30:00Z", "2026-01-22T00:00:00Z", "2026-01-21T19:00:00Z"]

    assert sorted(days, key=lambda written: sort_key(moment(written, MEETING))) == [days[2], days[1], days[0]]


@given(st.text() | st.datetimes(timezones=st.timezones()).map(datetime.isoformat))
def test_reading_a_date_never_fails(written: str) -> None:
    found = moment(written, MEETING)

    assert found is None or 1900 < found.day.year < 2201


@pytest.mark.parametrize(
    ("own", "meanings"),
    [
        ("2024-04-25T00:00:00Z", [DateMeaning.MEETING_OR_MOTION, DateMeaning.MOTION]),
        ("2026-01-29T00:00:00Z", [DateMeaning.MEETING_OR_MOTION]),
        ("onbekend", [DateMeaning.MEETING_OR_MOTION]),
    ],
)
def test_a_motion_has_its_own_date_beside_that_of_the_meeting_when_it_is_another_day(
    own: str, meanings: list[DateMeaning]
) -> None:
    whole = sample("entity_motion_ibabs_votes")
    whole["motion"]["date"] = own

    found = document(answer(whole), whole["entityId"], LIVE)

    assert [when.meaning for when in found.dates] == meanings


def test_a_motion_whose_meeting_is_not_known_has_its_own_date_alone() -> None:
    whole = sample("entity_motion_ibabs_votes") | {"date": "Datum onbekend"}
    whole["motion"]["date"] = "2024-04-25T00:00:00Z"

    assert document(answer(whole), whole["entityId"], LIVE).dates == (Moment(date(2024, 4, 25), DateMeaning.MOTION),)
