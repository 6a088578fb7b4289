"""Reading XML by local names: prefixes vary between answers, and attributes come with and without one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

from lxml import etree

_DAY: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T.*)?", re.DOTALL)


def local(node: etree._Element) -> str:
    """The name of an element without its namespace; empty for comments and processing instructions."""
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""


def children(parent: etree._Element, *names: str) -> Iterator[etree._Element]:
    """The children that carry one of ``names``."""
    return (child for child in parent if local(child) in names)


def first(parent: etree._Element, name: str) -> etree._Element | None:
    """The first child called ``name``."""
    return next(children(parent, name), None)


def attribute(element: etree._Element, name: str) -> str:
    """The value of the first attribute with this local name; empty when there is none."""
    return next((str(value) for key, value in element.attrib.items() if str(key).rpartition("}")[2] == name), "")


def day_of(text: str) -> date | None:
    """The day of ``yyyy-mm-dd``, with or without a time after it; None for anything else, and for days that do not exist."""
    match = _DAY.fullmatch(text.strip())
    return existing_day(match.groups()) if match else None


def existing_day(parts: tuple[str, ...]) -> date | None:
    """The day of year, month and day in digits; None when there is no such day."""
    try:
        return date(*(int(part) for part in parts))
    except ValueError:
        return None
