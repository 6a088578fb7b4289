"""What the stylesheets have to hold: pages without scripts, contrast in both schemes, components as they were published."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import besluitbron
from besluitbron.styles import JOINED, STATIC, VENDOR, joined
from connectors.platforms import PLATFORMS

ROOT = Path(besluitbron.__file__).parent.parent
STYLES = (STATIC / "besluitbron.css").read_text(encoding="utf-8")
TOKENS = (STATIC / "tokens.css").read_text(encoding="utf-8")
OURS = sorted(STATIC.glob("*.css"))
TEXT, PART = 4.5, 3.0
"""What WCAG 2.2 asks of text (1.4.3) and of parts of the page that mean something (1.4.11)."""
PAIRS = [
    *((ink, ground, TEXT) for ink in ("ink", "muted", "link") for ground in ("paper", "surface", "note", "warn")),
    ("warn-line", "paper", TEXT),
    ("warn-line", "surface", TEXT),
    ("ink", "mark", TEXT),
    ("brand-ink", "brand", TEXT),
    ("brand-ink", "brand-strong", TEXT),
    ("banner-ink", "banner", TEXT),
    *((line, ground, PART) for line in ("focus", "muted", "brand") for ground in ("paper", "surface", "note")),
    ("warn-line", "warn", PART),
]


def colours(scheme: str) -> dict[str, str]:
    light, _, rest = TOKENS.partition("@media (prefers-color-scheme: dark)")
    found = dict(re.findall(r"--bb-([a-z-]+): (#[0-9a-f]{6});", light))
    return found if scheme == "light" else found | dict(re.findall(r"--bb-([a-z-]+): (#[0-9a-f]{6});", rest))


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_earlier_section_of_every_platform_disappears_when_the_later_one_is_there() -> None:
    for platform in PLATFORMS:
        bron = f'[data-bron="{platform.key}"]'
        assert f'section[data-staat="gepland"]{bron}:has(~ section{bron})' in STYLES


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_nothing_is_loaded_from_elsewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "url(" not in text
    assert "@import" not in text


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("one", "other", "least"), PAIRS, ids=str)
def test_what_has_to_be_read_stands_out_enough(scheme: str, one: str, other: str, least: float) -> None:
    """Eis 6.8. Eis P4."""
    found = colours(scheme)
    assert contrast(found[one], found[other]) >= least


def test_contrast_is_measured_as_the_standard_does() -> None:
    """Eis P4."""
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_colours_stand_in_the_tokens_and_both_schemes_have_them_all() -> None:
    """Eis V3."""
    outside_print = STYLES.partition("@media print")[0] + (STATIC / "zoeken.css").read_text(encoding="utf-8")
    assert not re.findall(r"#[0-9a-fA-F]{3,8}\b(?=[;\s,)])", outside_print)
    light, _, rest = TOKENS.partition("@media (prefers-color-scheme: dark)")
    same_in_both = {"banner", "banner-ink"}
    assert set(re.findall(r"--bb-([a-z-]+): #", light)) - set(re.findall(r"--bb-([a-z-]+): #", rest)) == same_in_both


def test_every_token_that_is_used_is_there() -> None:
    """Eis V3."""
    used = {name for path in OURS for name in re.findall(r"var\((--bb-[a-z-]+)", path.read_text(encoding="utf-8"))}
    assert used <= set(re.findall(r"(--bb-[a-z-]+):", TOKENS))


def test_every_token_of_a_component_is_read_by_one() -> None:
    components = JOINED.read_text(encoding="utf-8")
    given = re.findall(r"(--(?:nl|utrecht)-[a-z0-9-]+):", TOKENS)
    assert given
    assert [name for name in given if not re.search(rf"{name}\b(?!-)", components)] == []


def test_the_components_are_as_they_were_published_and_each_has_a_row_and_a_licence() -> None:
    """Eis V3."""
    assert JOINED.read_text(encoding="utf-8") == joined()
    rows = (ROOT / "VENDORED.md").read_text(encoding="utf-8")
    for path in VENDOR.glob("*/*/*.css"):
        package, _, version = path.parent.name.partition("@")
        assert re.search(rf"`static/vendor/{path.relative_to(VENDOR)}`.*{package}.*\| {re.escape(version)} \|", rows)
        assert "EUROPEAN UNION PUBLIC LICENCE v. 1.2" in (path.parents[1] / "LICENSE.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("words", ["prefers-color-scheme: dark", "forced-colors: active", "@media print"])
def test_there_is_a_form_for_the_dark_for_few_colours_and_for_paper(words: str) -> None:
    """Eis V4."""
    assert words in TOKENS + STYLES


def test_nothing_moves_for_who_wants_no_motion() -> None:
    still = re.sub(r"@media \(prefers-reduced-motion: no-preference\) \{.*?\n\}", "", STYLES, flags=re.DOTALL)
    for text in (still, TOKENS, (STATIC / "zoeken.css").read_text(encoding="utf-8")):
        assert not re.search(r"\b(animation|transition|scroll-behavior)\b", text)
