"""Every part and choice of contracts, every attack on them, set of vectors and kind of bad input has tests that are there.

The tables are data (``admission/*.toml``): what it is, and which tests show that it holds, or that it does not work here. A
test of an attack names it back in its docstring, or in that of its module. ``outside`` says what no test shows, and why.
"""

from __future__ import annotations

import re

import pytest

from tests.support.tables import ROOT, Row, every_test, faults, said_of, tables

TABLES = tables("admission")
EVERY = [(table, row) for table, rows in TABLES.items() for row in rows]
ATTACKS = range(1, 24)
_ASIDE = re.compile(r"\((?![^)]*attack)[^)]*\)", re.IGNORECASE)
_NAMED = re.compile(r"\battacks? (\d+(?:,? (?:and )?\d+)*)", re.IGNORECASE)


def attacks(text: str) -> set[int]:
    """The attacks that a docstring names; what stands in brackets beside a number is left out."""
    plain = re.sub(r" ([,:.])", r"\1", " ".join(_ASIDE.sub("", text).split()))
    return {int(number) for numbers in _NAMED.findall(plain) for number in re.findall(r"\d+", numbers)}


def named_by(said: tuple[str, str]) -> set[int]:
    """The attacks that a test names, by itself or by its module."""
    return {attack for text in said for attack in attacks(text)}


def test_every_attack_of_the_study_has_a_row_and_no_other() -> None:
    assert [row["id"] for row in TABLES["attacks"]] == [f"attack {number}" for number in ATTACKS]


@pytest.mark.parametrize(("table", "row"), EVERY, ids=[f"{table}-{row['id']}" for table, row in EVERY])
def test_a_row_says_what_it_is_and_names_tests_that_are_there(table: str, row: Row) -> None:
    assert faults(row) == []
    for test in row["tests"] if table == "attacks" else ():
        assert int(row["id"].split()[1]) in named_by(said_of(test)), f"{test} does not name it back"


def test_every_choice_of_the_design_has_a_row() -> None:
    assert [row["id"].split()[0] for row in TABLES["choices"]] == [f"A{number}" for number in range(1, 11)]


def test_no_test_names_an_attack_that_there_is_not() -> None:
    assert {attack for said in every_test() for attack in named_by(said)} <= set(ATTACKS)


def test_every_vector_file_that_is_kept_has_a_row() -> None:
    kept = {path.name for path in (ROOT / "tests" / "admission" / "vectors").glob("*.json")}
    assert kept <= {row["id"] for row in TABLES["vectors"]}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Attack 1, and 14: somebody", {1, 14}),
        ("Attacks 2 (DP-N04, N05), 4 (DP-N13) and 10 (DP-N01): x", {2, 4, 10}),
        ("Of all routes (attack 10).", {10}),
        ("Attack 20, attack 23: a body", {20, 23}),
        ("Attack 6: 64 kB, 20 keys.", {6}),
        ("An attacker", set()),
    ],
)
def test_the_attacks_in_a_docstring_are_read(text: str, found: set[int]) -> None:
    assert attacks(text) == found
