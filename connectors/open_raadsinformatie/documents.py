"""One record with its text: bytes in, a document out. Raises nothing but ``ConnectorError``, whatever the bytes are.

A record names others by number only (committee, faction, chair, files, items). What they are called comes from a second answer,
``Neighbours``; without it the document stands, with less around it (field report 20).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from connectors.addresses import Addresses
from connectors.bodies import json_object
from connectors.calls import Answer, Reply
from connectors.exceptions import ConnectorError, Defect, GoneError, NotAnAnswerError
from connectors.json_values import count, mapping, objects
from connectors.letters import mended
from connectors.open_raadsinformatie.answers import KEY, envelope, object_of
from connectors.open_raadsinformatie.dates import moment
from connectors.open_raadsinformatie.ids import ItemId, cited, record_number
from connectors.open_raadsinformatie.kinds import AGENDA_ITEM, MEDIA, MEETING, REPORT
from connectors.open_raadsinformatie.parse import Item, item
from connectors.open_raadsinformatie.text import name, page, plain
from connectors.open_raadsinformatie.values import first_line, lines, several
from connectors.plaintext import line
from connectors.records import (
    DateMeaning,
    Detail,
    Document,
    Moment,
    Note,
    NoteCode,
    Passage,
    Related,
    TextForm,
    TextState,
)
from connectors.voting import Votes

MOST_PAGES: Final = 100
"""The platform reads so many pages of a file and no further (platform page, section 4)."""
_NOT_FOUND = 404
_RESULTS: Mapping[str, str] = MappingProxyType({"ResultPassed": "aangenomen", "ResultFailed": "verworpen"})


@dataclass(frozen=True, slots=True)
class Record:
    """A record as it was found: its common fields, and its source as it is."""

    item: Item
    source: dict[str, Any] = field(repr=False)

    @property
    def parents(self) -> tuple[str, ...]:
        """The number of a meeting, of which the items are asked; none for anything else."""
        return (self.item.number,) if self.item.record_type in {MEETING, AGENDA_ITEM} else ()

    @property
    def mentions(self) -> tuple[str, ...]:
        """The numbers of the records that this one names."""
        fields = ("parent", "is_referenced_by", "attachment", "committee", "creator", "chair", "agenda")
        found = (number for name_ in fields for number in map(record_number, several(self.source.get(name_))) if number)
        return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The records around one: rows by number, in the order of their place on the agenda."""

    rows: Mapping[str, dict[str, Any]] = field(default_factory=lambda: MappingProxyType({}))

    def called(self, number: object) -> str:
        """The name of a record; empty when it is not among them."""
        row = self.rows.get(number) if isinstance(number, str) else None
        return name(first_line(mapping(mapping(row).get("_source")).get("name")))

    def items(self, record_type: str) -> list[Item]:
        """The papers or meetings of one type."""
        found = (item(row) for row in self.rows.values())
        return [one for one in found if one is not None and one.record_type == record_type]

    def with_more(self, more: Neighbours) -> Neighbours:
        """These and ``more``."""
        return Neighbours(MappingProxyType({**more.rows, **self.rows}))

    def source(self, number: str) -> dict[str, Any]:
        """The fields of a record; none when it is not among them."""
        return mapping(mapping(self.rows.get(number)).get("_source"))


def record(answer: Answer, asked: ItemId) -> Record:
    """The record that was asked for. Raises ``GoneError`` when there is none (any more).

    Of a file that is found by its address the last discussed copy counts: the platform keeps one for each meeting.
    """
    row = _row(answer, asked)
    found = item(row)
    if found is None:
        if mapping(row.get("_source")).get("@type"):
            raise GoneError(KEY, asked.text)  # a person, a party, a role: nothing that has a page here
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "_source")
    if found.alias != asked.alias or (asked.number is not None and found.number != asked.number):
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "_id")
    return Record(found, mapping(row.get("_source")))


def neighbours(answer: Answer) -> Neighbours:
    """The rows of an answer by number."""
    rows = objects(envelope(answer).hits["hits"])
    return Neighbours(MappingProxyType({number: row for row in rows if (number := record_number(row.get("_id")))}))


def document(got: Reply[Record], asked: ItemId, around: Neighbours, addresses: Addresses) -> Document:
    """The document of a record."""
    found = got.value
    one = found.item
    passages, state, notes = _text(found, around)
    return Document(
        platform=KEY,
        upstream_id=asked.text,
        title=one.title,
        organisation=one.organisation,
        organisation_id=one.organisation_id,
        kind=one.kind,
        kind_at_source=one.kind_at_source,
        dates=tuple(date for date in (one.date, _changed(found.source)) if date is not None),
        passages=passages,
        text_state=state,
        address=cited(addresses, asked.text, one.number, one.for_people),
        original=one.original,
        fetched_at=got.fetched_at,
        details=_details(found, around),
        related=_related(found, around),
        votes=_outcome(found.source),
        notes=notes,
        same_as=one.same_as,
    )


def _row(answer: Answer, asked: ItemId) -> dict[str, Any]:
    """The row in an answer of either call."""
    if answer.status == _NOT_FOUND and _says_not_found(answer):
        raise GoneError(KEY, asked.text)
    body = object_of(answer)
    if "found" in body:
        if body["found"] is not True:
            raise GoneError(KEY, asked.text)
        return body
    rows = objects(envelope(answer).hits["hits"])
    if not rows:
        raise GoneError(KEY, asked.text)
    return rows[0]


def _says_not_found(answer: Answer) -> bool:
    """Whether a 404 is about the record or its index. One in HTML is about an address that we made wrongly."""
    try:
        body = json_object(KEY, answer)
    except ConnectorError:
        return False
    error = mapping(body.get("error"))
    return body.get("found") is False or error.get("type") == "index_not_found_exception"


def _changed(source: dict[str, Any]) -> Moment | None:
    return moment(source.get("date_modified"), DateMeaning.CHANGE)


def _text(found: Record, around: Neighbours) -> tuple[tuple[Passage, ...], TextState, tuple[Note, ...]]:
    if found.item.record_type == MEDIA:
        pages = _pages(found.source)
        if not pages:
            return (), TextState.NONE, (Note(NoteCode.WITHOUT_TEXT),)
        return pages, TextState.PARTIAL if pages[-1].number >= MOST_PAGES else TextState.FULL, ()
    texts = [("", plain(_first_text(found.source.get("description"))))]
    if found.item.record_type == MEETING:
        texts += _agenda(around)
    passages = tuple(
        Passage(number, text or heading, heading if text else "")
        for number, (heading, text) in enumerate(((h, t) for h, t in texts if h or t), start=1)
    )
    if passages:
        return passages, TextState.FULL, ()
    return (), TextState.NONE, (Note(NoteCode.WITHOUT_TEXT),)


def _first_text(value: object) -> str:
    """The first text of a field, with its line breaks."""
    return next((text for text in several(value) if isinstance(text, str)), "")


def _pages(source: dict[str, Any]) -> tuple[Passage, ...]:
    """The text by page: as it was read out of the file, and where that is empty as Markdown, which may come from OCR.

    Letters that the PDF spaces apart are put together where that is certain (field report 23).
    """
    found: dict[int, Passage] = {}
    for number, written in enumerate(several(source.get("md_text")), start=1):
        if text := page(written):
            found[number] = Passage(number, text, form=TextForm.MARKDOWN, is_page=True)
    for number, written in enumerate(several(source.get("text")), start=1):
        if text := page(written):
            found[number] = Passage(number, text, is_page=True)
    for row in objects(source.get("text_pages")):
        read, text = count(row.get("page_number")), page(row.get("text"))
        if read and text:
            found[read] = Passage(read, text, is_page=True)
    passages = [found[number] for number in sorted(found)]
    texts = mended(passage.text for passage in passages)
    return tuple(replace(passage, text=text) for passage, text in zip(passages, texts, strict=True))


def _agenda(around: Neighbours) -> list[tuple[str, str]]:
    return [
        (one.title, plain(_first_text(around.source(one.number).get("description"))))
        for one in around.items(AGENDA_ITEM)
    ]


def _details(found: Record, around: Neighbours) -> tuple[Detail, ...]:
    source = found.source
    is_report, is_media = found.item.record_type == REPORT, found.item.record_type == MEDIA
    pages = objects(source.get("text_pages")) or several(source.get("text"))
    cut = is_media and len(pages) >= MOST_PAGES
    facts = (
        ("Register", first_line(source.get("classification")) if is_report else ""),
        ("Commissie", around.called(first_line(source.get("committee")))),
        ("Fractie", ", ".join(filter(None, map(around.called, lines(source.get("creator")))))),
        ("Voorzitter", around.called(first_line(source.get("chair")))),
        ("Plaats", name(first_line(source.get("location")))),
        ("Bestandstype", first_line(source.get("content_type"))),
        ("Bestandsnaam", name(first_line(source.get("file_name")))),
        ("Gelezen door de bron", f"de eerste {MOST_PAGES} bladzijden; verder leest zij niet" if cut else ""),
    )
    return tuple(Detail(label, line(value)) for label, value in facts if value)


def _numbers(source: dict[str, Any], field_name: str) -> frozenset[str]:
    return frozenset(number for value in several(source.get(field_name)) if (number := record_number(value)))


def _outcome(source: dict[str, Any]) -> Votes | None:
    """The outcome of a motion. Who voted what is not known anywhere at this platform."""
    literal = first_line(source.get("result")).rpartition("/")[2].rpartition("#")[2]
    return Votes(_RESULTS.get(literal, "overig"), literal) if literal else None


def _related(found: Record, around: Neighbours) -> tuple[Related, ...]:
    """What hangs together and can be opened. Of the kinds in between (a portrait, a party) there is no page."""
    above = {*_numbers(found.source, "parent"), *_numbers(found.source, "is_referenced_by")}
    below = _numbers(found.source, "attachment")
    links = []
    for record_type, word in ((MEETING, "Vergadering"), (AGENDA_ITEM, "Agendapunt"), (REPORT, ""), (MEDIA, "Bestand")):
        for one in around.items(record_type):
            if record_type == MEETING and one.number not in above:
                continue
            relation = word or one.kind_at_source
            if record_type == MEDIA and one.number not in below:
                relation = "Stuk"
            links.append(Related(relation, one.title, one.upstream_id))
    own = {found.item.upstream_id, f"{found.item.alias}:{found.item.number}"}
    return tuple(link for link in dict.fromkeys(links) if link.upstream_id not in own)
