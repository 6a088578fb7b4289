"""What a page says as a document, without what stands elsewhere: that is fetched afterwards. Pure.

Pages are read by what leads somewhere (links and headings), not by how they look: the frame around them is another every year.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from lxml import etree

from connectors.kamer_words import line
from connectors.opentk.answers import KEY
from connectors.opentk.hits import ORGANISATION
from connectors.opentk.ids import Key, of_link, same_as
from connectors.opentk.markup import PageText
from connectors.opentk.pages import Pages
from connectors.records import Detail, Document, Kind, Moment, Note, NoteCode, Related, TextState
from connectors.sameness import official_key


@dataclass(frozen=True, slots=True)
class Opened:
    """A document, and what is still to be fetched: the text of ``paper``, the ``file``, the votes on ``case``."""

    document: Document
    paper: str = ""
    file: str = ""
    case: Key | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a document comes from: its id, the addresses, and when it was fetched."""

    key: Key
    pages: Pages
    fetched_at: datetime

    def document(  # noqa: PLR0913 - the parts of a document, each by its name
        self,
        *,
        title: str,
        kind: Kind,
        word: str,
        dates: tuple[Moment, ...],
        details: tuple[Detail, ...] = (),
        related: tuple[Related, ...] = (),
        official: str = "",
    ) -> Document:
        """A document of this place without text. ``official`` is the id of its official publication."""
        also = self.pages.also(self.key)
        return Document(
            platform=KEY,
            upstream_id=self.key.upstream_id,
            title=title or self.key.name,
            organisation=ORGANISATION.name,
            organisation_id=ORGANISATION.id,
            kind=kind,
            kind_at_source=word,
            dates=dates,
            passages=(),
            text_state=TextState.NONE,
            address=self.pages.of(self.key),
            original=self.pages.file(self.key),
            fetched_at=self.fetched_at,
            details=details,
            same_as=(*same_as(self.key), *((official_key(official),) if official else ())),
            related=(*related, *((Related("Ook bij", "OpenTK", address=also),) if also else ())),
        )


def with_text(document: Document, found: PageText | None) -> Document:
    """``document`` with its text; without any it says so, and where a part was left out it says that."""
    if found is None or not found.passages:
        note = NoteCode.NO_TEXT_LAYER if found is not None and found.is_paged else NoteCode.WITHOUT_TEXT
        return replace(document, notes=(*document.notes, Note(note)))
    state = TextState.PARTIAL if found.is_cut else TextState.FULL
    notes = (Note(NoteCode.PARTS_LEFT_OUT),) if found.is_cut else ()
    return replace(document, passages=found.passages, text_state=state, notes=(*document.notes, *notes))


def facts(*found: tuple[str, str]) -> tuple[Detail, ...]:
    """The facts that are known."""
    return tuple(Detail(label, value) for label, value in found if value)


def grouped(pairs: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Values under the same label together, in the order in which they came."""
    by_label: dict[str, list[str]] = {}
    for label, value in pairs:
        by_label.setdefault(label, []).append(value)
    yield from ((label, "; ".join(dict.fromkeys(values))) for label, values in by_label.items())


def text_of(element: etree._Element | None) -> str:
    """The text of an element on one line; empty for none."""
    return line("".join(element.itertext("*"))) if element is not None else ""


def first(root: etree._Element, *names: str) -> etree._Element | None:
    """The first element of one of these names."""
    return next(root.iter(*names), None)


def leads_to(anchor: etree._Element) -> Key | None:
    """What a link opens here."""
    return of_link(anchor.get("href") or "")


def related_to(relation: str, title: str, key: Key) -> Related:
    """A link to something else of this platform."""
    return Related(relation, title or key.name, key.upstream_id)


def each_once(related: Iterator[Related], apart_from: Key) -> tuple[Related, ...]:
    """Links, each target once and none to the document itself."""
    found: dict[str, Related] = {}
    for one in related:
        target = one.upstream_id or one.address or ""
        if target != apart_from.upstream_id:
            found.setdefault(target, one)
    return tuple(found.values())
