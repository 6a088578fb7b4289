"""Every part and choice of contracts, every attack on them, set of vectors and kind of bad input has tests that are there.

The tables are data (``admission/*.toml``): what it is, and which tests show that it holds, or that it does not work here. A
test of an attack names it back in its docstring, or in that of its module. ``outside`` says what no test shows, and why.
"""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent / "admission"
TABLES: dict[str, list[dict[str, Any]]] = {
    file.stem: tomllib.loads(file.read_text(encoding="utf-8"))["row"] for file in sorted(FOLDER.glob("*.toml"))
}
EVERY = [(table, row) for table, rows in TABLES.items() for row in rows]
ATTACKS = range(1, 24)
_ASIDE = re.compile(r"\((?![^)]*attack)[^)]*\)", re.IGNORECASE)
_NAMED = re.compile(r"\battacks? (\d+(?:,? (?:and )?\d+)*)", re.IGNORECASE)


def attacks(text: str) -> set[int]:
    """The attacks that a docstring names; what stands in brackets beside a number is left out."""
    plain = re.sub(r" ([,:.])", r"\1", " ".join(_ASIDE.sub("", text).split()))
    return {int(number) for numbers in _NAMED.findall(plain) for number in re.findall(r"\d+", numbers)}


@cache
def named_by(module: str) -> dict[str, set[int]]:
    """The tests of a module, with the attacks that each names by itself or by its module."""
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    of_all = attacks(ast.get_docstring(tree) or "")
    return {
        node.name: of_all | attacks(ast.get_docstring(node) or "")
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and (node.name.startswith("test_") or node.name.startswith("Test"))
    }


def test_every_attack_of_the_study_has_a_row_and_no_other() -> None:
    assert [row["id"] for row in TABLES["attacks"]] == [f"attack {number}" for number in ATTACKS]


@pytest.mark.parametrize(("table", "row"), EVERY, ids=[f"{table}-{row['id']}" for table, row in EVERY])
def test_a_row_says_what_it_is_and_names_tests_that_are_there(table: str, row: dict[str, Any]) -> None:
    assert set(row) <= {"id", "about", "tests", "outside"}
    assert row["about"]
    assert row["tests"] or row.get("outside"), "no test, and no word on why"
    for test in row["tests"]:
        module, _, name = test.partition("::")
        assert (ROOT / module).is_file(), test
        assert name in named_by(module), test
        if table == "attacks":
            assert int(row["id"].split()[1]) in named_by(module)[name], f"{test} does not name it back"


def test_every_choice_of_the_design_has_a_row() -> None:
    assert [row["id"].split()[0] for row in TABLES["choices"]] == [f"A{number}" for number in range(1, 11)]


def test_no_test_names_an_attack_that_there_is_not() -> None:
    modules = [path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")]
    assert {one for module in modules for named in named_by(module).values() for one in named} <= set(ATTACKS)


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
