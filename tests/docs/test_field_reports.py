"""Every field report has tests that name it, or the later part of the product it belongs to.

A field report is something that went wrong elsewhere, by number; the list beside this file says what each is about. A test
names the reports that it covers in its docstring.
"""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
REPORTS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "field_reports.jsonl").read_text(encoding="utf-8").splitlines()
]
NAMED = re.compile(r"[Ff]ield reports? (\d+(?:(?:, | and )\d+)*)")


def numbers_in(text: str) -> set[int]:
    return {int(number) for found in NAMED.findall(" ".join(text.split())) for number in re.findall(r"\d+", found)}


@cache
def named_in(module: str) -> dict[str, set[int]]:
    """The tests of a module with the numbers that the docstring of each names."""
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    return {
        node.name: numbers_in(ast.get_docstring(node) or "")
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    }


def test_the_reports_are_numbered_without_a_gap_and_say_what_they_are_about() -> None:
    assert [report["number"] for report in REPORTS] == list(range(1, 45))
    assert all(report["about"] for report in REPORTS)


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: str(report["number"]))
def test_a_report_is_covered_or_belongs_to_a_later_part(report: dict[str, Any]) -> None:
    assert report["tests"] or report.get("later")
    for test in report["tests"]:
        module, _, name = test.partition("::")
        assert report["number"] in named_in(module).get(name, set()), test


def test_no_test_names_a_report_that_there_is_not() -> None:
    modules = [path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")]
    named = {number for module in modules for numbers in named_in(module).values() for number in numbers}
    assert named <= {report["number"] for report in REPORTS}


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("Field report 5.", {5}), ("See field reports 8, 12 and 31: so", {8, 12, 31}), ("Rule 5", set()), ("", set())],
)
def test_the_numbers_in_a_docstring_are_read(text: str, numbers: set[int]) -> None:
    assert numbers_in(text) == numbers
