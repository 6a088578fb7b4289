"""Reading the texts of this service's XML, of which the prefixes vary between answers (platform page, section 4)."""

from __future__ import annotations

import html
import re
from typing import Final

from lxml import etree

from connectors.bodies import xml_root
from connectors.platforms import OFFICIELE_BEKENDMAKINGEN
from connectors.xml_elements import first

KEY: Final = OFFICIELE_BEKENDMAKINGEN.key
_ESCAPED: Final = re.compile(
    r"&(?:#[0-9]{1,6}|#x[0-9a-fA-F]{1,5}|amp|lt|gt|quot|apos|[a-zA-Z]uml|[a-zA-Z]acute|[a-zA-Z]grave);"
)


def root_of(body: bytes) -> etree._Element:
    """The root element of a body. Raises ``NotAnAnswerError``; ``TOO_LARGE`` where it passes what the parser can hold."""
    return xml_root(KEY, body)


def descend(parent: etree._Element, *path: str) -> etree._Element | None:
    """The first element along a path of names."""
    found: etree._Element | None = parent
    for name in path:
        if found is None:
            return None
        found = first(found, name)
    return found


def one_line(text: str) -> str:
    """``text`` with every run of white space as one blank; what was escaped twice is decoded once more and stays text."""
    return " ".join(_ESCAPED.sub(lambda found: html.unescape(found[0]), text).split()) if text else ""


def line_of(element: etree._Element | None) -> str:
    """All text below an element, on one line."""
    return one_line("".join(element.itertext("*"))) if element is not None else ""
