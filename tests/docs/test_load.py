"""Every part of reports under load, every rule on it, all that operators see and every figure has tests that are there.

The tables are data (``load/*.toml``). A test of a rule names it back (``Rule L5``) in its docstring, or in that of its module.
"""

from __future__ import annotations

import re

import pytest

from tests.support.tables import Row, every_test, faults, said_of, tables

TABLES = tables("load")
EVERY = [(table, row) for table, rows in TABLES.items() for row in rows]
RULES = [f"L{number}" for number in range(1, 13)]
_NAMED = re.compile(r"\b[Rr]ules? ([LR]\d+(?:(?:, | and )[LR]\d+)*)")


def rules(said: tuple[str, str]) -> set[str]:
    """The rules on load that a test names, by itself or by its module."""
    named = " ".join(" ".join(_NAMED.findall(" ".join(text.split()))) for text in said)
    return set(re.findall(r"L\d+", named))


def test_every_rule_has_a_row_and_no_row_is_there_twice() -> None:
    assert [row["id"] for row in TABLES["rules"]] == RULES
    for rows in TABLES.values():
        assert len({row["id"] for row in rows}) == len(rows)


@pytest.mark.parametrize(("table", "row"), EVERY, ids=[f"{table}-{row['id']}" for table, row in EVERY])
def test_a_row_says_what_it_is_and_names_tests_that_are_there(table: str, row: Row) -> None:
    assert faults(row) == []
    if table == "rules":
        assert [test for test in row["tests"] if row["id"] not in rules(said_of(test))] == [], (
            "they do not name it back"
        )


def test_no_test_names_a_rule_that_there_is_not() -> None:
    assert {rule for said in every_test() for rule in rules(said)} <= set(RULES)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Rule L5.", {"L5"}),
        ("Rules L6, L9 and L10: no death", {"L6", "L9", "L10"}),
        ("Signal (c) of rule L3 on SQLite", {"L3"}),
        ("Rules R13 and L2: one session", {"L2"}),
        ("The rules on heavy work (L1-L12)", set()),
        ("Level L4", set()),
    ],
)
def test_the_rules_in_a_docstring_are_read(text: str, found: set[str]) -> None:
    assert rules(("", text)) == rules((text, "")) == found
