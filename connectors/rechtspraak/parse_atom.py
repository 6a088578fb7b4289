"""The feed of Open Data's search (section A3): bytes in, rows out. Raises nothing but ``ConnectorError``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from lxml import etree

from connectors.bodies import require_success, xml_root
from connectors.calls import Answer
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.platforms import RECHTSPRAAK
from connectors.rechtspraak.ecli import parse_ecli
from connectors.rechtspraak.elements import child_line, children, first, line_of, local
from connectors.rechtspraak.titles import Title, read_title

_TOTAL: Final = re.compile(r"([0-9]{1,12})$")
_NO_SUMMARY: Final = frozenset({"", "-"})


@dataclass(frozen=True, slots=True)
class AtomRow:
    """One decision of the feed. The decision date and the court stand in its title alone."""

    ecli: str
    title: Title
    summary: str


@dataclass(frozen=True, slots=True)
class AtomPage:
    """One page of the feed. ``received`` counts all entries; ``left_out`` those withdrawn, replaced, or without an ECLI."""

    total: int
    rows: tuple[AtomRow, ...]
    received: int
    left_out: int


def parse_atom(answer: Answer) -> AtomPage:
    """The page of a feed. An answer of 400 with a text is ``RefusedError``; HTML, half a feed or another root is no answer."""
    require_success(RECHTSPRAAK.key, answer)
    root = xml_root(RECHTSPRAAK.key, answer.body)
    if local(root) != "feed":
        raise NotAnAnswerError(RECHTSPRAAK.key, Defect.WRONG_SHAPE, "root")
    total = _TOTAL.search(child_line(root, "subtitle"))
    if total is None:
        raise NotAnAnswerError(RECHTSPRAAK.key, Defect.WRONG_SHAPE, "subtitle")
    entries = tuple(children(root, "entry"))
    rows = tuple(row for entry in entries if (row := _row(entry)) is not None)
    if entries and not rows and not any(entry.get("deleted") for entry in entries):
        raise NotAnAnswerError(RECHTSPRAAK.key, Defect.WRONG_SHAPE, "entry")
    return AtomPage(int(total[1]), rows, len(entries), len(entries) - len(rows))


def _row(entry: etree._Element) -> AtomRow | None:
    """The row of an entry; None when it stands for a text withdrawn, an ECLI replaced, or no ECLI at all."""
    if entry.get("deleted"):
        return None
    ecli = parse_ecli(child_line(entry, "id"))
    if ecli is None:
        return None
    summary = line_of(first(entry, "summary"))
    return AtomRow(ecli, read_title(child_line(entry, "title")), "" if summary in _NO_SUMMARY else summary)
