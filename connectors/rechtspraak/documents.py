"""What the parsers read, as hits and documents of BesluitBron. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Final
from urllib.parse import quote

from connectors.platforms import RECHTSPRAAK
from connectors.rechtspraak.courts import court_named
from connectors.rechtspraak.ecli import court_code, parse_ecli
from connectors.rechtspraak.parse_atom import AtomRow
from connectors.rechtspraak.parse_content import Reference, Relation, Ruling
from connectors.rechtspraak.parse_website import WebsiteRow
from connectors.rechtspraak.requests import OpenDataKind
from connectors.rechtspraak.titles import Title, join_title
from connectors.records import DateMeaning, Detail, Document, Hit, Kind, Moment, Note, NoteCode, Related, TextState

_CITE: Final = "https://deeplink.rechtspraak.nl/uitspraak?id="
_OPINION_COURT: Final = "PHR"
_KINDS: Final = {"uitspraak": Kind.UITSPRAAK, "conclusie": Kind.CONCLUSIE}
_WORDS: Final = {Kind.UITSPRAAK: OpenDataKind.RULING.value, Kind.CONCLUSIE: OpenDataKind.OPINION.value}
_BWB: Final = re.compile(r"BWB[A-Z][0-9]{7}")


def cite_address(ecli: str) -> str:
    """The address that the platform gives out for citing (section A8); it leads to the page of the day."""
    return f"{_CITE}{quote(ecli, safe=':')}"


def original_address(ecli: str) -> str:
    """The address of the XML at Open Data."""
    return f"{RECHTSPRAAK.service('open-data').live_address}/uitspraken/content?id={quote(ecli, safe=':')}"


def kind_of(word: str, ecli: str) -> Kind:
    """Our kind for the platform's word. Without a word (the feed has none) the court tells: the Parket gives opinions."""
    if not word:
        return Kind.CONCLUSIE if court_code(ecli) == _OPINION_COURT else Kind.UITSPRAAK
    return _KINDS.get(word.lower(), Kind.DOCUMENT)


def word_of(kind: Kind, word: str) -> str:
    """The platform's word for a kind, as Open Data writes it: the website writes it small, and the feed leaves it out."""
    return _WORDS.get(kind, word)


def hit_of_website(row: WebsiteRow, fetched_at: datetime) -> Hit:
    """A result of the website's search as a hit."""
    title = Title(row.title.text, row.title.court, row.day)
    return _hit(row.ecli, title, row.product, row.fragment, fetched_at)


def hit_of_atom(row: AtomRow, asked_kind: str, fetched_at: datetime) -> Hit:
    """An entry of the feed as a hit. ``asked_kind`` is the value of ``type`` that was asked for, or empty."""
    return _hit(row.ecli, row.title, asked_kind, row.summary, fetched_at)


def hit_of_ruling(ruling: Ruling, fetched_at: datetime) -> Hit:
    """A decision that was looked up as a hit."""
    title = Title(title_of(ruling), ruling.court, ruling.decided)
    return _hit(ruling.ecli, title, ruling.kind, " ".join(ruling.abstract.split()), fetched_at)


def _hit(ecli: str, title: Title, word: str, snippet: str, fetched_at: datetime) -> Hit:
    kind = kind_of(word, ecli)
    organisation = court_named(title.court, ecli)
    return Hit(
        platform=RECHTSPRAAK.key,
        upstream_id=ecli,
        title=title.text or ecli,
        organisation=title.court or (organisation.name if organisation else ""),
        organisation_id=organisation.id if organisation else None,
        kind=kind,
        kind_at_source=word_of(kind, word),
        date=Moment(title.day, _meaning(kind)) if title.day else None,
        snippet=snippet,
        address=cite_address(ecli),
        original=original_address(ecli),
        fetched_at=fetched_at,
    )


def _meaning(kind: Kind) -> DateMeaning:
    return DateMeaning.CONCLUSION if kind is Kind.CONCLUSIE else DateMeaning.DECISION


def title_of(ruling: Ruling) -> str:
    """The title in the form of the website's search, so that one decision has one title everywhere."""
    day = f"{ruling.decided:%d-%m-%Y}" if ruling.decided else ""
    return join_title(ruling.court, day, ", ".join(ruling.case_numbers)) or ruling.ecli


def document_of(ruling: Ruling, fetched_at: datetime, *, holds_all: bool = True) -> Document:
    """A decision with its text as a document. ``holds_all``: whether other decisions can be opened where this one came from."""
    kind = kind_of(ruling.kind, ruling.ecli)
    organisation = court_named(ruling.court, ruling.ecli)
    return Document(
        platform=RECHTSPRAAK.key,
        upstream_id=ruling.ecli,
        title=title_of(ruling),
        organisation=ruling.court or (organisation.name if organisation else ""),
        organisation_id=organisation.id if organisation else None,
        kind=kind,
        kind_at_source=word_of(kind, ruling.kind),
        dates=tuple(_dates(ruling, kind)),
        passages=ruling.passages,
        text_state=TextState.FULL if ruling.passages else TextState.NONE,
        address=cite_address(ruling.ecli),
        original=original_address(ruling.ecli),
        fetched_at=fetched_at,
        abstract=ruling.abstract,
        details=tuple(_details(ruling)),
        related=tuple(item if holds_all else _led_outside(item) for item in _related(ruling)),
        notes=tuple(_notes(ruling)),
    )


def _dates(ruling: Ruling, kind: Kind) -> Iterator[Moment]:
    """Plain days: the moments of ``modified`` carry no zone, so no hour is claimed (field report 10)."""
    meanings = (
        (ruling.decided, _meaning(kind)),
        (ruling.published, DateMeaning.PUBLICATION),
        (ruling.changed, DateMeaning.CHANGE),
    )
    return (Moment(day, meaning) for day, meaning in meanings if day)


def _details(ruling: Ruling) -> Iterator[Detail]:
    yield Detail("ECLI", ruling.ecli)
    lists = (
        ("Zaaknummer", ruling.case_numbers),
        ("Rechtsgebied", ruling.subjects),
        ("Procedure", ruling.procedures),
        ("Zittingsplaats", ruling.places),
        ("Periode", ruling.periods),
        ("Vindplaats", ruling.published_in),
        ("Vervangt", ruling.replaces),
    )
    for label, values in lists:
        yield from (Detail(label, value) for value in values)
    for reference in ruling.references:
        if reference.text and _address_of(reference) is None and parse_ecli(reference.identifier) is None:
            yield Detail(reference.label or "Verwijzing", reference.text)
    if ruling.registered:
        yield Detail("ECLI vastgelegd op", f"{ruling.registered:%d-%m-%Y}")


def _related(ruling: Ruling) -> Iterator[Related]:
    if ruling.replaced_by:
        yield Related("Vervangen door", ruling.replaced_by, parse_ecli(ruling.replaced_by))
    yield from (_formal(relation) for relation in ruling.relations if relation.text)
    for reference in ruling.references:
        ecli, address = parse_ecli(reference.identifier), _address_of(reference)
        if ecli or address:
            label = reference.label or "Verwijzing"
            yield Related(label, reference.text or reference.identifier, ecli, None if ecli else address)


def _led_outside(item: Related) -> Related:
    """The same, with the platform's own page of a decision instead of ours."""
    if item.upstream_id is None:
        return item
    return replace(item, upstream_id=None, address=cite_address(item.upstream_id))


def _formal(relation: Relation) -> Related:
    """Take "Eerste aanleg: ECLI:…, Bevestiging" apart: the relation, the ECLI, and its outcome behind it."""
    before, found, after = relation.text.partition(relation.ecli) if relation.ecli else ("", "", relation.text)
    outcome = after.strip(" ,")
    if not found:
        return Related("Formele relatie", outcome, relation.ecli)
    return Related(before.strip(" :") or "Formele relatie", f"{found}, {outcome}" if outcome else found, relation.ecli)


def _address_of(reference: Reference) -> str | None:
    """The page of a law: its number in the national collection is the last part of the address at wetten.overheid.nl."""
    number = _BWB.search(reference.identifier)
    return f"https://wetten.overheid.nl/{number[0]}" if number else None


def _notes(ruling: Ruling) -> Iterator[Note]:
    if not ruling.passages:
        yield Note(NoteCode.WITHOUT_TEXT)
    if ruling.replaced_by:
        yield Note(NoteCode.REPLACED, (ruling.replaced_by,))
