"""Periods by name become two days."""

from __future__ import annotations

from datetime import date

import pytest

from search.exceptions import Fault, InvalidQuestionError
from search.organisations import Register
from search.parameters import Asked, read_parameters
from search.periods import Period, days_of


@pytest.mark.parametrize(
    ("period", "today", "first"),
    [
        (Period.TODAY, date(2026, 3, 1), date(2026, 3, 1)),
        (Period.WEEK, date(2026, 3, 1), date(2026, 2, 22)),
        (Period.MONTH, date(2026, 3, 31), date(2026, 2, 28)),
        (Period.MONTH, date(2026, 1, 15), date(2025, 12, 15)),
        (Period.YEAR, date(2024, 2, 29), date(2023, 2, 28)),
    ],
)
def test_a_period_counts_back_from_today_and_ends_today(period: Period, today: date, first: date) -> None:
    """Field report 12: what is dated in the future is not of the last week."""
    assert days_of(period, today) == (first, today)


def read(**values: str) -> Asked:
    return read_parameters({k: [v] for k, v in values.items()}, Register.of([]), max_characters=100)


def test_days_beside_a_period_by_name_are_refused_since_one_of_them_would_be_dropped() -> None:
    with pytest.raises(InvalidQuestionError) as caught:
        read(vraag="a", periode="week", van="2020-01-01")
    assert [fault.fault for fault in caught.value.faults] == [Fault.PERIOD_TWICE]


def test_the_address_of_a_question_with_a_period_holds_its_days() -> None:
    asked = read(vraag="a", periode="maand")
    assert "periode" not in asked.address()
    assert asked.query.date_from is not None
    assert f"van={asked.query.date_from.isoformat()}" in asked.address()


def test_a_period_that_does_not_exist_is_a_fault_with_the_choices() -> None:
    with pytest.raises(InvalidQuestionError) as caught:
        read(vraag="a", periode="eeuw")
    (fault,) = caught.value.faults
    assert (fault.parameter, fault.fault) == ("periode", Fault.UNKNOWN_PERIOD)
    assert [value for value, _ in fault.choices] == [period.value for period in Period]
