"""How up to date bodies are held, as pictures: numbers that add up, and no year that nobody told."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from connectors.load_status import LoadState
from search.load_picture import WIDTH, Span, freshness, silent_since, years

AT = datetime(2026, 3, 12, 12, tzinfo=UTC)
TODAY = AT.date()


def loaded(hours: float | None) -> LoadState:
    return LoadState("x", "X", "ok", last_success=None if hours is None else AT - timedelta(hours=hours))


@pytest.mark.parametrize(("hours", "silent"), [(0, False), (36, False), (36.1, True), (240, True), (None, True)])
def test_a_supplier_is_silent_after_36_hours(hours: float | None, silent: bool) -> None:
    """Field report 17."""
    assert (silent_since(loaded(hours), AT) is not None) is silent


HOURS = (1, 36, 40, 168, 169, None)


@pytest.mark.parametrize(
    ("age", "bars"),
    [
        (0, {"laatste 36 uur": 2, "laatste 7 dagen": 2, "langer dan 7 dagen geleden": 1, "nooit of onbekend": 1}),
        (37, {"laatste 7 dagen": 4, "langer dan 7 dagen geleden": 1, "nooit of onbekend": 1}),
        (77 * 24, {"langer dan 7 dagen geleden": 5, "nooit of onbekend": 1}),
    ],
)
def test_every_body_stands_in_one_bar_and_an_old_list_has_no_bar_for_what_came_after_it(
    age: int, bars: dict[str, int]
) -> None:
    """Field report 17."""
    rows = [loaded(hours if hours is None or age < 168 else hours + age) for hours in HOURS]
    picture = freshness(rows, AT - timedelta(hours=age), AT, "organisaties")
    assert {bar.name: int(bar.words) for bar in picture.bars} == bars
    assert all(bar.words_at < WIDTH for bar in freshness([], AT, AT, "organisaties").bars)


def test_bars_of_years_begin_and_end_with_their_years_and_an_unknown_end_is_a_question() -> None:
    """Field report 18."""
    spans = [
        Span("Gemeente B", date(2021, 9, 1), None),
        Span("Gemeente A", date(2010, 1, 1), date(2026, 3, 1)),
        Span("C", date(2012, 1, 1), date(2012, 3, 1)),
    ]
    picture = years(spans, TODAY)
    assert picture is not None
    first, second, third = picture.bars
    assert [bar.name for bar in picture.bars] == ["C", "A", "B"]
    assert [bar.words for bar in picture.bars] == ["2012", "2010–2026", "2021–?"]
    assert second.start < first.start < third.start
    assert third.start + third.length == pytest.approx(second.start + second.length, abs=1)
    assert max(bar.words_at + 9 * len(bar.words) for bar in picture.bars) <= WIDTH
    assert years([], TODAY) is None
