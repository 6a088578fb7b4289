"""Small helpers to read XML by local names: some keepers drop the namespaces, and attributes come with and without one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

from lxml import etree

_DAY: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T.*)?", re.DOTALL)
_DUTCH_DAY: Final = re.compile(r"([0-9]{2})-([0-9]{2})-([0-9]{4})")


def local(node: etree._Element) -> str:
    """The name of an element without its namespace; empty for comments and processing instructions."""
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""


def children(parent: etree._Element, *names: str) -> Iterator[etree._Element]:
    """The children that carry one of ``names``."""
    return (child for child in parent if local(child) in names)


def first(parent: etree._Element, name: str) -> etree._Element | None:
    """The first child called ``name``."""
    return next(children(parent, name), None)


def one_line(text: str | None) -> str:
    """``text`` with every run of white space as one blank; empty for None."""
    return " ".join(text.split()) if text else ""


def line_of(element: etree._Element | None) -> str:
    """All text below an element, on one line."""
    return one_line("".join(element.itertext("*"))) if element is not None else ""


def child_line(parent: etree._Element, name: str) -> str:
    """The text of the first child called ``name``, on one line; empty when there is none."""
    return line_of(first(parent, name))


def child_lines(parent: etree._Element, name: str) -> tuple[str, ...]:
    """The texts of all children called ``name`` that have any."""
    return tuple(line for child in children(parent, name) if (line := line_of(child)))


def attribute(element: etree._Element, name: str) -> str:
    """The value of the first attribute with this local name; empty when there is none."""
    return next((str(value) for key, value in element.attrib.items() if str(key).rpartition("}")[2] == name), "")


def day_of(text: str) -> date | None:
    """The day of ``yyyy-mm-dd``, with or without a time after it; None for anything else, and for days that do not exist."""
    return _date(match.groups()) if (match := _DAY.fullmatch(text.strip())) else None


def dutch_day_of(text: str) -> date | None:
    """The day of ``dd-mm-yyyy``; None for anything else, and for days that do not exist."""
    return _date(match.groups()[::-1]) if (match := _DUTCH_DAY.fullmatch(text.strip())) else None


def _date(parts: tuple[str, ...]) -> date | None:
    try:
        return date(*(int(part) for part in parts))
    except ValueError:
        return None
