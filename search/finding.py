"""Words looked for within one document: where they stand and how often, in whatever markup the text has.

A word of at most three letters has to be the whole word; a longer one may be part of it, because Dutch writes words together
("subsidie" stands in "energiesubsidie"). Words between quotes have to follow each other. Nothing here is kept or logged.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import Final

from django.utils.safestring import SafeString, mark_safe

from connectors.records import Passage
from search.markup import to_html
from search.question import read_question

_WHOLE: Final = 3
"""Up to so many letters only a whole word counts."""
_PIECE: Final = re.compile(r'<[^>"]*(?:"[^"]*"[^>"]*)*>|&(?:#\w+|\w+);|([^\W_]+)')
_MARKS: Final = re.compile("[\u0300-\u036f]+")


@dataclass(frozen=True, slots=True)
class FoundText:
    """The text of a passage as safe HTML with the words marked, and how often what was looked for stands in it."""

    html: SafeString
    count: int = 0


@dataclass(frozen=True, slots=True)
class Finder:
    """What somebody looks for in a document; without terms nothing is marked. ``typed`` shows in no log."""

    typed: str = field(default="", repr=False)
    terms: tuple[tuple[str, ...], ...] = field(default=(), repr=False)

    def __bool__(self) -> bool:
        return bool(self.terms)

    def found_in(self, passage: Passage) -> FoundText:
        """The passage with the words marked."""
        html = to_html(passage)
        plain = bare(passage.text)
        if not any(word in plain for words in self.terms for word in words[:1]):
            return FoundText(html)
        return self._marked(html)

    def _marked(self, html: SafeString) -> FoundText:
        places = [match.span(1) for match in _PIECE.finditer(html) if match[1]]
        words = [bare(html[start:end]) for start, end in places]
        count, hit = 0, set[int]()
        for at in range(len(words)):
            for term in self.terms:
                if _stands(term, words, at):
                    count += 1
                    hit.update(range(at, at + len(term)))
        pieces, last = list[str](), 0
        for at in sorted(hit):
            start, end = places[at]
            pieces += [html[last:start], "<mark>", html[start:end], "</mark>"]
            last = end
        pieces.append(html[last:])
        return FoundText(mark_safe("".join(pieces)), count)  # noqa: S308 - safe HTML, with marks around words of its text


def read_finder(typed: str, most: int) -> Finder:
    """What to look for. Longer than ``most`` characters, or without a letter or digit, it is nothing."""
    if len(typed) > most:
        return Finder()
    question = read_question(typed)
    terms = dict.fromkeys(tuple(map(bare, term.words)) for term in question.text.terms)
    return Finder(question.typed, tuple(terms))


def bare(text: str) -> str:
    """Letters without accents and capitals."""
    if text.isascii():
        return text.lower()
    return _MARKS.sub("", unicodedata.normalize("NFKD", text)).casefold()


def _stands(term: tuple[str, ...], words: list[str], at: int) -> bool:
    """Whether a word, or words that follow each other, stand at a place; the last word of several may go on."""
    if len(term) == 1:
        wanted = term[0]
        return words[at] == wanted or (len(wanted) > _WHOLE and wanted in words[at])
    there = words[at : at + len(term)]
    return there[:-1] == list(term[:-1]) and len(there) == len(term) and there[-1].startswith(term[-1])
