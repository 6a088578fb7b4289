"""What templates may hold: nothing inline, and no word that only makers know."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import besluitbron

ROOT = Path(besluitbron.__file__).parent.parent
TEMPLATES = sorted(path for path in (ROOT / "templates").rglob("*.html") if not {"admin", "beheer"} & set(path.parts))
WORDS = (ROOT / "docs" / "woordenlijst.md").read_text(encoding="utf-8")
BANNED = re.search(r"Woorden die niet op een pagina horen: (.+)\.", WORDS)
_CODE = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
_MARKUP = re.compile(r"<[^>]*>")


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.relative_to(ROOT / "templates").as_posix())
def test_a_page_has_no_word_that_only_makers_know_and_nothing_inline(path: Path) -> None:
    """Eis 6.3; Eis 6.14; Eis V10."""
    text = _CODE.sub(" ", path.read_text(encoding="utf-8"))
    assert BANNED is not None
    said = _MARKUP.sub(" ", text).lower()
    assert [word for word in BANNED[1].split(", ") if re.search(rf"\b{word}s?\b", said)] == []
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)|javascript:", text)
