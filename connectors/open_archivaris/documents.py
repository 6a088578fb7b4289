"""One document with its text by page: bytes in, a document out. Raises nothing but ``ConnectorError``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from connectors.calls import Answer
from connectors.cutting import cut
from connectors.exceptions import Defect, GoneError, NotAnAnswerError, RefusedError
from connectors.json_values import count
from connectors.letters import mended
from connectors.open_archivaris.answers import KEY, body_of
from connectors.open_archivaris.items import Item, Reader
from connectors.open_archivaris.paths import at, found, written
from connectors.open_archivaris.text import page_text
from connectors.records import Detail, Document, Note, NoteCode, Passage, Related, TextState

_NOT_THERE: Final = frozenset({404, 410})


def document(answer: Answer, upstream_id: str, reader: Reader) -> Document:
    """The document in ``answer``, which was asked for as ``upstream_id``.

    Raises ``GoneError`` when there is none (any more): also after it was withdrawn.
    """
    places = reader.fields.document.answer
    row = places.get("item", ())
    try:
        body = body_of(answer, row)
    except RefusedError as refused:
        if refused.status in _NOT_THERE:
            raise GoneError(KEY, upstream_id) from refused
        raise
    item = reader.item(at(body, row), reader.fields.document.fields, upstream_id)
    if item is None or item.upstream_id != upstream_id:
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, written(row) or "item")
    pages = _pages(body, reader)
    state, notes = _text_state(item, pages)
    return Document(
        platform=KEY,
        upstream_id=upstream_id,
        title=item.title,
        organisation=item.organisation,
        organisation_id=item.organisation_id,
        kind=item.kind,
        kind_at_source="",
        dates=(item.created,) if item.created else (),
        passages=tuple(page for page in pages if page.text),
        text_state=state,
        address=item.original_url,
        original=item.file,
        fetched_at=answer.fetched_at,
        details=_details(item),
        related=_copy_link(item),
        notes=notes,
        archived=item.copy,
        same_as=item.same_as,
    )


def _pages(body: dict[str, Any], reader: Reader) -> tuple[Passage, ...]:
    """The pages, empty ones among them; the parts of a text that comes in one piece.

    A page without a number of its own, or with one that was given before, follows the page before.
    """
    places = reader.fields.document.answer
    there = found(body, places.get("text"))
    if isinstance(there, str):
        parts = mended(part for _, part in cut("", page_text(there).split("\n\n")))
        return tuple(Passage(number, part) for number, part in enumerate(parts, start=1))
    rows = there if isinstance(there, list) else []
    written_there = (found(row, places.get("page_text")) if isinstance(row, dict) else row for row in rows)
    texts = mended(page_text(text) for text in written_there)
    numbers = _numbers(count(found(row, places.get("page_number"))) for row in rows)
    return tuple(Passage(number, text, is_page=True) for number, text in zip(numbers, texts, strict=True))


def _numbers(given: Iterable[int | None]) -> Iterator[int]:
    last = 0
    for number in given:
        last = number if number and number > last else last + 1
        yield last


def _text_state(item: Item, pages: tuple[Passage, ...]) -> tuple[TextState, tuple[Note, ...]]:
    """How much text there is. Pages that were read and hold nothing are pictures (field reports 22 and 24).

    That note sends a reader to the original, so it is not made where there is none any more.
    """
    if not any(page.text for page in pages):
        code = NoteCode.NO_TEXT_LAYER if pages and pages[0].is_page and item.file else NoteCode.WITHOUT_TEXT
        return TextState.NONE, (Note(code),)
    read = item.pages_searched
    if read is None and pages[-1].is_page:
        read = pages[-1].number
    if item.pages is not None and read is not None and read < item.pages:
        return TextState.PARTIAL, (Note(NoteCode.PAGES_READ, (str(read), str(item.pages))),)
    return TextState.FULL, ()


def _details(item: Item) -> tuple[Detail, ...]:
    pages = "" if item.pages is None else str(item.pages)
    rows = (
        ("Auteur", item.author),
        ("Pagina's", pages),
        ("Bestandstype", item.mime),
        ("Controlegetal (SHA-256)", item.sha256),
    )
    return tuple(Detail(label, value) for label, value in rows if value)


def _copy_link(item: Item) -> tuple[Related, ...]:
    if item.copy is None or item.copy.address is None:
        return ()
    return (Related("Bewaarde kopie", "Kopie in het archief van Open Archivaris", address=item.copy.address),)
