"""One item with its text: bytes in, a document out. Raises nothing but ``ConnectorError``, whatever the bytes are.

The item is a meeting (agenda, motions, recordings), a document (Markdown text) or a motion (outcome, votes, text of its first
attachment); fields: platform page, section 3.2. Its core (id, type, title) must be there; anything around it that is missing or
odd is left out, so that a damaged agenda never hides a meeting (field report 20).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from connectors.addresses import Addresses, web_address
from connectors.calls import Answer
from connectors.exceptions import Defect, GoneError, NotAnAnswerError, RefusedError
from connectors.json_values import count, mapping, objects
from connectors.openbesluitvorming.agendas import agenda_papers, agenda_passages
from connectors.openbesluitvorming.answers import KEY, body_of, error_body
from connectors.openbesluitvorming.dates import moment
from connectors.openbesluitvorming.ids import EntityType, entity_id, page_address
from connectors.openbesluitvorming.kinds import kind_of
from connectors.openbesluitvorming.motions import motion_details, votes
from connectors.openbesluitvorming.parse import UNTITLED, Item, item, same_as
from connectors.openbesluitvorming.text import parts
from connectors.openbesluitvorming.transcripts import transcript_passages
from connectors.plaintext import line
from connectors.records import (
    DateMeaning,
    Detail,
    Document,
    Hit,
    Moment,
    Note,
    NoteCode,
    Passage,
    Related,
    TextForm,
    TextState,
)

_NOT_FOUND = 404
_GONE = 410
_MOST_PAGES = 40
"""How many pages of a PDF the platform reads (platform page, section 3.2)."""
_READ_AS_FAR = "Gelezen door de bron"
_LONG = 200 * _MOST_PAGES
"""So many characters, few on a page, as a file has of which that many pages were read."""


def document(answer: Answer, upstream_id: str, addresses: Addresses) -> Document:
    """The document in ``answer``, which was asked for as ``upstream_id``.

    Raises ``GoneError`` when there is none (any more).
    """
    body = _body(answer, upstream_id)
    found = item(body)
    if found is None or found.id.text != upstream_id:
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "entityId")
    motion = mapping(body.get("motion"))
    passages, whole = _passages(found, body)
    state, notes = _text_state(body, passages, whole=whole)
    return Document(
        platform=KEY,
        upstream_id=upstream_id,
        title=found.title,
        organisation=found.organisation,
        organisation_id=found.organisation_id,
        kind=found.kind,
        kind_at_source=found.kind_at_source,
        dates=_dates(found, body, motion),
        passages=passages,
        text_state=state,
        address=page_address(addresses, upstream_id),
        original=web_address(body.get("downloadUrl")),
        fetched_at=answer.fetched_at,
        details=(*motion_details(motion), *_file_details(body)),
        related=_related(found, body, motion),
        votes=votes(motion),
        notes=notes,
        same_as=same_as(found, body),
    )


def motion_of(found: Document) -> str | None:
    """The motion on which a file hangs; None for what hangs on none."""
    of_motion = (one.upstream_id for one in found.related if one.relation == _ABOVE[EntityType.MOTION][0])
    numbers = (entity_id(number) for number in of_motion if number)
    own = entity_id(found.upstream_id)
    is_file = own is not None and own.type is EntityType.DOCUMENT
    return next((one.text for one in numbers if is_file and one and one.type is EntityType.MOTION), None)


def with_outcome(found: Document, motion: Document) -> Document:
    """The file of a motion with the outcome and the title of its motion (field report 27)."""
    related = tuple(
        replace(one, title=motion.title) if one.upstream_id == motion.upstream_id else one for one in found.related
    )
    return replace(found, votes=motion.votes, related=related)


def may_be_cut(found: Document) -> bool:
    """Whether the platform may not have read all pages of a file: not of one with the text of a page or two."""
    is_long = sum(len(passage.text) for passage in found.passages) >= _LONG
    return is_long and any(detail.label == _READ_AS_FAR for detail in found.details)


def counted(found: Document, hit: Hit) -> Document:
    """A document with what ``hit`` says of its pages: how many there are and were read, or that all of them were."""
    read, there_are = hit.pages_searched, hit.pages_in_all
    if read is None or (there_are is None and read >= _MOST_PAGES):
        return found
    details = tuple(detail for detail in found.details if detail.label != _READ_AS_FAR)
    if there_are is None or read >= there_are:
        return replace(found, details=details)
    note = Note(NoteCode.PAGES_READ, (str(read), str(there_are)))
    return replace(found, details=details, text_state=TextState.PARTIAL, notes=(*found.notes, note))


def as_found(hit: Hit) -> Document:
    """What a result of the search says of an item that the platform cannot give: no text, and a remark that says so."""
    return Document(
        platform=KEY,
        upstream_id=hit.upstream_id,
        title=hit.title,
        organisation=hit.organisation,
        organisation_id=hit.organisation_id,
        kind=hit.kind,
        kind_at_source=hit.kind_at_source,
        dates=(hit.date,) if hit.date else (),
        passages=(),
        text_state=TextState.NONE,
        address=hit.address,
        original=hit.original,
        fetched_at=hit.fetched_at,
        notes=(Note(NoteCode.AS_FOUND),),
        same_as=hit.same_as,
    )


def _body(answer: Answer, upstream_id: str) -> dict[str, Any]:
    """The object of the answer. A 404 in plain text is an unknown path, not a missing item, and stays a refusal."""
    try:
        return body_of(answer, "entityId")
    except RefusedError as refused:
        if refused.status == _GONE or (refused.status == _NOT_FOUND and error_body(answer)):
            raise GoneError(KEY, upstream_id) from refused
        raise


def _dates(found: Item, body: dict[str, Any], motion: dict[str, Any]) -> tuple[Moment, ...]:
    """The date of the item, its last change, and of a motion its own date where that is another day."""
    own = moment(motion.get("date"), DateMeaning.MOTION)
    if own and found.date and own.day == found.date.day:
        own = None
    changed = moment(body.get("dateModifiedIso"), DateMeaning.CHANGE)
    return tuple(date for date in (found.date, own, changed) if date is not None)


def _passages(found: Item, body: dict[str, Any]) -> tuple[tuple[Passage, ...], bool]:
    """The text, and whether it is all that the answer holds: agenda and what was said, or the paper's own."""
    if found.id.type is EntityType.MEETING:
        agenda = agenda_passages(objects(body.get("agenda")))
        said, whole = transcript_passages(objects(body.get("recordings")), len(agenda) + 1)
        return (*agenda, *said), whole
    text = body.get("markdownText")
    passages = tuple(
        Passage(number, part.text, part.heading, TextForm.MARKDOWN)
        for number, part in enumerate(parts(text) if isinstance(text, str) else (), start=1)
    )
    return passages, True


def _text_state(
    body: dict[str, Any], passages: tuple[Passage, ...], *, whole: bool
) -> tuple[TextState, tuple[Note, ...]]:
    """How much text there is. The platform reads 40 pages of a file and no further (field report 22)."""
    if not passages:
        return TextState.NONE, (Note(NoteCode.WITHOUT_TEXT),)
    if not whole:
        return TextState.PARTIAL, ()
    read, there_are = count(body.get("pageCount")), count(body.get("sourcePageCount"))
    if read is not None and there_are is not None and read < there_are:
        return TextState.PARTIAL, (Note(NoteCode.PAGES_READ, (str(read), str(there_are))),)
    return TextState.FULL, ()


def _file_details(body: dict[str, Any]) -> tuple[Detail, ...]:
    """What a file is. Only a hit counts its pages, so that of a PDF is said how far the platform reads (field report 22)."""
    media_type = line(body.get("contentType"))
    may_be_cut = media_type == "application/pdf" and body.get("markdownText") and body.get("pageCount") is None
    facts = (
        ("Bestandstype", media_type),
        (_READ_AS_FAR, f"hooguit de eerste {_MOST_PAGES} bladzijden" if may_be_cut else ""),
    )
    return tuple(Detail(label, value) for label, value in facts if value)


def _related(found: Item, body: dict[str, Any], motion: dict[str, Any]) -> tuple[Related, ...]:
    links = [
        *_above(body),
        *_attachment(body, motion),
        *agenda_papers(objects(body.get("agenda"))),
        *(link for row in objects(body.get("motions")) if (link := _motion_link(row))),
        *(_recording_link(row) for row in objects(body.get("recordings"))),
    ]
    once: dict[tuple[str | None, str], Related] = {}
    for link in links:  # the first mention of something stays: a motion's file may hang on an agenda item as well
        once.setdefault((link.upstream_id, "" if link.upstream_id else f"{link.title}\n{link.address}"), link)
    return tuple(link for link in once.values() if link.upstream_id != found.id.text)


_ABOVE: Final = {
    EntityType.MEETING: ("Vergadering", "De vergadering waar dit bij hoort"),
    EntityType.MOTION: ("Motie", "De motie waar dit bij hoort"),
}


def _above(body: dict[str, Any]) -> list[Related]:
    """Where the item was discussed. For a paper that hangs on a motion, ``meetingId`` holds the motion. No title is given."""
    above = entity_id(body.get("meetingId"))
    if above is None:
        return []
    relation, title = _ABOVE.get(above.type, ("Hoort bij", "Waar dit stuk bij hoort"))
    return [Related(relation, title, above.text)]


def _attachment(body: dict[str, Any], motion: dict[str, Any]) -> list[Related]:
    attached = entity_id(body.get("pdfEntityId")) or entity_id(motion.get("attachment_id"))
    return [Related("Bestand", "Bestand bij de motie", attached.text)] if attached else []


def _motion_link(row: dict[str, Any]) -> Related | None:
    identifier = entity_id(row.get("id"))
    if identifier is None:
        return None
    title = line(row.get("name")) or UNTITLED
    word = kind_of(EntityType.MOTION, title, line(row.get("motion_type"))).value.capitalize()
    outcome = line(row.get("status")) or line(row.get("result"))
    return Related(f"{word} ({outcome})" if outcome else word, title, identifier.text)


def _recording_link(row: dict[str, Any]) -> Related:
    """A recording by name. Its stream is no page for a person, so it comes last."""
    addresses = (web_address(row.get(field)) for field in ("player_url", "media_url", "stream_url"))
    return Related("Opname", line(row.get("name")) or "Opname", address=next(filter(None, addresses), None))
