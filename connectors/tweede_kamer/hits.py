"""Rows of a search as hits. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from connectors.calls import Answer
from connectors.kamer_body import kamer_at
from connectors.kamer_words import kind_of, line
from connectors.records import DateMeaning, Hit, Kind, Moment
from connectors.sameness import kamer_key
from connectors.tweede_kamer.answers import KEY, rows_of
from connectors.tweede_kamer.ids import Entity, id_of
from connectors.tweede_kamer.pages import Pages
from connectors.tweede_kamer.plan import DATE_FIELD, Stream
from connectors.tweede_kamer.values import Row, moment

ORGANISATION: Final = kamer_at(KEY)
_MEANINGS: Final = {
    Entity.DOCUMENT: DateMeaning.DOCUMENT,
    Entity.ACTIVITY: DateMeaning.MEETING,
    Entity.COMMITMENT: DateMeaning.COMMITMENT,
    Entity.MEETING: DateMeaning.MEETING,
}
_LONGEST_SNIPPET: Final = 300
_LONGEST_TITLE: Final = 120
_BEFORE: Final = 80


@dataclass(frozen=True, slots=True)
class HitPage:
    """One page of a stream. ``given`` counts the rows that came, ``left_out`` those that could not be read."""

    hits: tuple[Hit, ...]
    given: int
    count: int | None
    left_out: int
    stream: Stream

    @property
    def has_more(self) -> bool:
        """Whether the stream goes on behind this page."""
        reached = self.stream.skip + self.given
        return bool(self.given) and (reached < self.count if self.count is not None else self.given >= self.stream.size)

    @property
    def is_short(self) -> bool:
        """Whether fewer rows came than were asked although there are more: our next page begins behind the gap."""
        return self.has_more and self.given < self.stream.size

    @property
    def is_empty_promise(self) -> bool:
        """Whether the platform names rows here and gives none (field report 1)."""
        return not self.given and self.count is not None and self.count > self.stream.skip


def hit_page(answer: Answer, stream: Stream, pages: Pages) -> HitPage:
    """The hits of an answer to ``search_call``. A row without an id or a title is left out and counted."""
    found = rows_of(answer)
    hits: list[Hit] = []
    unread = found.left_out
    for row in found.rows:
        if not _is_asked(row, stream):
            continue
        hit = hit_of(row, stream.entity, pages, answer.fetched_at, stream.words)
        if hit is None:
            unread += 1
        else:
            hits.append(hit)
    return HitPage(tuple(hits), found.given, found.count, unread, stream)


def hit_of(row: Row, entity: Entity, pages: Pages, fetched_at: datetime, words: tuple[str, ...] = ()) -> Hit | None:
    """A row as a hit; None when it has no id or nothing to be called by. Its snippet shows the first of ``words``."""
    upstream_id = id_of(entity, number_of(row, entity, pages), row.get("Id"))
    title = title_of(row, entity)
    if upstream_id is None or not title:
        return None
    soort = line(row.get("Soort"))
    return Hit(
        platform=KEY,
        upstream_id=upstream_id,
        title=title,
        organisation=ORGANISATION.name,
        organisation_id=ORGANISATION.id,
        kind=kind_at(entity, soort),
        kind_at_source=word_at(entity, soort),
        date=date_of(row, entity),
        snippet=_excerpt(_beside(row, entity, title, pages), words),
        address=pages.of(row, upstream_id),
        original=pages.file(row, upstream_id),
        fetched_at=fetched_at,
        same_as=(kamer_key(upstream_id),),
    )


def number_of(row: Row, entity: Entity, pages: Pages) -> object:
    """The number by which people cite a row, under the name that this version has for it."""
    return row.get(pages.version.document_number if entity is Entity.DOCUMENT else "Nummer")


def kind_at(entity: Entity, soort: str) -> Kind:
    """Our kind for a row."""
    match entity:
        case Entity.ACTIVITY:
            return Kind.VERGADERING
        case Entity.COMMITMENT:
            return Kind.TOEZEGGING
        case Entity.MEETING:
            return Kind.VERSLAG
        case _:
            return kind_of(soort)


def word_at(entity: Entity, soort: str) -> str:
    """The platform's own word: the ``Soort`` of a row, or the name of its entity set where it has none."""
    return f"Vergadering ({soort.lower()})" if entity is Entity.MEETING and soort else soort or entity.value


def title_of(row: Row, entity: Entity) -> str:
    """What a row is called. ``Titel`` of a document is mostly that of its dossier: the subject goes first (section 4)."""
    match entity:
        case Entity.COMMITMENT:
            return _shortened(line(row.get("Tekst")), _LONGEST_TITLE) or line(row.get("Nummer"))
        case Entity.MEETING:
            return line(row.get("Titel"))
        case _:
            return line(row.get("Onderwerp")) or line(row.get("Titel")) or line(row.get("Citeertitel"))


def date_of(row: Row, entity: Entity) -> Moment | None:
    """The date by which rows of this entity set are ordered; with the hour at which a meeting begins."""
    field = "GestartOp" if entity is Entity.CASE else DATE_FIELD[entity]
    found = moment(row.get(field), _MEANINGS.get(entity, DateMeaning.DOCUMENT))
    if found is not None and found.at is None and entity in {Entity.MEETING, Entity.ACTIVITY}:
        start = moment(row.get("Aanvangstijd"), DateMeaning.MEETING)
        return start if start is not None and start.day == found.day else found
    return found


def _beside(row: Row, entity: Entity, title: str, pages: Pages) -> str:
    match entity:
        case Entity.COMMITMENT:
            parts: Iterator[object] = iter((row.get("Tekst"), row.get("Status"), row.get("Ministerie")))
        case Entity.ACTIVITY:
            parts = iter((row.get("Status"), row.get(pages.version.lead_committee)))
        case Entity.MEETING:
            parts = iter((row.get("Zaal"), row.get("Vergaderjaar")))
        case _:
            parts = iter((row.get("Titel"),))
    texts = (text for part in parts if (text := line(part)) and text != title)
    return " · ".join(texts)


def _is_asked(row: Row, stream: Stream) -> bool:
    """Whether a row is among what was asked, as far as the platform does not see to that itself."""
    if stream.own_kinds and kind_of(line(row.get("Soort"))) not in stream.own_kinds:
        return False
    held = " ".join(line(row.get(field)) for field in stream.searched).casefold()
    return all(text.casefold() in held for text in stream.own)


def _excerpt(text: str, words: tuple[str, ...]) -> str:
    """``text``, or of a long one the part around the first word that was looked for."""
    lower = text.lower()
    places = [at for word in words if (at := lower.find(word.lower())) >= 0]
    if len(text) <= _LONGEST_SNIPPET or not places or min(places) < _LONGEST_SNIPPET - _BEFORE:
        return _shortened(text, _LONGEST_SNIPPET)
    start = text.rfind(" ", 0, min(places) - _BEFORE) + 1
    return f"… {_shortened(text[start:], _LONGEST_SNIPPET)}"


def _shortened(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    return f"{text[:most].rsplit(' ', 1)[0]} …"
