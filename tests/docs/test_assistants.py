"""Every part of assistants (MCP, its tools, the three incoming limits and their proof) has tests that are there.

The tables are data (``assistants/*.toml``): one row for each thing that issue 5 asked for.
"""

from __future__ import annotations

import pytest

from tests.support.tables import Row, faults, tables

TABLES = tables("assistants")
EVERY = [(table, row) for table, rows in TABLES.items() for row in rows]
LETTERS = {"mcp": "M", "tools": "G", "limits": "L", "proof": "P", "done_when": "K"}


def test_every_table_is_there_and_its_rows_are_numbered_without_a_gap() -> None:
    assert set(TABLES) == set(LETTERS)
    for table, rows in TABLES.items():
        assert [row["id"] for row in rows] == [f"{LETTERS[table]}{number}" for number in range(1, len(rows) + 1)]


@pytest.mark.parametrize(("table", "row"), EVERY, ids=[f"{table}-{row['id']}" for table, row in EVERY])
def test_a_row_says_what_it_is_and_names_tests_that_are_there(table: str, row: Row) -> None:
    assert faults(row) == [], table
