from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.kamer_words import from_html, line
from connectors.records import DateMeaning, Moment
from connectors.tweede_kamer.values import day_of, instant, moment, number, objects

WINTER = timezone(timedelta(hours=1))


@pytest.mark.parametrize(
    "value", ["0001-01-01T00:00:00Z", "0001-01-01", "9999-12-31T00:00:00Z", "", "geen", None, 3, "2026-13-01"]
)
def test_an_impossible_date_is_no_date(value: object) -> None:
    assert (day_of(value), instant(value), moment(value, DateMeaning.DOCUMENT)) == (None, None, None)


def test_midnight_in_the_netherlands_is_a_day_and_any_other_time_keeps_its_offset() -> None:
    """Field report 10."""
    summer = moment("2026-08-01T00:00:00+02:00", DateMeaning.DOCUMENT)
    assert summer == Moment(date(2026, 8, 1), DateMeaning.DOCUMENT)
    late = moment("2025-12-31T23:30:00Z", DateMeaning.DOCUMENT)
    assert late is not None
    assert (late.day, late.at and late.at.utcoffset()) == (date(2026, 1, 1), timedelta(0))
    meeting = moment("2024-01-18T10:15:00.5+01:00", DateMeaning.MEETING)
    assert meeting == Moment(
        date(2024, 1, 18), DateMeaning.MEETING, datetime(2024, 1, 18, 10, 15, 0, 500000, tzinfo=WINTER)
    )
    assert moment("1973-05-30", DateMeaning.DOCUMENT) == Moment(date(1973, 5, 30), DateMeaning.DOCUMENT)
    assert moment("2025-10-02T19:09:28.2363981Z", DateMeaning.CHANGE) is not None


def test_text_that_the_source_mangled_is_mended_only_where_that_is_certain() -> None:
    assert line("financiÃ«le technologieÃ«n ") == "financiële technologieën"
    assert line("Ã©n « en »") == "Ã©n « en »"
    assert line("Israëlische Ngo’s") == "Israëlische Ngo’s"


def test_remarks_in_html_become_lines_of_text() -> None:
    noot = "<p><strong>HERZIENE&nbsp;CONVOCATIE<br />\n</strong>(agendapunt * toegevoegd)</p>"
    assert from_html(noot) == "HERZIENE CONVOCATIE\n(agendapunt * toegevoegd)"
    assert from_html("a &lt;b&gt; < c") == "a <b> < c"
    assert from_html(f'zie <a href="https://x.example/?{"q" * 3000}">dit bericht</a>') == "zie dit bericht"
    assert from_html(None) == ""


def test_a_number_below_zero_means_none_and_deleted_rows_do_not_hang_on_anything() -> None:
    assert [number(value) for value in (-1, True, "3", 0, 1301)] == [None, None, None, 0, 1301]
    assert objects([{"Id": "a"}, {"Id": "b", "Verwijderd": True}, None, "c"]) == [{"Id": "a"}]


@given(st.text(max_size=300))
def test_any_text_is_read_without_failing(text: str) -> None:
    assert "\n" not in line(text)
    assert from_html(text) is not None
    day_of(text)
