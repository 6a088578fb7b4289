"""How up to date bodies are held, as pictures: numbers that add up, and no year that nobody told."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from connectors.records import LoadState
from search.load_picture import WIDTH, Span, freshness, silent_since, years

AT = datetime(2026, 3, 12, 12, tzinfo=UTC)
TODAY = AT.date()


def loaded(hours: float | None) -> LoadState:
    return LoadState("x", "X", "ok", last_success=None if hours is None else AT - timedelta(hours=hours))


@pytest.mark.parametrize(("hours", "silent"), [(0, False), (36, False), (36.1, True), (240, True), (None, True)])
def test_a_supplier_is_silent_after_36_hours(hours: float | None, silent: bool) -> None:
    """Field report 17."""
    assert (silent_since(loaded(hours), AT) is not None) is silent


def test_every_body_stands_in_one_bar() -> None:
    picture = freshness([loaded(hours) for hours in (1, 36, 40, 168, 169, None)], AT)
    assert [(bar.name, bar.words) for bar in picture.bars] == [
        ("laatste 36 uur", "2"),
        ("laatste 7 dagen", "2"),
        ("langer geleden", "1"),
        ("nooit of onbekend", "1"),
    ]
    assert all(bar.words_at < WIDTH for bar in freshness([], AT).bars)


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
    assert max(bar.words_at + 6 * len(bar.words) for bar in picture.bars) <= WIDTH
    assert years([], TODAY) is None
