"""Every requirement has tests that name it: what it is, and which tests prove it, stand in the files of ``requirements/``.

A requirement is a row of a list of demands (``Eis 6.3``) or something that went wrong elsewhere (``Field report 5``). A row has
tests, and each of those names the row back in its docstring. ``outside`` says what of a row no test proves, and why.
"""

from __future__ import annotations

import re

import pytest

from tests.support.tables import Row, every_test, faults, said_of, tables

TABLES = tables("requirements")
ROWS = {row["id"]: row for rows in TABLES.values() for row in rows}
LISTED = [row["id"] for rows in TABLES.values() for row in rows]
NAMED = re.compile(r"\b([Ff]ield reports?|Eis(?:en)?) (\w+(?:\.\d+)?(?:(?:, | and )(?:\d+|[ZVABPK]\d+)(?:\.\d+)?)*)")
BESIDE = {"A": 9, "B": 4, "P": 6, "K": 3}
"""How many rows there are of the API, the question bank, the proof, and of when it is done."""
NUMBER = re.compile(r"\d+\.\d+|[ZVABPK]\d+|\d+")


def named(text: str) -> set[str]:
    """The rows that a docstring names."""
    return {
        f"{'Eis' if kind.startswith('Eis') else 'Field report'} {number}"
        for kind, numbers in NAMED.findall(" ".join(text.split()))
        for number in NUMBER.findall(numbers)
    }


def test_every_row_is_there_once_and_none_is_forgotten() -> None:
    """Eis K1."""
    reports = [f"Field report {number}" for number in range(1, 45)]
    standards = [f"Eis 6.{number}" for number in range(1, 15)] + [f"Eis 7.{number}" for number in range(1, 13)]
    issue = [f"Eis Z{number}" for number in range(1, 22)] + [f"Eis V{number}" for number in range(1, 14)]
    beside = [f"Eis {kind}{number}" for kind, most in BESIDE.items() for number in range(1, most + 1)]
    assert sorted(LISTED) == sorted(reports + standards + issue + beside)


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_a_row_says_what_it_is_and_has_a_test_or_says_why_not(row: Row) -> None:
    assert faults(row) == []


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_every_test_of_a_row_is_there_and_names_it_back(row: Row) -> None:
    """Eis K1."""
    for test in row["tests"]:
        _, own = said_of(test)
        assert row["id"] in named(own), test


def test_no_test_names_a_row_that_there_is_not() -> None:
    assert {row for _, own in every_test() for row in named(own)} <= set(ROWS)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("Field report 5.", {"Field report 5"}),
        ("See field reports 8, 12 and 31: so", {"Field report 8", "Field report 12", "Field report 31"}),
        ("Eis 6.3: no cookie. Eisen Z5 and V6.", {"Eis 6.3", "Eis Z5", "Eis V6"}),
        ("Rule 5", set()),
        ("", set()),
    ],
)
def test_the_rows_in_a_docstring_are_read(text: str, rows: set[str]) -> None:
    assert named(text) == rows
