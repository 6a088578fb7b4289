"""Every holder who publishes no limit has a finding, ready to send, that says what the code keeps to."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import besluitbron
from connectors.platforms import PLATFORMS, Origin, Platform, Service
from tests.support.limit_words import limit_words

ROOT = Path(besluitbron.__file__).parent.parent
FINDINGS = ROOT / "docs" / "bevindingen"
UNPUBLISHED = [p for p in PLATFORMS if any(service.origin is not Origin.PUBLISHED for service in p.services)]
SENT = re.compile(r"^\| Verstuurd \| (.+) \|$", re.MULTILINE)


def kept(service: Service) -> str:
    return f"- Op de dienst `{service.key}`: {limit_words(service)}, hooguit {service.in_flight} tegelijk."


def test_there_is_a_finding_for_every_holder_who_publishes_none_and_for_nobody_else() -> None:
    files = {file.stem for file in FINDINGS.glob("*.md")} - {"README"}
    assert files == {platform.key for platform in UNPUBLISHED}


@pytest.mark.parametrize("platform", UNPUBLISHED, ids=lambda platform: platform.key)
def test_a_finding_says_what_we_keep_to_and_whether_it_was_sent(platform: Platform) -> None:
    text = (FINDINGS / f"{platform.key}.md").read_text()
    (sent,) = SENT.findall(text)
    for service in platform.services:
        assert kept(service) in text
        assert service.told == f"{sent} (docs/bevindingen/{platform.key}.md)"
    for part in ("## Wat we zagen", "## Waar wij ons aan houden", "## Wat we u vragen"):
        assert part in text


@pytest.mark.parametrize("platform", UNPUBLISHED, ids=lambda platform: platform.key)
def test_the_lists_of_findings_and_of_sources_say_whether_it_was_sent(platform: Platform) -> None:
    sent = platform.services[0].told.partition(" (")[0]
    assert f"| {platform.name} | [lees]({platform.key}.md) | {sent} |" in (FINDINGS / "README.md").read_text()
    chapter = (ROOT / "docs" / "naslag" / "bronnen.md").read_text().partition(f"\n## {platform.name}\n")[2]
    row = f"| Gemeld aan de houder | {sent} ([bevinding](../bevindingen/{platform.key}.md)) |"
    assert row in chapter.partition("\n## ")[0]


def test_a_published_limit_names_the_page_that_publishes_it() -> None:
    published = [s for platform in PLATFORMS for s in platform.services if s.origin is Origin.PUBLISHED]
    assert published
    assert [service.key for service in published if not service.source.startswith("https://")] == []
