"""The page on the API names every operation, every parameter, and for every design rule a test that is there."""

from __future__ import annotations

import re
from typing import Any

import besluitbron
import besluitbron.urls
from besluitbron.running.layout import PROJECT
from search.api.urls import api
from search.api.version import VERSION

PAGE = (PROJECT / "docs" / "naslag" / "api.md").read_text("utf-8")
RULES = PAGE.partition("## NLGov API Design Rules")[2]


def operations() -> dict[str, dict[str, Any]]:
    """Each by its method and path."""
    paths = api.get_openapi_schema()["paths"]
    return {f"{method.upper()} {path}": one for path, methods in paths.items() for method, one in methods.items()}


def test_every_operation_and_every_parameter_stands_on_the_page() -> None:
    chapters = {part.partition("`")[0]: part for part in re.split(r"### `(?=[A-Z]+ /)", PAGE)[1:]}
    found = operations()
    assert set(chapters) == set(found)
    for path, operation in found.items():
        for parameter in operation["parameters"]:
            assert f"`{parameter['name']}`" in chapters[path] or f"{{{parameter['name']}}}" in path, parameter["name"]


def test_every_design_rule_has_a_test_that_is_there_or_says_why_not() -> None:
    """Eis A1."""
    rows = re.findall(r"^\| `([a-z/-]+)` \| ([^|]+) \| ([^|]+) \|$", RULES, re.MULTILINE)
    assert len(rows) == len({name for name, _, _ in rows}) == 36
    tests = "\n".join(path.read_text("utf-8") for path in (PROJECT / "tests").rglob("test_*.py"))
    for name, how, proof in rows:
        assert how.strip()
        named = re.findall(r"`(test_\w+)`", proof)
        assert named or proof == "niet te testen", name
        assert all(f"def {one}(" in tests for one in named), name


def test_the_version_of_the_api_stands_in_the_list_of_changes() -> None:
    changes = (PROJECT / "CHANGELOG.md").read_text("utf-8")
    mine = changes.partition(f"## [{besluitbron.__version__}]")[2]
    assert f"`/api/v{VERSION.partition('.')[0]}` (versie {VERSION})" in mine
    assert f"Versie {VERSION}." in PAGE
