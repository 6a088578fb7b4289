"""From a record of the search to a hit, and with the text of its files to a document. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from connectors.officiele_bekendmakingen.elements import KEY
from connectors.officiele_bekendmakingen.ids import canonical, page_address
from connectors.officiele_bekendmakingen.journals import KAMERSTUK, Journal, journal_named, journal_of, kind_of
from connectors.officiele_bekendmakingen.links import Links
from connectors.officiele_bekendmakingen.organisations import maker_of, type_of
from connectors.officiele_bekendmakingen.parse_search import Record, Value
from connectors.records import (
    DateMeaning,
    Detail,
    Document,
    Hit,
    Kind,
    Moment,
    Note,
    NoteCode,
    Passage,
    Related,
    TextState,
)
from connectors.sameness import official_key

_ATTACHMENTS: Final = "https://repository.officiele-overheidspublicaties.nl/externebijlagen"
_ATTACHMENT: Final = re.compile(r"exb-[0-9]{4}-[0-9]{1,8}")
_LAW: Final = re.compile(r"BWB[A-Z][0-9]{7}")
_LOCAL_RULE: Final = re.compile(r"CVDR[0-9]{1,8}")
_DETAILS: Final = (
    ("Publicatie", "publicatienaam"),
    ("Jaargang", "jaargang"),
    ("Nummer", "publicatienummer"),
    ("Vergaderjaar", "vergaderjaar"),
    ("Dossier", "dossiernummer"),
    ("Ondernummer", "ondernummer"),
    ("Dossiertitel", "dossiertitel"),
    ("Indiener", "indiener"),
    ("Aanhangselnummer", "aanhangselnummer"),
    ("Vraagnummer", "vraagnummer"),
    ("Onderwerp", "subject"),
    ("Activiteit", "activiteit"),
    ("Verantwoordelijk", "authority"),
    ("Einde reactietermijn", "datumEindeReactietermijn"),
)
_MOST_RELATED: Final = 100


def journal_of_record(record: Record) -> Journal | None:
    """The journal that a record names, or that its id belongs to."""
    return journal_named(record.one("publicatienaam")) or journal_of(record.identifier)


def kind_of_record(record: Record) -> Kind:
    """Our kind of a record: by its journal, and of a parliamentary paper by what it calls itself."""
    names = ("type", "subrubriek", "documenttitel")
    # The title of a record is that of its dossier, and then what the paper is: "Vaststelling van de begroting; Motie".
    words = (*(text for name in names for text in record.all(name)), record.one("title").rpartition(";")[2])
    return kind_of(journal_of_record(record), words)


def word_of_record(record: Record) -> str:
    """The platform's own word: the heading of a parliamentary paper, else its narrowest type, else its journal."""
    journal = journal_of_record(record)
    types = [text for text in record.all("type") if text.casefold() != "officiële publicatie"]
    headed = [text for text in record.all("subrubriek") if journal is KAMERSTUK]
    named = (*headed, *reversed(types), record.one("publicatienaam"), journal.name if journal else "")
    return next((text for text in named if text), "officiële publicatie")


def title_of(record: Record) -> str:
    """What the publication is called. Of a parliamentary paper its own title: that of the record is the dossier's."""
    return record.one("documenttitel") or record.one("title") or record.identifier


def hit_of(record: Record, links: Links, fetched_at: datetime) -> Hit:
    """A record as a hit. The service gives no fragment of the text, so its abstract or its place in the journal stands in."""
    creator = next(iter(record.values.get("creator", ())), Value(""))
    organisation, organisation_id = maker_of(creator.text, type_of(record.one("organisatietype"), creator.scheme))
    available = record.day("available")
    return Hit(
        platform=KEY,
        upstream_id=record.identifier,
        title=title_of(record),
        organisation=organisation,
        organisation_id=organisation_id,
        kind=kind_of_record(record),
        kind_at_source=word_of_record(record),
        date=Moment(available, DateMeaning.PUBLICATION) if available else None,
        snippet=record.one("abstract") or record.one("dossiertitel") or _place(record),
        address=links.page(record),
        original=links.original(record),
        fetched_at=fetched_at,
        same_as=(official_key(record.identifier),),
        session=record.one("vergaderjaar"),
    )


def document_of(
    record: Record,
    passages: tuple[Passage, ...],
    links: Links,
    fetched_at: datetime,
    read: tuple[TextState, tuple[Note, ...]],
) -> Document:
    """A record with the text of its files. ``read``: how much of the text that is, and what there is to say about it."""
    hit = hit_of(record, links, fetched_at)
    state, notes = read
    changed = record.day("modified")
    dates = (*((hit.date,) if hit.date else ()), *((Moment(changed, DateMeaning.CHANGE),) if changed else ()))
    return Document(
        platform=KEY,
        upstream_id=record.identifier,
        title=hit.title,
        organisation=hit.organisation,
        organisation_id=hit.organisation_id,
        kind=hit.kind,
        kind_at_source=hit.kind_at_source,
        dates=dates,
        passages=passages,
        text_state=state,
        address=hit.address,
        original=hit.original,
        fetched_at=fetched_at,
        abstract=record.one("abstract"),
        details=tuple(_details(record)),
        related=tuple(_related(record, links))[:_MOST_RELATED],
        notes=notes,
        same_as=hit.same_as,
        session=hit.session,
    )


def without_text() -> tuple[TextState, tuple[Note, ...]]:
    """What to say where no file holds text."""
    return TextState.NONE, (Note(NoteCode.WITHOUT_TEXT),)


def _place(record: Record) -> str:
    """Where it stands: "Gemeenteblad 2023, 174296"."""
    year = record.one("jaargang") or record.one("vergaderjaar")
    number = record.one("publicatienummer") or record.one("ondernummer") or record.one("aanhangselnummer")
    return ", ".join(filter(None, (f"{record.one('publicatienaam')} {year}".strip(), number)))


def _details(record: Record) -> Iterator[Detail]:
    yield Detail("Kenmerk", record.identifier)
    for label, name in _DETAILS:
        yield from (Detail(label, text) for text in dict.fromkeys(record.all(name)))
    dated = record.day("date")
    if dated and dated != record.day("available"):
        yield Detail("Gedateerd op", f"{dated:%d-%m-%Y}")
    sitting = record.day("datumVergadering")
    if sitting:
        yield Detail("Vergaderdatum", f"{sitting:%d-%m-%Y}")


def _related(record: Record, links: Links) -> Iterator[Related]:
    for relation, name in (
        ("Hoort bij", "hoofddocument"),
        ("Vervangt", "replaces"),
        ("Vervangen door", "isReplacedBy"),
        ("Rectificatie van", "rectificatie"),
    ):
        for text in record.all(name):
            identifier = canonical(text)
            if identifier is not None:
                yield _publication(relation, identifier, links)
    for text in record.all("source"):
        title, _, reference = text.partition("]|[")
        address = _address_of(reference)
        if address:
            yield Related("Grondslag", title or reference, address=address)
    for text in record.all("betreftRegeling"):
        if rule := _LOCAL_RULE.match(text):
            yield Related("Regeling", text, address=f"https://lokaleregelgeving.overheid.nl/{rule[0]}")
    for text in record.all("externeBijlage"):
        name, _, number = text.rpartition("|")
        if _ATTACHMENT.fullmatch(number):
            yield Related("Bijlage", name or number, address=f"{_ATTACHMENTS}/{number}/1/bijlage/{number}.pdf")


def _publication(relation: str, identifier: str, links: Links) -> Related:
    """Another publication: our page of it, or the platform's where what answers us does not hold them all."""
    if links.holds_all:
        return Related(relation, identifier, upstream_id=identifier)
    return Related(relation, identifier, address=page_address(identifier))


def _address_of(reference: str) -> str | None:
    """The page of a source: a law by its number in the national collection, or an address that is one."""
    law = _LAW.search(reference)
    if law:
        return f"https://wetten.overheid.nl/{law[0]}"
    return reference if reference.startswith("https://") and not any(c.isspace() for c in reference) else None
