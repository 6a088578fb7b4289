"""From a document to what its page prints: facts, dates, votes, text with what somebody looks for marked in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from typing import Final

from connectors.language import Language, later, say, speaking
from connectors.moments import AMSTERDAM
from connectors.platforms import PLATFORMS, Platform
from connectors.records import Document, Note, Passage, TextState
from search import citations, document_words, reference_forms, texts
from search.elsewhere import Elsewhere
from search.finding import Begins, Finder, FoundText
from search.foreign import language_of
from search.parameters import read_day
from search.present import document_path, fetched, machine_date
from search.trial import file_words, is_ours
from search.vote_picture import VotePicture, vote_picture
from search.wholeness import PAGES

_NAMES: Final = {platform.key: platform.name for platform in PLATFORMS}
_OF_VOTES: Final = (
    "Voor",
    "Tegen",
    "Leden voor",
    "Leden tegen",
    "Niet deelgenomen",
    "Stemde anders dan de fractie",
    "Vergissing bij stemming",
    "Opmerking bij besluit",
)
"""Facts that belong to a vote (``connectors.tweede_kamer.votes``, ``connectors.opentk.cases``)."""
_DAY: Final = re.compile(r"\d{2}-\d{2}-\d{4}", re.ASCII)
Dates = tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartView:
    """One passage: its place on the page, its name ("Pagina 12"), its heading, and its text with how often was found."""

    number: int
    anchor: str
    name: str
    heading: str
    text: FoundText
    times: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """Parts that follow each other: shown, or folded under one line because nothing was found in them."""

    parts: tuple[PartView, ...]
    folded: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundView:
    """What came of finding. ``there``: the parts in which it was found."""

    typed: str
    sentence: str
    there: tuple[PartView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyView:
    """The same document at another platform."""

    name: str
    title: str
    link: str
    address: str
    address_words: str
    dates: Dates


@dataclass(frozen=True, slots=True, kw_only=True)
class ElsewhereView:
    """What other platforms have of it; ``perhaps``: who may have it, as long as nobody looked."""

    perhaps: tuple[str, ...] = ()
    looked: bool = False
    copies: tuple[CopyView, ...] = ()
    warnings: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentView:
    """One document as its page prints it: (label, value) facts, dates as (meaning, words, machine form).

    ``cut``: how much was read, where that is not all of it, and ``rest``: where the rest is, as (words, address or "").
    ``original_words``: what stands at its address when that is no page of the platform itself, else empty.
    """

    title: str
    language: str
    path: str
    platform: Platform
    kind: str
    facts: tuple[tuple[str, str], ...]
    dates: Dates
    abstract: str
    stretches: tuple[Stretch, ...]
    parts: tuple[PartView, ...]
    original_words: str
    file_words: str
    found: FoundView | None
    has_text: bool
    in_pages: bool
    citation: str
    citation_forms: tuple[tuple[str, str], ...]
    fetched: str
    fetched_at: str
    consulted: str
    consulted_on: str
    remarks: tuple[str, ...]
    cut: str
    rest: tuple[str, str]
    related: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    vote_facts: tuple[tuple[str, str], ...]
    picture: VotePicture | None
    perhaps: tuple[str, ...]
    document: Document


def document_view(
    document: Document,
    platform: Platform,
    now: datetime,
    finder: Finder = Finder(),  # noqa: B008 - a frozen value
    perhaps: Sequence[Platform] = (),
) -> DocumentView:
    """One document, as it is read at ``now``. ``perhaps``: the platforms that may have it as well."""
    today = now.astimezone(AMSTERDAM).date()
    parts = tuple(_parts(document.passages, finder))
    where = texts.leads_to(platform.name, document.address, document.original, document.archived)
    return DocumentView(
        title=document.title,
        language=language_of(document.title),
        path=document_path(document.platform, document.upstream_id),
        platform=platform,
        kind=say(document.kind.value),
        facts=tuple(_facts(document)),
        dates=_dates(document),
        abstract=document.abstract,
        stretches=tuple(_stretches(parts, finder)),
        parts=parts,
        original_words="" if where == texts.leads_to(platform.name, "", None, None) else where,
        file_words=file_words(document.original) if is_ours(document.original) else say("bestand bij de bron"),
        found=_found(parts, finder, document),
        has_text=bool(parts) and document.text_state is not TextState.NONE,
        in_pages=any(passage.is_page for passage in document.passages),
        citation=_citation(document, today),
        citation_forms=citation_forms(document, platform.name, today),
        fetched=fetched(document.fetched_at, today),
        fetched_at=document.fetched_at.isoformat(timespec="seconds"),
        consulted=texts.day(today),
        consulted_on=today.isoformat(),
        remarks=tuple(
            filter(
                None,
                (
                    texts.archived(document.archived),
                    document_words.apart(document),
                    *map(texts.note, _beside(document)),
                ),
            )
        ),
        cut=document_words.cut(document),
        rest=document_words.rest(document),
        related=tuple(_related(document)),
        vote_facts=tuple(_vote_facts(document)) if document.votes else (),
        picture=vote_picture(document.votes),
        perhaps=tuple(one.name for one in perhaps),
        document=document,
    )


def elsewhere_view(perhaps: Sequence[Platform], looked: Elsewhere | None) -> ElsewhereView:
    """What other platforms have; ``looked`` is None as long as nobody looked."""
    if looked is None:
        return ElsewhereView(perhaps=tuple(one.name for one in perhaps))
    return ElsewhereView(
        perhaps=tuple(one.name for one in perhaps),
        looked=True,
        copies=tuple(
            CopyView(
                name=_NAMES.get(one.platform, one.platform),
                title=one.title,
                link=document_path(one.platform, one.upstream_id),
                address=one.address,
                address_words=texts.leads_to(
                    _NAMES.get(one.platform, one.platform), one.address, one.original, one.archived
                ),
                dates=_dates(one),
            )
            for one in looked.copies
        ),
        warnings=tuple(one.warning for one in looked.disagreements),
        silent=tuple(one.name for one in looked.silent),
    )


def citation_forms(document: Document, source: str, today: date) -> tuple[tuple[str, str], ...]:
    """The citation in the forms of programs, each with the name of its form. One cites in the language of the document."""
    with speaking(Language.DUTCH):
        return (
            ("Markdown", reference_forms.markdown(document, citations.citation(document, today))),
            ("BibTeX", reference_forms.bibtex(document, source, today)),
            ("RIS", reference_forms.ris(document, source, today).replace("\r\n", "\n")),
            ("CSL-JSON", json.dumps(reference_forms.csl(document, source, today), ensure_ascii=False, indent=1)),
        )


def _citation(document: Document, today: date) -> str:
    with speaking(Language.DUTCH):
        return citations.citation(document, today)


def _beside(document: Document) -> Iterator[Note]:
    """The remarks but the one that ``cut`` says."""
    return (note for note in document.notes if note.code not in PAGES)


def _facts(document: Document) -> Iterator[tuple[str, str]]:
    yield later("Organisatie"), document.organisation
    yield later("Soort"), say(document.kind.value)
    if document.kind_at_source and document.kind_at_source.lower() != document.kind.value:
        yield later("Soort bij de bron"), document.kind_at_source
    yield later("Nummer bij de bron"), document.upstream_id
    for detail in document.details:
        if detail.value != document.upstream_id and not (document.votes and detail.label in _OF_VOTES):
            yield detail.label, _shown(detail.value)


def _shown(value: str) -> str:
    """A value as people read it: a day that is nothing else in words, as all other days on the page."""
    day = read_day(value) if _DAY.fullmatch(value) else None
    return texts.day(day) if day else value


def _vote_facts(document: Document) -> Iterator[tuple[str, str]]:
    """Who did not take part, who voted otherwise, what was a mistake (field reports 25 and 26)."""
    for label in _OF_VOTES:
        for detail in document.details:
            if detail.label == label:
                yield label, detail.value


def _dates(document: Document) -> Dates:
    return tuple((one.meaning.value, texts.moment(one), machine_date(one)) for one in document.dates)


def _parts(passages: Sequence[Passage], finder: Finder) -> Iterator[PartView]:
    known: Begins = {}
    for passage in passages:
        text = finder.found_in(passage, known)
        yield PartView(
            number=passage.number,
            anchor=f"{'pagina' if passage.is_page else 'deel'}-{passage.number}",
            name=document_words.part_name(passage.number, is_page=passage.is_page),
            heading=passage.heading,
            text=text,
            times=document_words.times(text.count) if text.count else "",
        )


def _stretches(parts: Sequence[PartView], finder: Finder) -> Iterator[Stretch]:
    """The parts in order; what holds nothing of what was found is folded, unless nothing was found at all."""
    if not finder or not any(part.text.count for part in parts):
        yield Stretch(tuple(parts))
        return
    for there, run in groupby(parts, key=lambda part: bool(part.text.count)):
        group = tuple(run)
        is_page = group[0].anchor.startswith("pagina")
        folded = "" if there else document_words.folded(group[0].number, group[-1].number, is_page=is_page)
        yield Stretch(group, folded)


def _found(parts: Sequence[PartView], finder: Finder, document: Document) -> FoundView | None:
    if not finder:
        return None
    counts = tuple(part.text.count for part in parts)
    return FoundView(
        typed=finder.typed,
        sentence=document_words.found(counts, document),
        there=tuple(part for part in parts if part.text.count),
    )


def _related(document: Document) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
    """What belongs to it, by relation in the order in which the platform first names each, as (title, address)."""
    found: dict[str, list[tuple[str, str]]] = {}
    for item in document.related:
        here = document_path(document.platform, item.upstream_id) if item.upstream_id else ""
        found.setdefault(item.relation, []).append((item.title, here or item.address or ""))
    for relation, links in found.items():
        yield relation, tuple(links)
