"""What the stylesheet has to hold for pages without scripts."""

from __future__ import annotations

from pathlib import Path

import besluitbron
from connectors.platforms import PLATFORMS

STYLES = (Path(besluitbron.__file__).parent.parent / "static" / "besluitbron.css").read_text()


def test_the_earlier_section_of_every_platform_disappears_when_the_later_one_is_there() -> None:
    for platform in PLATFORMS:
        bron = f'[data-bron="{platform.key}"]'
        assert f'section[data-staat="gepland"]{bron}:has(~ section{bron})' in STYLES


def test_nothing_is_loaded_from_elsewhere() -> None:
    assert "url(" not in STYLES
    assert "@import" not in STYLES
