"""Every sample of the platform pages is read by a test, or says here in one line why this product never asks for it."""

from __future__ import annotations

import ast
import json
from functools import cache
from pathlib import Path

import pytest

from connectors.platforms import PLATFORMS

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "tests" / "samples"
BESIDE = {"ORIGIN.jsonl", "PARSED.jsonl", ".gitattributes"}
PARSED: dict[str, list[str]] = {
    row["test"]: row["samples"]
    for row in map(json.loads, (SAMPLES / "PARSED.jsonl").read_text(encoding="utf-8").splitlines())
}
"""The test that holds each sample to what a person saw in it; more tests may read it too."""
NOT_READ = {
    "open-raadsinformatie/resolve_metadata.json": (
        "of a file, at the price of one call more a paper: its record says the same, and the text that we show is the record's"
    ),
}
"""Samples that are kept, with the reason why nothing reads them."""
NEVER_ASKED = {
    "openbesluitvorming/export_changes.ndjson": "the export of everything there is: this product asks and copies nothing",
    "openbesluitvorming/export_headers.json": "the headers of that export",
    "openbesluitvorming/export_snapshot.ndjson": "the export of everything there is",
    "tweede-kamer/syncfeed_entry_fractiezetelpersoon.recorded.xml": "the feed to copy by: OData gives the same seats",
    "tweede-kamer/syncfeed_feed_page.constructed.xml": "the feed to copy by: OData gives the same documents",
    "tweede-kamer/syncfeed_last_page_resume.constructed.xml": "the feed to copy by",
    "tweede-kamer/entity_schema_v4.derived.json": "a list made of the description of v4: we keep the real description",
    "officiele-bekendmakingen/rss.constructed.xml": "the same records as the search gives, with less in them",
    "rechtspraak/sitemap-urlset.constructed.xml": "for crawlers: addresses and nothing else",
    "rechtspraak/waardelijst/Instanties.recorded-parse.json": "made by another project of the list that we read ourselves",
    "rechtspraak/waardelijst/relation-and-outcome-identifiers.json": "gathered by others: a decision names its own relations",
}
"""Samples of the platform pages that are not kept, with the reason."""


def held(folder: Path = SAMPLES) -> set[str]:
    """The samples that are kept, of every platform."""
    files = (file for file in folder.rglob("*") if file.is_file() and file.name not in BESIDE)
    return {file.relative_to(folder).as_posix() for file in files}


@cache
def named_tests(module: str) -> frozenset[str]:
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    functions = (node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return frozenset(node.name for node in functions)


def test_every_platform_has_samples() -> None:
    assert {name.partition("/")[0] for name in held()} == {platform.key for platform in PLATFORMS}


def test_every_sample_is_read_by_a_test_or_says_why_not() -> None:
    read = [name for names in PARSED.values() for name in names]
    assert len(read) == len(set(read))
    assert set(read) | set(NOT_READ) == held()
    assert not set(read) & set(NOT_READ)


@pytest.mark.parametrize("test", PARSED)
def test_the_test_that_reads_a_sample_is_there(test: str) -> None:
    module, _, name = test.partition("::")
    assert name in named_tests(module)


def test_what_is_never_asked_for_is_not_kept() -> None:
    assert [name for name in NEVER_ASKED if (SAMPLES / name).exists()] == []


def test_a_reason_is_one_line() -> None:
    for reason in (*NOT_READ.values(), *NEVER_ASKED.values()):
        assert 10 < len(reason) < 130
        assert "\n" not in reason
