"""The passages of a document in which words occur, with what stands around them. Pure.

A word is found as a whole, whatever its case and accents; only when it stands nowhere as a whole is it looked for within longer
words, and then the answer says so. A number is never found within a longer one (field report 43).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from connectors.records import Document, Passage, Term

_WORD: Final = re.compile(r"[^\W_]+")
_AROUND: Final = 220
_MOST_FRAGMENTS: Final = 3
_SHORTEST_PART: Final = 4


@dataclass(frozen=True, slots=True)
class Fragment:
    """A stretch of a passage around words that were found."""

    text: str
    found: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A passage with words: how many of the terms occur in it, how often in all, and the first stretches."""

    passage: Passage
    terms: int
    count: int
    fragments: tuple[Fragment, ...]


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found, passages with most of the terms first. ``within``: terms stand within longer words only."""

    found: tuple[Found, ...]
    within: bool = False


@dataclass(frozen=True, slots=True)
class _Token:
    begin: int
    end: int
    word: str


def bare(word: str) -> str:
    """A word without case and accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c)).casefold()


def look(document: Document, terms: Sequence[Term]) -> Looked:
    """The passages in which terms occur."""
    wanted = [tuple(bare(word) for word in term.words) for term in terms]
    for within in (False, True):
        found = [one for passage in document.passages if (one := _found(passage, wanted, within=within))]
        if found:
            ordered = sorted(found, key=lambda one: (-one.terms, one.passage.number))
            return Looked(tuple(ordered), within)
    return Looked(())


def _found(passage: Passage, wanted: Sequence[tuple[str, ...]], *, within: bool) -> Found | None:
    tokens = [_Token(word.start(), word.end(), bare(word[0])) for word in _WORD.finditer(passage.text)]
    spans = [list(_spans(tokens, words, within=within)) for words in wanted]
    terms = sum(bool(one) for one in spans)
    if not terms:
        return None
    every = sorted(span for one in spans for span in one)
    return Found(passage, terms, len(every), tuple(_fragments(passage.text, every)))


def _spans(tokens: Sequence[_Token], words: tuple[str, ...], *, within: bool) -> Iterator[tuple[int, int]]:
    """Where the words stand one after another."""
    for at in range(len(tokens) - len(words) + 1):
        stretch = tokens[at : at + len(words)]
        if all(_is(token.word, word, within=within) for token, word in zip(stretch, words, strict=True)):
            yield stretch[0].begin, stretch[-1].end


def _is(token: str, word: str, *, within: bool) -> bool:
    if token == word:
        return True
    return within and len(word) >= _SHORTEST_PART and not any(sign.isdigit() for sign in word) and word in token


def _fragments(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[Fragment]:
    """The first stretches; words that stand close together share one."""
    made, at = 0, 0
    while at < len(spans) and made < _MOST_FRAGMENTS:
        begin = max(spans[at][0] - _AROUND, 0)
        end, words = spans[at][1] + _AROUND, []
        while at < len(spans) and spans[at][0] < end:
            words.append(text[slice(*spans[at])])
            end = max(end, spans[at][1])
            at += 1
        made += 1
        yield Fragment(_cut(text, begin, end), tuple(dict.fromkeys(words)))


def _cut(text: str, begin: int, end: int) -> str:
    """A stretch of text that begins and ends at a word, with dots where more stands."""
    before, after = "… " if begin else "", " …" if end < len(text) else ""
    stretch = text[begin:end]
    if before:
        stretch = stretch[stretch.find(" ") + 1 :] if " " in stretch[:40] else stretch
    if after:
        stretch = stretch[: stretch.rfind(" ")] if " " in stretch[-40:] else stretch
    return f"{before}{stretch.strip()}{after}"
