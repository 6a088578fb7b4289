"""Value lists (section A5): bytes in, items out. Raises nothing but ``ConnectorError``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final, TypeVar

from lxml import etree

from connectors.bodies import require_success
from connectors.calls import Answer
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.platforms import RECHTSPRAAK
from connectors.rechtspraak.elements import at_most, child_line, root_of
from connectors.records import ListItem
from connectors.xml_elements import children, day_of, first, local

COURTS: Final = "Instanties"
VALUE_LISTS: Final = ("Rechtsgebieden", "Proceduresoorten", "FormeleRelaties")
_DEEPEST: Final = 20
_MOST: Final = 20_000  # the longest list has 260 items
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Court:
    """One court as the platform lists it. ``identifier`` is opaque: it may hold blanks, apostrophes and ``#``."""

    identifier: str
    name: str
    code: str
    kind: str
    first_day: date | None
    last_day: date | None


def parse_court_list(answer: Answer) -> tuple[Court, ...]:
    """The courts of an answer. An empty list is a failure: it must never replace a good one (field report 34)."""
    require_success(RECHTSPRAAK.key, answer)
    return _not_empty(parse_courts(answer.body), COURTS)


def parse_value_list(answer: Answer, name: str) -> tuple[ListItem, ...]:
    """The items of the list ``name``, each below its parent. An empty list is a failure (field report 34)."""
    require_success(RECHTSPRAAK.key, answer)
    return _not_empty(parse_items(answer.body, name), name)


def parse_courts(body: bytes) -> tuple[Court, ...]:
    """All courts of the list Instanties; items without identifier or name are left out."""
    courts = (_court(item) for item in children(_list_root(body, COURTS), "Instantie"))
    return at_most(_MOST, (court for court in courts if court.identifier and court.name), COURTS)


def parse_items(body: bytes, name: str) -> tuple[ListItem, ...]:
    """All items of a list, parents before their children; an item without a name is called by its identifier."""
    return at_most(_MOST, _items(_list_root(body, name), None, 0), name)


def _list_root(body: bytes, name: str) -> etree._Element:
    root = root_of(body)
    # The description writes ProcedureSoorten where the service writes Proceduresoorten.
    if local(root).lower() != name.lower():
        raise NotAnAnswerError(RECHTSPRAAK.key, Defect.WRONG_SHAPE, "root")
    return root


def _court(item: etree._Element) -> Court:
    return Court(
        identifier=_identifier(item),
        name=child_line(item, "Naam"),
        code=child_line(item, "Afkorting"),
        kind=child_line(item, "Type"),
        first_day=day_of(child_line(item, "BeginDate")),
        last_day=day_of(child_line(item, "EndDate")),
    )


def _items(parent: etree._Element, above: str | None, depth: int) -> Iterator[ListItem]:
    if depth > _DEEPEST:
        raise NotAnAnswerError(RECHTSPRAAK.key, Defect.WRONG_SHAPE, "depth")
    for item in parent:
        identifier = _identifier(item)
        if identifier:
            yield ListItem(identifier, child_line(item, "Naam") or identifier, above)
            yield from _items(item, identifier, depth + 1)


def _identifier(item: etree._Element) -> str:
    found = first(item, "Identifier")
    return (found.text or "").strip() if found is not None else ""


def _not_empty(items: tuple[_T, ...], name: str) -> tuple[_T, ...]:
    if not items:
        raise NotAnAnswerError(RECHTSPRAAK.key, Defect.EMPTY, name)
    return items
