"""The answer of the website's search (section B2): bytes in, rows out. Raises nothing but ``ConnectorError``."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from connectors.bodies import json_object, require_success
from connectors.calls import Answer
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.platforms import RECHTSPRAAK
from connectors.rechtspraak.ecli import parse_ecli
from connectors.rechtspraak.elements import dutch_day_of, one_line, readable
from connectors.rechtspraak.requests import WINDOW_SIZE
from connectors.rechtspraak.titles import Title, read_title

_MARKUP: Final = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
_NO_FRAGMENT: Final = frozenset({"", "-"})


@dataclass(frozen=True, slots=True)
class WebsiteRow:
    """One result. ``product`` is the platform's own word for what it is: uitspraak or conclusie."""

    ecli: str
    title: Title
    product: str
    day: date | None
    fragment: str


@dataclass(frozen=True, slots=True)
class WebsitePage:
    """One page of results. ``received`` counts all of them, also those left out because they carry no ECLI."""

    total: int
    rows: tuple[WebsiteRow, ...]
    received: int

    @property
    def left_out(self) -> int:
        """How many results could not be read."""
        return self.received - len(self.rows)


def parse_website(answer: Answer, most: int = WINDOW_SIZE) -> WebsitePage:
    """The page of an answer. Anything but the described object is no answer, never "no results".

    ``most`` is how many results were asked for: any beyond them belong to the next page.
    """
    require_success(RECHTSPRAAK.key, answer)
    body = json_object(RECHTSPRAAK.key, answer)
    total, results = body.get("ResultCount"), body.get("Results")
    if not isinstance(total, int) or isinstance(total, bool) or total < 0:
        raise NotAnAnswerError(RECHTSPRAAK.key, Defect.WRONG_SHAPE, "ResultCount")
    if not isinstance(results, list):
        raise NotAnAnswerError(RECHTSPRAAK.key, Defect.WRONG_SHAPE, "Results")
    asked_for = results[:most]
    rows = tuple(row for result in asked_for if (row := _row(result)) is not None)
    if asked_for and not rows:
        raise NotAnAnswerError(RECHTSPRAAK.key, Defect.WRONG_SHAPE, "Results[]")
    return WebsitePage(total, rows, len(asked_for))


def _row(result: Any) -> WebsiteRow | None:
    if not isinstance(result, dict):
        return None
    ecli = parse_ecli(_text(result, "TitelEmphasis"))
    if ecli is None:
        return None
    title = read_title(readable(_text(result, "Titel")))
    return WebsiteRow(
        ecli=ecli,
        title=title,
        product=one_line(_text(result, "GerechtelijkProductType")),
        day=dutch_day_of(_text(result, "Uitspraakdatum")) or title.day,
        fragment=plain_fragment(_text(result, "Tekstfragment")),
    )


def _text(result: dict[str, Any], name: str) -> str:
    value = result.get(name)
    return value if isinstance(value, str) else ""


def plain_fragment(text: str) -> str:
    """A fragment without tags (how highlights are marked is not known), decoded once, on one line; a lone "-" is nothing."""
    plain = one_line(html.unescape(_MARKUP.sub("", text)))
    return "" if plain in _NO_FRAGMENT else plain
