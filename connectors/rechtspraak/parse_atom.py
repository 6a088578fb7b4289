"""The feed of Open Data's search (section A3): bytes in, rows out. Raises nothing but ``ConnectorError``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import Final

from lxml import etree

from connectors.bodies import require_success
from connectors.calls import Answer
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.platforms import RECHTSPRAAK
from connectors.rechtspraak.ecli import parse_ecli
from connectors.rechtspraak.elements import child_line, line_of, root_of
from connectors.rechtspraak.requests import PAGE_SIZE
from connectors.rechtspraak.titles import Title, read_title
from connectors.xml_elements import children, first, local

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
    """One page of the feed. ``received`` counts all entries, ``withdrawn`` those whose text was withdrawn or replaced.

    ``gone`` are the ECLIs of the withdrawn, as far as they can be read.
    """

    total: int
    rows: tuple[AtomRow, ...]
    received: int
    withdrawn: int
    gone: tuple[str, ...] = ()

    @property
    def left_out(self) -> int:
        """How many entries could not be read."""
        return self.received - self.withdrawn - len(self.rows)


def parse_atom(answer: Answer, most: int = PAGE_SIZE) -> AtomPage:
    """The page of a feed. An answer of 400 with a text is ``RefusedError``; HTML, half a feed or another root is no answer.

    ``most`` is how many entries were asked for: any beyond them belong to the next page.
    """
    require_success(RECHTSPRAAK.key, answer)
    root = root_of(answer.body)
    if local(root) != "feed":
        raise NotAnAnswerError(RECHTSPRAAK.key, Defect.WRONG_SHAPE, "root")
    total = _TOTAL.search(child_line(root, "subtitle"))
    if total is None:
        raise NotAnAnswerError(RECHTSPRAAK.key, Defect.WRONG_SHAPE, "subtitle")
    entries = tuple(islice(children(root, "entry"), most))
    standing = tuple(entry for entry in entries if not entry.get("deleted"))
    rows = tuple(row for entry in standing if (row := _row(entry)) is not None)
    if standing and not rows:
        raise NotAnAnswerError(RECHTSPRAAK.key, Defect.WRONG_SHAPE, "entry")
    withdrawn = tuple(entry for entry in entries if entry.get("deleted"))
    gone = tuple(ecli for entry in withdrawn if (ecli := parse_ecli(child_line(entry, "id"))) is not None)
    return AtomPage(int(total[1]), rows, len(entries), len(withdrawn), gone)


def _row(entry: etree._Element) -> AtomRow | None:
    """The row of an entry; None when it carries no ECLI."""
    ecli = parse_ecli(child_line(entry, "id"))
    if ecli is None:
        return None
    summary = line_of(first(entry, "summary"))
    return AtomRow(ecli, read_title(child_line(entry, "title")), "" if summary in _NO_SUMMARY else summary)
