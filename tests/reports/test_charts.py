"""The charts of a report: bars with their numbers, and a table with all of them."""

from __future__ import annotations

from datetime import date

from connectors.records import DateMeaning, Moment
from reports.charts import MOST_BARS, by_body, by_year
from reports.overview import overview
from tests.support.reports import a_hit


def test_bodies_stand_in_order_of_how_much_they_have_and_every_bar_says_its_number() -> None:
    found = overview([a_hit(1, body="Gemeente A"), *(a_hit(n, body="Gemeente B") for n in range(2, 6))], {})
    chart = by_body(found)
    assert chart.rows == (("Gemeente B", 4), ("Gemeente A", 1))
    assert [bar.words for bar in chart.picture.bars] == ["4 stukken", "1 stuk"]
    longest, shortest = (bar.length for bar in chart.picture.bars)
    assert longest == 4 * shortest
    assert chart.left_out == ""


def test_more_bodies_than_fit_stand_in_the_table_and_that_is_said() -> None:
    chart = by_body(overview([a_hit(n, body=f"Gemeente {n}") for n in range(MOST_BARS + 2)], {}))
    assert (len(chart.picture.bars), len(chart.rows)) == (MOST_BARS, MOST_BARS + 2)
    assert chart.left_out == "Nog 2 organisaties staan alleen in de tabel."


def test_years_stand_in_order_a_year_without_anything_too_and_what_has_no_date_last() -> None:
    dated = [a_hit(n, date=Moment(date(year, 5, 1), DateMeaning.MEETING)) for n, year in enumerate((2026, 2024))]
    chart = by_year(overview([*dated, a_hit(9, date=None)], {}))
    assert chart.rows == (("2024", 1), ("2025", 0), ("2026", 1), ("datum onbekend", 1))
    assert [bar.length > 0 for bar in chart.picture.bars] == [True, False, True, True]


def test_one_document_among_many_can_be_seen_and_a_long_name_fits() -> None:
    many = [a_hit(n, body="Veel") for n in range(400)]
    chart = by_body(overview([*many, a_hit(999, body="Gemeente met een hele lange naam die nergens past")], {}))
    assert [bar.length for bar in chart.picture.bars] == [160, 2]
    assert len(chart.picture.bars[1].name) == 34


def test_a_report_without_anything_has_charts_without_bars() -> None:
    empty = overview([], {})
    assert (by_body(empty).rows, by_year(empty).picture.bars) == ((), ())
