"""Words looked for within one document: where they stand and how often, in whatever markup the text has.

A word of at most three letters has to be the whole word; a longer one may be part of it, because Dutch writes words together
("subsidie" stands in "energiesubsidie"). Words between quotes have to follow each other. Nothing here is kept or logged.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import Final

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from connectors.records import Passage
from search.markup import to_html
from search.question import read_question

_WHOLE: Final = 3
"""Up to so many letters only a whole word counts."""
_PIECE: Final = re.compile(r'<[^>"]*(?:"[^"]*"[^>"]*)*>|&(?:#\w+|\w+);|([^\W_]+)')
_MARKS: Final = re.compile("[\u0300-\u036f]+")


Begins = dict[str, tuple[tuple[str, ...], ...]]
"""For each word of a text the terms that begin with it. Lives as long as one page is made: it holds what somebody looks for."""


@dataclass(frozen=True, slots=True)
class FoundText:
    """Heading and text of a passage as safe HTML with the words marked, and how often what was looked for stands in them."""

    heading: SafeString
    html: SafeString
    count: int = 0


@dataclass(frozen=True, slots=True)
class Finder:
    """What somebody looks for in a document; without terms nothing is marked. ``typed`` shows in no log."""

    typed: str = field(default="", repr=False)
    terms: tuple[tuple[str, ...], ...] = field(default=(), repr=False)

    def __bool__(self) -> bool:
        return bool(self.terms)

    def found_in(self, passage: Passage, known: Begins) -> FoundText:
        """The passage with the words marked. ``known`` is filled: one for all passages of a document."""
        heading, above = self._marked(escape(passage.heading), passage.heading, known)
        html, count = self._marked(to_html(passage), passage.text, known)
        return FoundText(heading, html, above + count)

    def _marked(self, html: SafeString, text: str, known: Begins) -> tuple[SafeString, int]:
        """The markup of ``text`` with the words marked, and how often they stand in it."""
        plain = bare(text)
        if not any(word in plain for words in self.terms for word in words[:1]):
            return html, 0
        places = [match.span(1) for match in _PIECE.finditer(html) if match[1]]
        words = [html[start:end] for start, end in places]
        count, hit = 0, set[int]()
        for at, word in enumerate(words):
            begun = known.get(word)
            if begun is None:
                begun = known[word] = tuple(term for term in self.terms if _begins(term, bare(word)))
            for term in begun:
                if len(term) == 1 or _goes_on(term, words[at : at + len(term)]):
                    count += 1
                    hit.update(range(at, at + len(term)))
        pieces, last = list[str](), 0
        for at in sorted(hit):
            start, end = places[at]
            pieces += [html[last:start], "<mark>", html[start:end], "</mark>"]
            last = end
        pieces.append(html[last:])
        return mark_safe("".join(pieces)), count  # noqa: S308 - safe HTML, with marks around words of its text


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


def _begins(term: tuple[str, ...], word: str) -> bool:
    """Whether a word is what is looked for, or the first word of it."""
    wanted = term[0]
    return word == wanted or (len(term) == 1 and len(wanted) > _WHOLE and wanted in word)


def _goes_on(term: tuple[str, ...], there: list[str]) -> bool:
    """Whether words follow each other as those of a term; the last may be longer."""
    words = [bare(word) for word in there]
    return len(words) == len(term) and words[:-1] == list(term[:-1]) and words[-1].startswith(term[-1])
