"""The page of a case (``zaak.html``): its papers and the outcome of the vote (section 4).

Votes are given as "Voor 77: CDA | D66" without seats for each fractie; in a roll call the names are of members. Members who
deviated are counted twice over there, so the numbers are the platform's, and are shown with the official page beside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from lxml import etree

from connectors.calls import Answer
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.kamer_words import kind_of, line
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
)
from connectors.opentk.ids import Thing
from connectors.opentk.values import moment, moments
from connectors.records import DateMeaning, Detail, Document, Related
from connectors.voting import Votes

_STARTED: Final = re.compile(r"Zaak ([12][0-9]{3}Z[0-9]{5,6}), gestart op ([0-9-]{10})")
_DECIDED: Final = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})?[^⇒]{0,40}⇒ ?(.*)", re.DOTALL)
_STATUS: Final = re.compile(r" ?\(([A-Za-z ]{1,40})\)$")
_CAST: Final = re.compile(r"(Voor|Tegen|Niet deelgenomen):? ?([0-9]{1,5}):? ?(.*)", re.DOTALL)
_RESULTS: Final = ("aangenomen", "verworpen", "ingetrokken", "aangehouden")
_OTHER: Final = "overig"
_DECISION: Final = "besluit"
_LABELS: Final = {"Voor": "Voor", "Tegen": "Tegen", "Niet deelgenomen": "Niet deelgenomen"}
_APPRECIATION: Final = "Kabinetsappreciatie:"


def case(answer: Answer, place: Place) -> Opened:
    """A case with its votes. Its text is that of its own paper, which is still to be fetched."""
    main = main_of(answer, place.key.upstream_id)
    started = next((found for h in main.iter("h4") if (found := _STARTED.match(text_of(h)))), None)
    if started is None:
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "zaak")
    head = next(main.iter("hgroup"), main)
    soort, subject, dossier = text_of(first(head, "p")), text_of(first(head, "h3")), text_of(first(head, "h2"))
    votes, vote_facts = votes_on(main)
    papers = [key for anchor in main.iter("a") if (key := leads_to(anchor)) and key.thing is Thing.DOCUMENT]
    document = place.document(
        title=subject or dossier,
        kind=kind_of(soort),
        word=soort or "Zaak",
        dates=tuple(moments(moment(started[2], DateMeaning.DOCUMENT))),
        details=(
            *facts(
                ("Nummer", started[1]),
                ("Dossier", dossier if subject else ""),
                *grouped(_people(main)),
                ("Oordeel van het kabinet", appreciation(main)),
            ),
            *vote_facts,
        ),
        related=each_once(_related(main), place.key),
    )
    return Opened(replace(document, votes=votes), paper=papers[0].name if papers else "")


def with_votes(answer: Answer, document: Document, case_id: str) -> Document:
    """``document`` with the votes and the cabinet's opinion of the case that it belongs to (field report 27)."""
    main = main_of(answer, case_id)
    votes, vote_facts = votes_on(main)
    opinion = facts(("Oordeel van het kabinet", appreciation(main)))
    return replace(document, votes=votes, details=(*document.details, *opinion, *vote_facts))


def votes_on(main: etree._Element) -> tuple[Votes | None, tuple[Detail, ...]]:
    """The outcome of the last decision that says one, and who voted how."""
    telling = [one for one in _decisions(main) if one[1] or _result(one[0]) != _OTHER]
    if not telling:
        return None, ()
    literal, cast = max(enumerate(telling), key=lambda item: (bool(item[1][1]), item[0]))[1]
    counts = {choice: int(count) for choice, count, _ in cast}
    votes = Votes(
        result=_result(literal),
        literal=literal,
        in_favour=counts.get("Voor"),
        against=counts.get("Tegen"),
    )
    return votes, facts(*((_LABELS[choice], names) for choice, _, names in cast))


def appreciation(main: etree._Element) -> str:
    """What the cabinet thinks of it ("Ontraden"); empty where it says nothing."""
    texts = (text_of(block) for block in main.iter("p"))
    return next((text.removeprefix(_APPRECIATION).strip() for text in texts if text.startswith(_APPRECIATION)), "")


def _decisions(main: etree._Element) -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
    """Each decision as its words and the votes cast. A proposal for one is no decision."""
    for item in main.iter("li"):
        found = _DECIDED.match(_own_text(item))
        if found is None:
            continue
        literal = found[2].strip()
        if status := _STATUS.search(literal):
            literal = literal[: status.start()]
        cast = [one for below in item.iter("li") if below is not item and (one := _cast(below))]
        if cast or status is None or status[1].lower() == _DECISION:
            yield literal, cast


def _own_text(item: etree._Element) -> str:
    """The text of an item without the list below it and without comments."""
    pieces = [item.text or ""]
    for child in item:
        if isinstance(child.tag, str) and child.tag not in {"ul", "ol"}:
            pieces.append("".join(child.itertext("*")))
        pieces.append(child.tail or "")
    return line("".join(pieces))


def _cast(item: etree._Element) -> tuple[str, str, str] | None:
    found = _CAST.fullmatch(text_of(item))
    if found is None:
        return None
    names = (name.strip() for name in found[3].split("|"))
    return found[1], found[2], "; ".join(filter(None, names))


def _result(literal: str) -> str:
    return next((one for one in _RESULTS if one in literal.lower()), _OTHER)


def _people(main: etree._Element) -> Iterator[tuple[str, str]]:
    for item in main.iter("li"):
        relation, colon, who = text_of(item).partition(":")
        is_person = any((anchor.get("href") or "").startswith("persoon.html") for anchor in item.iter("a"))
        is_body = not len(item) and relation[:1].isalpha() and not _CAST.match(text_of(item))
        if colon and who.strip() and (is_person or is_body):
            yield relation, who.strip()


def _related(main: etree._Element) -> Iterator[Related]:
    about: dict[etree._Element, str] = {}  # an item may hold very many links, and is read once for all of them
    for anchor in main.iter("a"):
        key = leads_to(anchor)
        if key is None:
            continue
        if key.thing is Thing.DOCUMENT:
            yield related_to("Stuk", text_of(anchor), key)
        elif key.thing is Thing.ACTIVITY:
            item = anchor.getparent()
            if item is not None and item not in about:
                about[item] = _about(item)
            yield related_to("Activiteit", about[item] if item is not None else "", key)


def _about(item: etree._Element) -> str:
    """What the activity of an agenda item is: the words between its hour and its number."""
    return text_of(item).partition(": ")[2].rpartition(". ")[0]
