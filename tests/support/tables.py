"""Tables of what must hold, each row with the tests that show it; and what those tests say of themselves."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
_FIELDS: Final = frozenset({"id", "about", "tests", "outside"})

Row = Mapping[str, Any]


def tables(folder: str) -> dict[str, list[Row]]:
    """The rows of each file in a folder of ``tests/docs``, by its name."""
    files = sorted((ROOT / "tests" / "docs" / folder).glob("*.toml"))
    return {file.stem: tomllib.loads(file.read_text(encoding="utf-8"))["row"] for file in files}


@cache
def said_in(module: str) -> Mapping[str, tuple[str, str]]:
    """The tests of a module by name, each with the docstring of the module and its own."""
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    of_all = ast.get_docstring(tree) or ""
    return {
        node.name: (of_all, ast.get_docstring(node) or "")
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and (node.name.startswith("test_") or node.name.startswith("Test"))
    }


def said_of(test: str) -> tuple[str, str]:
    """What a test of a row says of itself. Raises ``KeyError`` or ``FileNotFoundError`` when it is not there."""
    module, _, name = test.partition("::")
    return said_in(module)[name]


def every_test() -> Iterator[tuple[str, str]]:
    """What each test that there is says of itself."""
    for path in (ROOT / "tests").rglob("test_*.py"):
        yield from said_in(path.relative_to(ROOT).as_posix()).values()


def faults(row: Row) -> list[str]:
    """What is wrong with a row: it says nothing, names no test and not why, names one twice or one that is not there."""
    found = [f"no field of a row: {name}" for name in sorted(set(row) - _FIELDS)]
    if not row.get("about"):
        found.append("it does not say what it is")
    if not row["tests"] and not row.get("outside"):
        found.append("no test, and no word on why")
    if len(set(row["tests"])) < len(row["tests"]):
        found.append("a test twice")
    for test in row["tests"]:
        module, _, name = test.partition("::")
        if not (ROOT / module).is_file() or name not in said_in(module):
            found.append(f"not there: {test}")
    return found
