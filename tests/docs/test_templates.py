"""What templates may hold: nothing inline, and no word that only makers know."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import besluitbron
from tests.support.catalogue import texts

ROOT = Path(besluitbron.__file__).parent.parent
TEMPLATES = sorted(path for path in (ROOT / "templates").rglob("*.html") if not {"admin", "beheer"} & set(path.parts))
WORDS = (ROOT / "docs" / "woordenlijst.md").read_text(encoding="utf-8")
BANNED = re.search(r"Woorden die niet op een pagina horen: (.+)\.", WORDS)
_CODE = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
_MARKUP = re.compile(r"<[^>]*>")
_NOT_OURS = re.compile(r"\{\w*\}|“[^”]*”")
"""What is filled in, and the words of another program's buttons."""


def banned(text: str) -> list[str]:
    """The words that only makers know in a text that is shown."""
    assert BANNED is not None
    return [word for word in BANNED[1].split(", ") if re.search(rf"\b{word}s?\b", text.lower())]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.relative_to(ROOT / "templates").as_posix())
def test_a_page_has_no_word_that_only_makers_know_and_nothing_inline(path: Path) -> None:
    """Eis 6.3; Eis 6.14; Eis V10."""
    text = _CODE.sub(" ", path.read_text(encoding="utf-8"))
    assert banned(_MARKUP.sub(" ", text)) == []
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)|javascript:", text)


def test_no_text_that_the_code_says_has_a_word_that_only_makers_know() -> None:
    """Eis 6.14; Eis V10: also what stands in code, in variables and in tags of templates, of which no template shows it."""
    said = [words for found in texts() for words in (found.one, found.many)]
    assert len(said) > 1000
    assert [words for words in said if banned(_MARKUP.sub(" ", _NOT_OURS.sub(" ", words)))] == []


def test_a_word_that_only_makers_know_is_seen_wherever_it_stands() -> None:
    assert banned("De query duurt te lang: een TIMEOUT.") == ["query", "timeout"]
    assert banned("De bron antwoordt niet.") == []
