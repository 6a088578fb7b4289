"""The page of a paper (``document.html``): what it is, who made it, what it belongs to, and its text where that is on it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from lxml import etree

from connectors.calls import Answer
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.kamer_words import line
from connectors.opentk.answers import KEY, main_of
from connectors.opentk.documents import (
    Opened,
    Place,
    each_once,
    facts,
    first,
    grouped,
    leads_to,
    related_to,
    text_of,
    with_text,
)
from connectors.opentk.ids import Thing
from connectors.opentk.kinds import kind_of_page
from connectors.opentk.markup import page_text
from connectors.opentk.pages import official_page
from connectors.opentk.values import change, moment, moments
from connectors.records import DateMeaning, Kind, Related

_PREVIEW: Final = "preview document"
_OFFICIAL: Final = re.compile(r"https://zoek\.officielebekendmakingen\.nl/([a-zA-Z0-9-]{3,60})\.html")
_DOSSIER: Final = re.compile(r"Onderdeel van kamerstukdossier ([0-9]{1,6}) ?([A-Z0-9()-]{0,12}?)-(-?[0-9]{1,6})\b")
_VOTED_ON: Final = frozenset({Kind.MOTIE, Kind.AMENDEMENT, Kind.WET})
_ATTACHED_TO: Final = "Bijlage bij"
_LONGEST_CONTEXT: Final = 200


@dataclass(frozen=True, slots=True)
class _Head:
    number: str
    day: str
    changed: str


def paper(answer: Answer, place: Place) -> Opened:
    """A paper. Without a preview its text is still to be fetched; a motion's votes stand with its case."""
    main = main_of(answer, place.key.upstream_id)
    preview = _taken_out(main)
    head = _head(main)
    if head is None:
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "nummer")
    title, soort = text_of(first(main, "h2")), text_of(first(main, "em"))
    kind = kind_of_page(soort, title)
    related = each_once(_related(main), place.key)
    cases = [one for one in related if one.relation == "Zaak"]
    official = _official(main)
    document = place.document(
        title=title,
        kind=kind,
        word=soort or "Document",
        dates=tuple(moments(moment(head.day, DateMeaning.DOCUMENT), change(head.changed))),
        details=facts(
            ("Nummer", head.number),
            ("Dossier", text_of(first(main, "h4"))),
            ("Kamerstuk", _in_dossier(main)),
            *grouped(_people(main)),
            ("Officiële publicatie", official),
        ),
        related=related,
        official=official,
    )
    case = leads_to(_anchor(main, Thing.CASE)) if cases and kind in _VOTED_ON else None
    if preview is not None and (found := page_text(preview)).passages:
        return Opened(with_text(document, found), case=case)
    return Opened(document, paper=place.key.name, case=case)


def _taken_out(main: etree._Element) -> etree._Element | None:
    """The text of the paper on its page, cut loose from it: links in it are the paper's own."""
    for heading in main.iter("h4"):
        block = heading.getparent()
        if text_of(heading).lower().startswith(_PREVIEW) and block is not None and block is not main:
            block.remove(heading)
            if (above := block.getparent()) is not None:
                above.remove(block)
            return block
    return None


def _head(main: etree._Element) -> _Head | None:
    """The line "Nummer: …, datum: …, bijgewerkt: …" with its values in bold."""
    for block in main.iter("p"):
        if not (block.text or "").strip().startswith("Nummer:"):
            continue
        values = [text_of(bold) for bold in block.iterfind("b")]
        if values and values[0]:
            return _Head(*([*values, "", ""])[:3])
    return None


def _related(main: etree._Element) -> Iterator[Related]:
    for anchor in main.iter("a"):
        key = leads_to(anchor)
        context = _context(anchor)
        if official := _OFFICIAL.fullmatch(anchor.get("href") or ""):
            yield Related("Officiële publicatie", official[1], address=official_page(official[1]))
        elif key is None or (anchor.get("href") or "").startswith("getraw"):
            continue
        elif key.thing is Thing.CASE:
            yield related_to("Zaak", text_of(anchor), key)
        elif key.thing is Thing.ACTIVITY:
            yield related_to("Activiteit", text_of(anchor), key)
        elif key.thing is Thing.DOCUMENT:
            yield related_to(_ATTACHED_TO if context.startswith(_ATTACHED_TO) else "Bijlage", text_of(anchor), key)


def _context(anchor: etree._Element) -> str:
    """The words in front of a link in its own block."""
    block = anchor.getparent()
    return line((block.text or "")[:_LONGEST_CONTEXT]) if block is not None else ""


def _anchor(main: etree._Element, thing: Thing) -> etree._Element:
    return next(a for a in main.iter("a") if (key := leads_to(a)) is not None and key.thing is thing)


def _people(main: etree._Element) -> Iterator[tuple[str, str]]:
    """Who did what: "Indiener: D.G.M. Ceder, Tweede Kamerlid (ChristenUnie)". Activities stand in such a list as well."""
    for item in main.iter("li"):
        relation, colon, who = text_of(item).partition(":")
        anchors = [leads_to(anchor) for anchor in item.iter("a")]
        if colon and who.strip(" ,") and relation[:1].isalpha() and not any(anchors) and len(relation) <= 40:  # noqa: PLR2004
            yield relation, who.strip(" ,")


def _official(main: etree._Element) -> str:
    found = (_OFFICIAL.fullmatch(anchor.get("href") or "") for anchor in main.iter("a"))
    return next((one[1] for one in found if one), "")


def _in_dossier(main: etree._Element) -> str:
    """For example "36045, nr. 299", or with its addition "36600-XIV, nr. 50"."""
    for block in main.iter("p"):
        if found := _DOSSIER.match(text_of(block)):
            base = "-".join(filter(None, (found[1], found[2])))
            return base if found[3].startswith("-") else f"{base}, nr. {found[3]}"
    return ""
