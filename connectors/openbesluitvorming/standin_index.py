"""The stand-in's index: how words are cut, matched, ordered and scanned (platform page, section 3.1).

One row for each item and one for each page of a paper, as the platform has it. No stemming, accents count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from connectors.council_papers.desk import PDF
from connectors.council_papers.papers import AgendaItem, Meeting, Motion, Paper
from connectors.openbesluitvorming.standin_entities import Entities, sort_moment, stamp

_WORD = re.compile(r"[^\W_]+")
_TAG = re.compile(r"<[^>]*>")
_TITLE_WEIGHT = 8


def words_of(text: str) -> list[str]:
    """The words of a text: lower case, cut at everything that is no letter or digit."""
    return _WORD.findall(text.lower())


class Text:
    """A text in which words and phrases are looked for."""

    __slots__ = ("_joined", "_words", "plain")

    def __init__(self, plain: str) -> None:
        words = words_of(plain)
        self.plain = plain
        self._joined = f" {' '.join(words)} "
        self._words = frozenset(words)

    def __contains__(self, term: str) -> bool:
        return term in self._words if " " not in term else f" {term} " in self._joined

    def count(self, term: str) -> int:
        """How often a term occurs."""
        return self._joined.count(f" {term} ")


@dataclass(frozen=True, slots=True)
class Row:
    """One item as the index holds it. ``pages`` is empty where no pages were read."""

    entity_id: str
    kind: str
    entity: Meeting | Paper | Motion
    key: str
    sort_date: str
    title: Text
    classification: Text
    content: Text
    pages: tuple[Text, ...]

    def holds(self, term: str) -> bool:
        """Whether the item holds the term; a phrase is not looked for in the classification."""
        return term in self.title or term in self.content or (" " not in term and term in self.classification)

    def score(self, terms: Iterable[str]) -> int:
        """How well the item fits: occurrences in the title count most."""
        return sum(self.title.count(term) * _TITLE_WEIGHT + self.content.count(term) for term in terms)


def index(entities: Entities) -> tuple[Row, ...]:
    """A row for each item that is served."""
    return tuple(_row(entity_id, entity, entities) for entity_id, entity in entities.by_id.items())


def _row(entity_id: str, entity: Meeting | Paper | Motion, entities: Entities) -> Row:
    pages: tuple[str, ...] = ()
    match entity:
        case Meeting():
            kind, classification = "Meeting", "Agenda"
            content = " ".join(_agenda_words(entity.agenda, entities))
        case Paper():
            kind, classification, content = "Document", entity.form.value, entity.text
            pages = entity.pages if entity.content_type == PDF else ()
        case Motion():
            kind, classification = "Motion", "Moties"
            content = " ".join(("Amendement" if entity.is_amendment else "Motie", entity.result, *entity.parties))
    moment = sort_moment(entity)
    return Row(
        entity_id=entity_id,
        kind=kind,
        entity=entity,
        key=entity.body.key,
        sort_date=stamp(moment) if moment else "",
        title=Text(entity.title),
        classification=Text(classification),
        content=Text(content),
        pages=tuple(Text(page) for page in pages),
    )


def _agenda_words(items: Sequence[AgendaItem], entities: Entities) -> Iterator[str]:
    """What of an agenda can be found: number, title, description and the names of the papers of each item."""
    for item in items:
        yield item.number
        yield item.title
        yield _TAG.sub(" ", item.description)
        yield from (entities.papers[native].title for native in item.papers)
        yield from _agenda_words(item.items, entities)


def ordered(rows: Iterable[Row], sort: str, terms: Sequence[str] = ()) -> list[Row]:
    """The rows in the order of ``sort``; those without a date come last in both directions of time."""
    found = sorted(rows, key=lambda row: row.entity_id)
    match sort:
        case "title_asc":
            return sorted(found, key=lambda row: row.title.plain.casefold())
        case "relevance" if terms:
            return sorted(found, key=lambda row: -row.score(terms))
        case "date_asc":
            return sorted(found, key=lambda row: (not row.sort_date, row.sort_date))
        case _:
            dated = sorted((row for row in found if row.sort_date), key=lambda row: row.sort_date, reverse=True)
            return [*dated, *(row for row in found if not row.sort_date)]
