"""Small helpers to read XML by local names: prefixes vary between answers of this service (platform page, section 4)."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from datetime import date
from typing import Final

from lxml import etree

from connectors.bodies import xml_root
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.platforms import OFFICIELE_BEKENDMAKINGEN

KEY: Final = OFFICIELE_BEKENDMAKINGEN.key
_DAY: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T.*)?", re.DOTALL)
_ESCAPED: Final = re.compile(
    r"&(?:#[0-9]{1,6}|#x[0-9a-fA-F]{1,5}|amp|lt|gt|quot|apos|[a-zA-Z]uml|[a-zA-Z]acute|[a-zA-Z]grave);"
)


def root_of(body: bytes) -> etree._Element:
    """The root element of a body. Raises ``NotAnAnswerError``; ``TOO_LARGE`` where it passes what the parser can hold."""
    try:
        return xml_root(KEY, body)
    except NotAnAnswerError as error:
        cause = error.__cause__
        if isinstance(cause, etree.XMLSyntaxError) and cause.code == etree.ErrorTypes.ERR_RESOURCE_LIMIT:
            raise NotAnAnswerError(KEY, Defect.TOO_LARGE, "xml") from cause
        raise


def local(node: etree._Element) -> str:
    """The name of an element without its namespace; empty for comments and processing instructions."""
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""


def children(parent: etree._Element, name: str) -> Iterator[etree._Element]:
    """The children called ``name``."""
    return (child for child in parent if local(child) == name)


def first(parent: etree._Element, name: str) -> etree._Element | None:
    """The first child called ``name``."""
    return next(children(parent, name), None)


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


def day_of(text: str) -> date | None:
    """The day of ``yyyy-mm-dd``, with or without a time behind it; None for anything else and for days that do not exist."""
    match = _DAY.fullmatch(text.strip())
    if match is None:
        return None
    try:
        return date(*(int(part) for part in match.groups()))
    except ValueError:
        return None
