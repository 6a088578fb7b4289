"""Reading the texts of this platform's XML.

Some texts were escaped twice before they were published ("&amp;amp;" in the XML of RVS:2005:AU8740): ``readable`` undoes that.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from datetime import date
from html.entities import name2codepoint
from itertools import islice
from typing import Final, TypeVar

from lxml import etree

from connectors.bodies import xml_root
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.platforms import RECHTSPRAAK
from connectors.xml_elements import children, existing_day, first

_T = TypeVar("_T")
_DUTCH_DAY: Final = re.compile(r"([0-9]{2})-([0-9]{2})-([0-9]{4})")
_REFERENCE: Final = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|([A-Za-z][A-Za-z0-9]{1,9}));")
_NAMES: Final = frozenset({*name2codepoint, "apos"})


def root_of(body: bytes) -> etree._Element:
    """The root element of a body of this platform. Raises ``NotAnAnswerError``."""
    return xml_root(RECHTSPRAAK.key, body)


def at_most(most: int, items: Iterable[_T], where: str) -> tuple[_T, ...]:
    """All ``items``. Raises ``NotAnAnswerError`` (``TOO_LARGE``) for more than ``most``, without looking at the rest."""
    taken = tuple(islice(items, most + 1))
    if len(taken) > most:
        raise NotAnAnswerError(RECHTSPRAAK.key, Defect.TOO_LARGE, where)
    return taken


def one_line(text: str | None) -> str:
    """``text`` with every run of white space as one blank; empty for None."""
    return " ".join(text.split()) if text else ""


def readable(text: str | None) -> str:
    """``text`` on one line; what was escaped twice is decoded once more, and stays text: ``&lt;b&gt;`` becomes "<b>".

    Only whole references that HTML knows, to something that can be seen; any other ampersand stays as it is.
    """
    return one_line(_REFERENCE.sub(_meant, text)) if text and "&" in text else one_line(text)


def _meant(reference: re.Match[str]) -> str:
    if reference[1] and reference[1] not in _NAMES:
        return reference[0]
    meant = html.unescape(reference[0])
    return meant if meant.isspace() or (meant.isprintable() and meant != "\ufffd") else reference[0]


def line_of(element: etree._Element | None) -> str:
    """All text below an element, on one line."""
    return readable("".join(element.itertext("*"))) if element is not None else ""


def child_line(parent: etree._Element, name: str) -> str:
    """The text of the first child called ``name``, on one line; empty when there is none."""
    return line_of(first(parent, name))


def child_lines(parent: etree._Element, name: str) -> tuple[str, ...]:
    """The texts of all children called ``name`` that have any."""
    return tuple(line for child in children(parent, name) if (line := line_of(child)))


def dutch_day_of(text: str) -> date | None:
    """The day of ``dd-mm-yyyy``; None for anything else, and for days that do not exist."""
    return existing_day(match.groups()[::-1]) if (match := _DUTCH_DAY.fullmatch(text.strip())) else None
