"""The other pages: a commitment, a report, a document of open.overheid.nl, and a gift in the list of who got it (section 4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lxml import etree

from connectors.calls import Answer
from connectors.exceptions import Defect, GoneError, NotAnAnswerError
from connectors.kamer_words import line
from connectors.opentk.answers import KEY, main_of
from connectors.opentk.documents import (
    Opened,
    Place,
    each_once,
    facts,
    first,
    leads_to,
    related_to,
    text_of,
    with_text,
)
from connectors.opentk.ids import Key, Thing
from connectors.opentk.markup import PageText, page_text
from connectors.opentk.values import change, moment, moments
from connectors.records import DateMeaning, Kind, Passage, Related

_DAY: Final = re.compile(r"Datum:? ([0-9]{4}-[0-9]{2}-[0-9]{2})")
_STATUS: Final = re.compile(r"status ([A-Za-z ]{1,40})")
_TITLE_STATUS: Final = re.compile(r"\(([A-Za-z ]{1,40})\)$")
_UPDATED: Final = re.compile(r"Laatste update: ([0-9-]{10}(?:[ T][0-9:]{5,8})?)")
_PUBLISHED: Final = re.compile(r"Openbaarmakingsdatum: ([0-9-]{10})")
_CHANGED: Final = re.compile(r"laatste wijziging: ([0-9T:.Z+ -]{10,40}?)(?:,|$)")
_LONGEST_TITLE: Final = 120
_RELATIONS: Final = {Thing.ACTIVITY: "Gedaan tijdens", Thing.DOCUMENT: "Kamerbrief"}


def commitment(answer: Answer, place: Place) -> Opened:
    """A commitment: who does what, whether it is met, and during which activity it was made."""
    main = main_of(answer, place.key.upstream_id)
    heading = _heading(main)
    quote = first(main, "blockquote")
    by = first(quote, "footer") if quote is not None else None
    said = text_of(by)
    if quote is not None and by is not None:
        quote.remove(by)
    everything = text_of(main)
    text = text_of(quote) if quote is not None else _first_words(main)
    status = _TITLE_STATUS.search(heading) or _STATUS.search(everything)
    day = _DAY.search(everything)
    document = place.document(
        title=_shortened(text) or heading,
        kind=Kind.TOEZEGGING,
        word="Toezegging",
        dates=tuple(moments(moment(day[1], DateMeaning.COMMITMENT) if day else None)),
        details=facts(
            ("Nummer", place.key.name), ("Status", status[1].strip() if status else ""), ("Gedaan door", said)
        ),
        related=each_once(_links(main, _RELATIONS), place.key),
    )
    passages = (Passage(1, text),) if text else ()
    return Opened(with_text(document, PageText(passages)))


def report(answer: Answer, place: Place) -> Opened:
    """The report of a meeting with its text by subject. "Ongecorrigeerd" stands above it where it is."""
    main = main_of(answer, place.key.upstream_id)
    title = next((text for h in main.iter("h1") if (text := text_of(h))), "")
    notes = [text_of(h) for h in main.iter("h5", "h6")]
    day = next((found for text in notes if (found := _DAY.search(text))), None)
    if day is None:
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "datum")
    updated = _UPDATED.search(notes[0])
    edition, _, status = next((text for text in notes if " / " in text), "").partition(" / ")
    room = next((text for text in notes[1:] if " / " not in text), "")
    body = next((one for one in main.iter("div", "section") if first(one, "h1", "h2", "p") is not None), main)
    document = place.document(
        title=title or f"Verslag van {day[1]}",
        kind=Kind.VERSLAG,
        word="Verslag",
        dates=tuple(
            moments(moment(day[1], DateMeaning.MEETING), moment(updated[1], DateMeaning.CHANGE) if updated else None)
        ),
        details=facts(("Zaal", room), ("Status van het verslag", status), ("Uitgave van het verslag", edition)),
    )
    return Opened(with_text(document, page_text(body)))


def open_document(answer: Answer, place: Place) -> Opened:
    """A document that a ministry published at open.overheid.nl. Its text is in its file, which is still to be fetched."""
    main = main_of(answer, place.key.upstream_id)
    published = _PUBLISHED.search(text_of(main))
    if published is None:
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "openbaarmakingsdatum")
    changed = _CHANGED.search(text_of(main))
    maker = text_of(first(main, "h4")).removesuffix("(via open.overheid.nl)").strip()
    document = place.document(
        title=text_of(first(main, "h1")),
        kind=Kind.DOCUMENT,
        word="OODocument",
        dates=tuple(
            moments(moment(published[1], DateMeaning.PUBLICATION), change(changed[1].strip()) if changed else None)
        ),
        details=facts(("Verantwoordelijke", maker), ("Verzameling", "open.overheid.nl")),
        related=each_once(_links(main, {Thing.OPEN: "Gerelateerd"}), place.key),
    )
    return Opened(document, file=place.key.name)


def gift(answer: Answer, place: Place) -> Opened:
    """A gift to a member, from the list on that member's page. Raises ``GoneError`` when it is not in it."""
    main = main_of(answer, place.key.upstream_id)
    row = next((one for one in main.iter() if (one.get("id") or "").lower() == place.key.name), None)
    if row is None:
        raise GoneError(KEY, place.key.upstream_id)
    cells = [text_of(cell) for cell in row.iter("td")]
    day = next((found for cell in cells if (found := moment(cell, DateMeaning.DOCUMENT))), None)
    text = max(cells, key=len, default="") or text_of(row)
    member = text_of(first(main, "h3", "h2"))
    document = place.document(
        title=_shortened(f"Geschenk aan {member}: {text}" if member else text),
        kind=Kind.DOCUMENT,
        word="PersoonGeschenk",
        dates=tuple(moments(day)),
        details=facts(("Kamerlid", member)),
    )
    return Opened(with_text(document, PageText((Passage(1, text),) if text else ())))


def _heading(main: etree._Element) -> str:
    """The line "Toezegging TZ…": it stands in the page, or in the frame around it."""
    headings = [text_of(h) for h in main.getroottree().iter("h4", "h3") if text_of(h).startswith("Toezegging")]
    if not headings:
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "toezegging")
    return headings[0]


def _first_words(main: etree._Element) -> str:
    """The first block that is not the line of facts."""
    texts = (text_of(block) for block in main.iter("p"))
    return next((text for text in texts if text and not _DAY.match(text)), "")


def _links(main: etree._Element, relations: dict[Thing, str]) -> Iterator[Related]:
    for anchor in main.iter("a"):
        key: Key | None = leads_to(anchor)
        if key is not None and key.thing in relations:
            yield related_to(relations[key.thing], text_of(anchor), key)


def _shortened(text: str) -> str:
    plain = line(text)
    return plain if len(plain) <= _LONGEST_TITLE else f"{plain[:_LONGEST_TITLE].rsplit(' ', 1)[0]} …"
