"""What the documentation says is what the code has: sources, links, decisions, words, changes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.forms import IntegerField

import besluitbron
from connectors.addresses import Addresses, PlatformMode
from connectors.connector import Connector
from connectors.platforms import PLATFORMS
from connectors.registry import default_registry
from reports.rules_form import RulesForm
from search.answers import State
from tests.support.limit_words import limit_words
from throttling.load_rules import LoadRules

ROOT = Path(besluitbron.__file__).parent.parent
PAGES = sorted(page for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "deploy").rglob("*.md")])
CONNECTORS = tuple(default_registry(Addresses(PlatformMode.LIVE, "", "")))
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")


def facts(connector: Connector) -> list[str]:
    able = connector.capabilities
    lines = [
        f"| Soorten organisaties | {', '.join(sorted(able.bodies))} |",
        f"| Soorten stukken | {', '.join(sorted(able.kinds))} |",
        f"| Kiest zelf op | {', '.join(sorted(able.filters))} |",
        f"| Kiezen wij op haar antwoorden | {', '.join(sorted(able.own_filters)) or 'niets'} |",
        f"| Tekens | {', '.join(sorted(able.operators)) or 'geen'} |",
        f"| Volgorde | {', '.join(sorted(able.sorts))} |",
        f"| Laadstatus | {'ja' if able.load_status else 'nee'} |",
        f"| Termijn van een aanroep | {connector.platform.deadline:g} seconden |",
    ]
    lines += [
        f"| Grens van `{s.key}` | {limit_words(s)}, hooguit {s.in_flight} tegelijk ({s.origin}) |"
        for s in connector.platform.services
    ]
    return lines


@pytest.mark.parametrize("connector", CONNECTORS, ids=lambda connector: connector.platform.key)
def test_what_a_source_can_do_stands_in_its_chapter(connector: Connector) -> None:
    page = (ROOT / "docs" / "naslag" / "bronnen.md").read_text()
    chapter = page.partition(f"\n## {connector.platform.name}\n")[2].partition("\n## ")[0]
    assert [line for line in facts(connector) if line not in chapter] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    missing = [target for target in LINK.findall(page.read_text()) if not (page.parent / target).exists()]
    assert missing == []


def test_every_decision_is_listed_and_every_listed_one_is_there() -> None:
    folder = ROOT / "docs" / "besluiten"
    listed = set(re.findall(r"\]\((\d{4}-[^)]+\.md)\)", (folder / "README.md").read_text()))
    assert listed == {page.name for page in folder.glob("0*.md")}


def test_the_version_stands_in_the_list_of_changes() -> None:
    assert f"## [{besluitbron.__version__}]" in (ROOT / "CHANGELOG.md").read_text()


def test_every_state_of_a_source_stands_in_the_word_list() -> None:
    """Eis 6.7; Eis V11."""
    rows = [_cells(line) for line in (ROOT / "docs" / "woordenlijst.md").read_text().splitlines()]
    (said,) = [row[2] for row in rows if len(row) > 2 and row[1] == "`State`"]
    assert said.partition(": ")[2].split(", ") == [state.value for state in State]


def test_every_platform_is_named_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text()
    assert [platform.name for platform in PLATFORMS if platform.name not in readme] == []


def test_every_named_test_in_a_decision_exists() -> None:
    tests = "\n".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    named = {
        name
        for page in (ROOT / "docs" / "besluiten").glob("0*.md")
        for name in re.findall(r"`(test_\w+)`", page.read_text())
    }
    assert named
    assert [name for name in named if f"def {name}(" not in tests] == []


JARGON = ("query", "timeout", "time-out", "rate limit", "connector", "endpoint")


def test_no_page_uses_a_word_that_only_makers_know() -> None:
    """Eis 6.14."""
    for template in (ROOT / "templates").rglob("*.html"):
        shown = re.sub(r"\{[%{].*?[%}]\}|<[^>]*>", " ", template.read_text(), flags=re.DOTALL).lower()
        assert [word for word in JARGON if word in shown] == [], template.name


def test_every_command_has_a_chapter_and_every_chapter_a_command() -> None:
    """Eis 6.7."""
    rooms = [file.parent for file in ROOT.glob("*/__init__.py")]
    there = {file.stem for room in rooms for file in (room / "management" / "commands").glob("[!_]*.py")}
    page = (ROOT / "docs" / "naslag" / "opdrachten.md").read_text()
    assert set(re.findall(r"^## `(\w+)`$", page, re.MULTILINE)) == there


def test_every_main_page_is_in_the_pictures_and_every_picture_is_shown_with_words() -> None:
    """Eis P5."""
    folder = ROOT / "docs" / "beeld"
    pages = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    shown = {name: words for words, name in re.findall(r"!\[([^\]]+)\]\((?:[\w./]*/)?beeld/([\w-]+)\.webp\)", pages)}
    assert {path.stem for path in folder.glob("*.webp")} == set(shown)
    assert all(len(words.split()) > 2 for words in shown.values())
    for main in ("voorpagina", "antwoorden", "stemming", "status"):
        assert {main, f"{main}-donker", f"{main}-smal"} <= set(shown), main


def test_the_comparison_goes_point_by_point_through_the_four_others_and_leaves_nothing_open() -> None:
    """Eis K3."""
    page = (ROOT / "docs" / "naslag" / "vergelijking.md").read_text(encoding="utf-8")
    tables = [part.splitlines() for part in page.split("\n\n") if part.startswith("| Punt |")]
    heads = [_cells(table[0]) for table in tables]
    points = [_cells(line) for table in tables for line in table[2:]]
    assert heads
    for head in heads:
        assert head[1:6] == ["BesluitBron", "OpenBesluitvorming", "OpenTK", "GOV.UK", "CourtListener"]
    assert len(points) > 30
    assert [row for row in points if len(row) != len(heads[0]) or not all(row)] == []
    best = [row[-1] for row in points]
    assert any("BesluitBron" in one for one in best)
    assert any("BesluitBron" not in one and "gelijk" not in one for one in best)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split(" | ")]


def test_every_rule_that_operators_set_is_in_the_reference_with_its_bounds() -> None:
    page = (ROOT / "docs" / "naslag" / "instellingen.md").read_text()
    usual = RulesForm.filled(LoadRules()).initial
    rows = [
        f"| {field.label} | {usual[name]} | {field.min_value} – {field.max_value} |"
        for name, field in RulesForm.base_fields.items()
        if isinstance(field, IntegerField)
    ]
    assert [row for row in rows if row not in page] == []
