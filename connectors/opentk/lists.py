"""The lists: committees, members with their fracties, and the dossiers in which something happened lately (sections 3 and 4).

There is no list of fracties: they are the first column of the list of members. The days between which a committee existed are
never taken from here, because the platform reads those fields under the wrong name (section 6).
"""

from __future__ import annotations

import re
from typing import Final

from connectors.bodies import json_body, require_success
from connectors.calls import Answer
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.json_values import objects
from connectors.kamer_ids import GUID
from connectors.kamer_words import line
from connectors.opentk.answers import KEY, main_of
from connectors.opentk.documents import text_of
from connectors.opentk.values import Row, number
from connectors.records import ListItem

COMMITTEES: Final = "/commissies.html"
MEMBERS: Final = "/kamerleden.html"
DOSSIERS: Final = "/recent-kamerstukdossiers"
_COMMITTEE: Final = re.compile(rf"commissie\.html\?id=({GUID})")
_MEMBER: Final = re.compile(r"persoon\.html\?nummer=([1-9][0-9]{0,8})")
_CELLS_OF_MEMBER: Final = 4
_VACANCY: Final = "vacature"


def committees(answer: Answer) -> tuple[ListItem, ...]:
    """Committees with their abbreviation. Those without an activity since 2023 are said to sleep."""
    main = main_of(answer, COMMITTEES)
    found = []
    asleep = False
    for element in main.iter("h5", "tr"):
        if element.tag == "h5":
            asleep = text_of(element).lower() == "slapend"
            continue
        anchor = next(element.iter("a"), None)
        link = _COMMITTEE.search(anchor.get("href") or "") if anchor is not None else None
        name = text_of(anchor)
        if link and name:
            short = next((text for cell in list(element.iter("td"))[1:2] if (text := text_of(cell))), "")
            shown = f"{name} ({short})" if short and short != name else name
            found.append(ListItem(link[1], f"{shown}, slapend" if asleep else shown))
    return _not_empty(found, "commissies")


def members(answer: Answer) -> tuple[tuple[ListItem, ...], tuple[ListItem, ...]]:
    """Fracties and members, each member below its fractie. An empty seat is no member."""
    main = main_of(answer, MEMBERS)
    fracties: dict[str, ListItem] = {}
    people = []
    for row in main.iter("tr"):
        cells = list(row.iter("td"))
        if len(cells) < _CELLS_OF_MEMBER:
            continue
        fractie, name = text_of(cells[0]), text_of(cells[3])
        anchor = next(cells[3].iter("a"), None)
        link = _MEMBER.search(anchor.get("href") or "") if anchor is not None else None
        if fractie:
            fracties.setdefault(fractie, ListItem(fractie, fractie))
        if link and name and _VACANCY not in name.lower():
            people.append(ListItem(link[1], name, fractie or None))
    return _not_empty(list(fracties.values()), "kamerleden"), tuple(people)


def dossiers(answer: Answer) -> tuple[ListItem, ...]:
    """The dossiers in which something happened lately: "21501-20 Europese Raad"."""
    require_success(KEY, answer)
    body = json_body(KEY, answer)
    if not isinstance(body, list):
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "root")
    rows = ((_dossier_number(row), line(row.get("titel"))) for row in objects(body))
    return tuple(ListItem(base, f"{base} {title}".strip()) for base, title in rows if base)


def _dossier_number(row: Row) -> str:
    base = number(row.get("nummer"))
    return "-".join(filter(None, (str(base), line(row.get("toevoeging"))))) if base else ""


def _not_empty(items: list[ListItem], where: str) -> tuple[ListItem, ...]:
    """A list that is never empty at the platform: an empty one is no answer (field report 34)."""
    if not items:
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, where)
    return tuple(items)
