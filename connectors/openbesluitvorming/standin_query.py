"""How the platform reads the text of a query (platform page, section 3.1).

Words are ANDed; double quotes make a phrase; an unbalanced quote is dropped. A run of at most four words that spells the label
or key of an organisation also matches that organisation, the longest run first. Without a phrase in it, a query with a word
that ends in "vergadering" or "besluitenlijst" is widened: as a whole, or any of the synonyms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from connectors.openbesluitvorming.standin_catalogue import sources
from connectors.openbesluitvorming.standin_index import Row, Text, words_of

_MOST_WORDS_OF_A_NAME = 4
_SLOP = re.compile(r'"[^"]*"~[0-9]')
_PHRASE = re.compile(r'"([^"]*)"')
_SYNONYMS = (
    ("vergadering", ("vergadering",)),
    ("besluitenlijst", ("besluitenlijst",)),
    ("raadsvergadering", ("raad", "vergadering")),
    ("commissievergadering", ("commissie", "vergadering")),
)


@dataclass(frozen=True, slots=True)
class Clause:
    """Terms that must all be held, unless the item is of one of ``organisations``."""

    terms: tuple[str, ...]
    organisations: tuple[str, ...] = ()

    def matches(self, row: Row) -> bool:
        """Whether the item fits."""
        return row.key in self.organisations or all(row.holds(term) for term in self.terms)

    def matches_page(self, page: Text, key: str) -> bool:
        """Whether one page of an item of the organisation ``key`` fits."""
        return key in self.organisations or all(term in page for term in self.terms)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A query as read: one of ``alternatives`` must fit, each of them clauses that must all fit."""

    alternatives: tuple[tuple[Clause, ...], ...]

    @property
    def terms(self) -> tuple[str, ...]:
        """All terms, for the score and for the marks in a snippet."""
        return tuple(
            dict.fromkeys(term for clauses in self.alternatives for clause in clauses for term in clause.terms)
        )

    def matches(self, row: Row) -> bool:
        """Whether the item fits. A query of nothing but punctuation fits nothing."""
        return any(clauses and all(clause.matches(row) for clause in clauses) for clauses in self.alternatives)

    def matches_page(self, page: Text, key: str) -> bool:
        """Whether one page fits by itself."""
        return any(
            clauses and all(clause.matches_page(page, key) for clause in clauses) for clauses in self.alternatives
        )


def has_slop(text: str) -> bool:
    """Whether the text holds a phrase with a distance, which the platform refuses."""
    return bool(_SLOP.search(text))


def read(text: str) -> Wanted:
    """The query in ``text``."""
    phrases, rest = _split(text)
    clauses = tuple(
        [Clause((" ".join(words),)) for phrase in phrases if (words := words_of(phrase))]
        + list(_with_organisations(rest))
    )
    if phrases:
        return Wanted((clauses,))
    return Wanted((clauses, *((Clause((synonym,)),) for synonym in _widened(text))))


def _split(text: str) -> tuple[list[str], str]:
    """The phrases and what is left. With an odd number of quotes the last one is dropped."""
    if text.count('"') % 2:
        before, _, after = text.rpartition('"')
        text = f"{before} {after}"
    return _PHRASE.findall(text), _PHRASE.sub(" ", text)


def _widened(text: str) -> list[str]:
    words = text.lower().split()
    found = [
        synonym
        for word in words
        for ending, synonyms in _SYNONYMS
        if word.endswith(ending)
        for synonym in synonyms
        if word != synonym
    ]
    return list(dict.fromkeys(found))


def _with_organisations(text: str) -> Iterator[Clause]:
    words = words_of(text)
    place = 0
    while place < len(words):
        for length in range(min(_MOST_WORDS_OF_A_NAME, len(words) - place), 0, -1):
            run = tuple(words[place : place + length])
            keys = _names().get(run)
            if keys or length == 1:
                yield Clause(run, keys or ())
                place += length
                break


@cache
def _names() -> dict[tuple[str, ...], tuple[str, ...]]:
    """The organisations by the words of their label and of their key."""
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for row in sources():
        for spelling in (row["key"], row["label"]):
            words = tuple(words_of(spelling))
            if words and row["key"] not in found.get(words, ()):
                found[words] = (*found.get(words, ()), row["key"])
    return found
