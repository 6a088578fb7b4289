"""One row with what hangs on it as a document, without the text that stands elsewhere: that is fetched afterwards. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from connectors.kamer_words import from_html, kind_of, line
from connectors.records import (
    DateMeaning,
    Detail,
    Document,
    Kind,
    Note,
    NoteCode,
    Passage,
    Related,
    TextState,
)
from connectors.sameness import kamer_key, official_key
from connectors.tweede_kamer.answers import KEY
from connectors.tweede_kamer.hits import ORGANISATION, date_of, kind_at, number_of, title_of, word_at
from connectors.tweede_kamer.ids import Entity, id_of
from connectors.tweede_kamer.pages import Pages, official_page
from connectors.tweede_kamer.sources import Source, Text, sources_of
from connectors.tweede_kamer.values import Row, day_of, expanded, moment, moments, number, objects
from connectors.tweede_kamer.votes import decisions_votes

_VOTED_ON: Final = frozenset({Kind.MOTIE, Kind.AMENDEMENT, Kind.WET})
_OFFICIAL_PAPER: Final = re.compile(r"kst-([0-9][0-9A-Z-]*)-([0-9]+)", re.ASCII)
_EMPTY_REPORT: Final = "casco"
_MOST_SIBLINGS: Final = 25


@dataclass(frozen=True, slots=True)
class Report:
    """One edition of the report of a meeting: ``status`` says whether it was corrected."""

    guid: str
    status: str
    edition: str


@dataclass(frozen=True, slots=True)
class Opened:
    """A document, and where its text can be had, best first. ``reports`` are rows of Verslag, newest first."""

    document: Document
    sources: tuple[Source, ...] = ()
    reports: tuple[Report, ...] = ()


def with_text(document: Document, text: Text | None) -> Document:
    """``document`` with its text; without any it says so."""
    found = text or Text((), TextState.NONE)
    missing = () if found.passages or found.notes else (Note(NoteCode.WITHOUT_TEXT),)
    notes = (*document.notes, *found.notes, *missing)
    return replace(document, passages=found.passages, text_state=found.state, notes=notes)


def with_report(document: Document, report: Report, passages: tuple[Passage, ...]) -> Document:
    """``document`` with the text of a report and what edition that is."""
    facts = _facts((("Status van het verslag", report.status), ("Uitgave van het verslag", report.edition)))
    return with_text(replace(document, details=(*document.details, *facts)), Text(passages, TextState.FULL))


def opened(row: Row, entity: Entity, upstream_id: str, pages: Pages, fetched_at: datetime) -> Opened:
    """The row of any entity set that can be opened."""
    document = _base(row, entity, upstream_id, pages, fetched_at)
    return _BUILDERS[entity](row, document, pages)


def _base(row: Row, entity: Entity, upstream_id: str, pages: Pages, fetched_at: datetime) -> Document:
    soort = line(row.get("Soort"))
    return Document(
        platform=KEY,
        upstream_id=upstream_id,
        title=title_of(row, entity) or upstream_id,
        organisation=ORGANISATION.name,
        organisation_id=ORGANISATION.id,
        kind=kind_at(entity, soort),
        kind_at_source=word_at(entity, soort),
        dates=tuple(moments(date_of(row, entity), moment(row.get("GewijzigdOp"), DateMeaning.CHANGE))),
        passages=(),
        text_state=TextState.NONE,
        address=pages.of(row, upstream_id),
        original=pages.file(row, upstream_id),
        fetched_at=fetched_at,
        same_as=(kamer_key(upstream_id),),
    )


def _of_document(row: Row, document: Document, pages: Pages) -> Opened:
    cases = objects(row.get("Zaak"))
    decisions = [one for case in cases for one in objects(case.get("Besluit"))]
    votes, vote_facts = decisions_votes(decisions) if document.kind in _VOTED_ON else (None, ())
    official = line((expanded(row.get("HuidigeDocumentVersie")) or {}).get("ExterneIdentifier"))
    facts = (
        ("Nummer", line(number_of(row, Entity.DOCUMENT, pages))),
        ("Dossier", line(row.get("Titel"))),
        ("Kamerstuk", _paper_number(row, pages) or _of_official(official)),
        ("Vergaderjaar", line(row.get("Vergaderjaar"))),
        *_actors(row.get("DocumentActor")),
        ("Kenmerk van de afzender", line(row.get("KenmerkAfzender"))),
        ("Officiële publicatie", official),
        *(("Oordeel van het kabinet", line(case.get("Kabinetsappreciatie"))) for case in cases[:1] if votes),
        ("Beantwoord", _answered(cases) if document.kind is Kind.VRAAG else ""),
    )
    related = (
        *_links(cases, Entity.CASE, "Zaak", pages),
        *_siblings(row, cases, pages),
        *_links(objects(row.get("BijlageDocument")), Entity.DOCUMENT, "Bijlage", pages),
        *_links(objects(row.get("BronDocument")), Entity.DOCUMENT, "Bijlage bij", pages),
        *((Related("Officiële publicatie", official, address=official_page(official)),) if official else ()),
    )
    case = line(cases[0].get("Nummer")) if cases else ""
    return Opened(
        replace(
            document,
            address=pages.of(row, document.upstream_id, case),
            details=(*_facts(facts), *vote_facts),
            related=related,
            votes=votes,
            same_as=(*document.same_as, *((official_key(official),) if official else ())),
            session=line(row.get("Vergaderjaar")),
        ),
        sources_of(row),
    )


def _of_case(row: Row, document: Document, pages: Pages) -> Opened:
    papers = objects(row.get("Document"))
    votes, vote_facts = decisions_votes(objects(row.get("Besluit")))
    facts = (
        ("Nummer", line(row.get("Nummer"))),
        ("Dossier", line(row.get("Titel"))),
        ("Status", line(row.get("Status"))),
        ("Vergaderjaar", line(row.get("Vergaderjaar"))),
        *_actors(row.get("ZaakActor")),
        ("Oordeel van het kabinet", line(row.get("Kabinetsappreciatie"))),
        ("Termijn", _day(row.get("Termijn"))),
        ("Afgedaan", _yes_or_no(row.get("Afgedaan"))),
    )
    main = _main_paper(papers, document.kind_at_source)
    paper = id_of(Entity.DOCUMENT, number_of(main, Entity.DOCUMENT, pages), main.get("Id")) if main else None
    return Opened(
        replace(
            document,
            original=pages.file(main, paper) if main and paper else None,
            details=(*_facts(facts), *vote_facts),
            related=tuple(_links(papers, Entity.DOCUMENT, "Stuk", pages)),
            votes=votes,
        ),
        sources_of(main) if main else (),
    )


def _of_activity(row: Row, document: Document, pages: Pages) -> Opened:
    points = [text for point in objects(row.get("Agendapunt")) if (text := line(point.get("Onderwerp")))]
    remark = from_html(row.get("Noot"))
    parts = (("Toelichting", remark), ("Agenda", "\n".join(f"{at}. {text}" for at, text in enumerate(points, 1))))
    passages = tuple(Passage(at, text, name) for at, (name, text) in enumerate((p for p in parts if p[1]), 1))
    facts = (
        ("Nummer", line(row.get("Nummer"))),
        ("Status", line(row.get("Status"))),
        ("Commissie", line(row.get(pages.version.lead_committee))),
        ("Plaats", line(row.get("Locatie"))),
        ("Besloten", _yes_or_no(row.get("Besloten"))),
        ("Vergaderjaar", line(row.get("Vergaderjaar"))),
    )
    related = (
        *_links(objects(row.get("Document")), Entity.DOCUMENT, "Stuk", pages),
        *_links(objects(row.get("Zaak")), Entity.CASE, "Zaak", pages),
        *_links(objects(row.get("Toezegging")), Entity.COMMITMENT, "Toezegging", pages),
    )
    found = Text(passages, TextState.FULL if passages else TextState.NONE)
    return Opened(with_text(replace(document, details=_facts(facts), related=related), found))


def _of_commitment(row: Row, document: Document, pages: Pages) -> Opened:
    text = from_html(row.get("Tekst"))
    letters = row.get("KamerbriefNakoming")
    facts = (
        ("Nummer", line(row.get("Nummer"))),
        ("Status", line(row.get("Status"))),
        ("Gedaan door", line(row.get("Naam"))),
        ("Functie", line(row.get("Functie"))),
        ("Ministerie", line(row.get("Ministerie"))),
        ("Nagekomen op", _day(row.get("DatumNakoming"))),
        ("Kamerbrief", line(letters)),
        ("Activiteit", line(row.get("ActiviteitNummer"))),
    )
    related = (
        *_links(objects(row.get("Activiteit")), Entity.ACTIVITY, "Gedaan tijdens", pages),
        *_links(objects(letters), Entity.DOCUMENT, "Kamerbrief", pages),
    )
    passages = (Passage(1, text),) if text else ()
    full = replace(document, details=_facts(facts), related=related)
    return Opened(with_text(full, Text(passages, TextState.FULL if passages else TextState.NONE)))


def _of_meeting(row: Row, document: Document, pages: Pages) -> Opened:
    del pages
    reports = [one for one in objects(row.get("Verslag")) if line(one.get("Status")).lower() != _EMPTY_REPORT]
    reports.sort(key=lambda one: line(one.get("ApiGewijzigdOp")), reverse=True)
    end = moment(row.get("Sluiting"), DateMeaning.MEETING)
    meeting_number = number(row.get("VergaderingNummer"))
    facts = (
        ("Vergaderjaar", line(row.get("Vergaderjaar"))),
        ("Vergadering", str(meeting_number) if meeting_number else ""),
        ("Zaal", line(row.get("Zaal"))),
        ("Gesloten op", _day(row.get("Sluiting")) if end else ""),
    )
    found = (Report(line(one.get("Id")), line(one.get("Status")), line(one.get("Soort"))) for one in reports)
    return Opened(replace(document, details=_facts(facts)), reports=tuple(one for one in found if one.guid))


_BUILDERS: Final[dict[Entity, Callable[[Row, Document, Pages], Opened]]] = {
    Entity.DOCUMENT: _of_document,
    Entity.CASE: _of_case,
    Entity.ACTIVITY: _of_activity,
    Entity.COMMITMENT: _of_commitment,
    Entity.MEETING: _of_meeting,
}


def _facts(facts: tuple[tuple[str, str], ...]) -> tuple[Detail, ...]:
    return tuple(Detail(label, value) for label, value in facts if value)


def _yes_or_no(value: object) -> str:
    return ("ja" if value else "nee") if isinstance(value, bool) else ""


def _day(value: object) -> str:
    day = day_of(value)
    return f"{day:%d-%m-%Y}" if day else ""


def _paper_number(row: Row, pages: Pages) -> str:
    """For example "36045-VII, nr. 299": the dossier with its addition, and the number in it. Below zero means none."""
    dossier = next(iter(objects(row.get("Kamerstukdossier"))), {})
    in_dossier = number(row.get(pages.version.document_subnumber))
    base = "-".join(filter(None, (str(number(dossier.get("Nummer")) or ""), line(dossier.get("Toevoeging")))))
    return f"{base}, nr. {in_dossier}" if base and in_dossier else base


def _of_official(identifier: str) -> str:
    """The same from the id of the official publication, where the dossier is not given."""
    found = _OFFICIAL_PAPER.fullmatch(identifier)
    return f"{found[1]}, nr. {found[2]}" if found else ""


def _actors(value: object) -> Iterator[tuple[str, str]]:
    """Who did what, by relation ("Indiener", "Gericht aan"), in the order in which the platform gives them."""
    by_relation: dict[str, list[str]] = {}
    for actor in objects(value):
        name, party = line(actor.get("ActorNaam")), line(actor.get("ActorFractie"))
        if name:
            shown = f"{name} ({party})" if party and party != name else name
            by_relation.setdefault(line(actor.get("Relatie")) or "Betrokken", []).append(shown)
    yield from ((relation, "; ".join(dict.fromkeys(names))) for relation, names in by_relation.items())


def _links(rows: list[Row], entity: Entity, relation: str, pages: Pages) -> Iterator[Related]:
    for row in rows:
        upstream_id = id_of(entity, number_of(row, entity, pages), row.get("Id"))
        if upstream_id is not None:
            yield Related(relation, title_of(row, entity) or upstream_id, upstream_id)


def _siblings(row: Row, cases: list[Row], pages: Pages) -> Iterator[Related]:
    """The other papers of the same case, such as the answer to questions or the next version of a motion."""
    if len(cases) != 1:
        return
    papers = [paper for paper in objects(cases[0].get("Document")) if paper.get("Id") != row.get("Id")]
    for paper in papers[:_MOST_SIBLINGS]:
        yield from _links([paper], Entity.DOCUMENT, line(paper.get("Soort")) or "Stuk", pages)


def _answered(cases: list[Row]) -> str:
    """Whether an answer hangs on the case of a question; empty when its papers are not known."""
    papers = [paper for case in cases for paper in objects(case.get("Document"))]
    if not papers:
        return ""
    return _yes_or_no(any(kind_of(line(paper.get("Soort"))) is Kind.ANTWOORD for paper in papers))


def _main_paper(papers: list[Row], soort: str) -> Row | None:
    """The paper that is the case itself: the newest of its kind, else the oldest there is."""
    of_kind = [row for row in papers if soort and line(row.get("Soort")).lower().startswith(soort.lower())]
    if of_kind:
        return max(of_kind, key=lambda row: line(row.get("Datum")))
    return min(papers, key=lambda row: line(row.get("Datum")), default=None)
