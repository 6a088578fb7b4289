"""The passages of a document in which words occur, with what stands around them. Pure.

Headings count, as they do for who reads. A word is found as a whole, whatever its case and accents. Only when nothing stands
anywhere as a whole is it looked for in words that were broken off at the end of a line and over the border of two pages, and
then within longer words, which the answer says. A number is never found within a longer one (field report 43).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Final

from connectors.records import Document, Passage, Term

# A soft hyphen is no end of a word, wherever the line breaks. A hyphen at the end of a line may belong to the word or not.
_WORD: Final = re.compile(r"[^\W_]+(?:\u00ad\s*[^\W_]+)*")
_BROKEN_WORD: Final = re.compile(r"[^\W_]+(?:(?:\u00ad\s*|-\r?\n)[^\W_]+)*")
_BREAK: Final = re.compile(r"\u00ad\s*|-\r?\n")
_AROUND: Final = 220
_MOST_FRAGMENTS: Final = 3
_SHORTEST_PART: Final = 4
_BEYOND: Final = 500  # longer than any question, so than any group of words


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
    plain = [_Page(passage, _with_heading(passage)) for passage in document.passages]
    broken = [replace(page, word=_BROKEN_WORD) for page in plain]
    for pages, within in ((plain, False), (list(_running_on(broken)), False), (broken, True)):
        found = [one for page in pages if (one := _found(page, wanted, within=within))]
        if found:
            ordered = sorted(found, key=lambda one: (-one.terms, one.passage.number))
            return Looked(tuple(ordered), within)
    return Looked(())


@dataclass(frozen=True, slots=True)
class _Page:
    """A passage as it is searched. What stands behind ``text`` in ``beyond`` is of the next one: nothing begins there."""

    passage: Passage
    text: str
    beyond: str = ""
    word: re.Pattern[str] = _WORD


def _with_heading(passage: Passage) -> str:
    """Heading and text, as who reads sees them; a heading with which the text begins counts once."""
    if not passage.heading or passage.text.lstrip().startswith(passage.heading):
        return passage.text
    return f"{passage.heading}\n{passage.text}"


def _running_on(pages: Sequence[_Page]) -> Iterator[_Page]:
    """Each passage with the beginning of the next, where none is missing in between."""
    for page, following in zip_longest(pages, pages[1:]):
        near = following is not None and following.passage.number == page.passage.number + 1
        yield replace(page, beyond=f"\n{following.passage.text[:_BEYOND]}") if near else page


def _found(page: _Page, wanted: Sequence[tuple[str, ...]], *, within: bool) -> Found | None:
    text = page.text + page.beyond
    tokens = [_Token(word.start(), word.end(), bare(_BREAK.sub("", word[0]))) for word in page.word.finditer(text)]
    spans = [[span for span in _spans(tokens, words, within=within) if span[0] < len(page.text)] for words in wanted]
    terms = sum(bool(one) for one in spans)
    if not terms:
        return None
    every = sorted(span for one in spans for span in one)
    return Found(page.passage, terms, len(every), tuple(_fragments(text, every)))


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
