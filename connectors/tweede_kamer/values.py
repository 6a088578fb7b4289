"""Values in rows as we use them: text, numbers and moments. Any type may come; what is not as described counts as absent."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from datetime import date, datetime, time
from typing import Any, Final

from connectors.moments import AMSTERDAM
from connectors.records import DateMeaning, Moment

Row = dict[str, Any]
_OLDEST_YEAR: Final = 1800
_NEWEST_YEAR: Final = 2200
_TAG: Final = re.compile(r"<(/?[a-zA-Z][a-zA-Z0-9]{0,15})\b[^<>]{0,500}>")
_CLOSING: Final = frozenset({"/p", "/li", "/div", "/h1", "/h2", "/h3", "/h4", "/tr", "/ul", "/ol", "br"})
_MOJIBAKE: Final = re.compile("[ÃÂâ][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u2013-\u203a\u20ac\u2122]")


def line(value: object) -> str:
    """Text on one line, mended where the source mangled it; empty for anything else."""
    return " ".join(unmangled(value).split()) if isinstance(value, str) else ""


def unmangled(text: str) -> str:
    """The text with "financiÃ«le" as "financiële": only where the whole of it decodes, so that it is certain."""
    if not _MOJIBAKE.search(text):
        return text
    try:
        return text.encode("cp1252").decode("utf-8")
    except (UnicodeEncodeError, UnicodeDecodeError):
        return text


def from_html(value: object) -> str:
    """The text of a remark that is written as HTML: lines where paragraphs end, no markup. Linear in time."""
    if not isinstance(value, str):
        return ""
    marked = _TAG.sub(lambda tag: "\n" if tag[1].lower() in _CLOSING else "", value)
    lines = (" ".join(part.split()) for part in html.unescape(marked).split("\n"))
    return "\n".join(part for part in lines if part)


def number(value: object) -> int | None:
    """A whole number of zero or more; None for anything else (a sub-number of -1 means none)."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def objects(value: object) -> list[Row]:
    """The rows in an expanded collection that are not deleted."""
    if not isinstance(value, list):
        return []
    return [row for row in value if isinstance(row, dict) and row.get("Verwijderd") is not True]


def expanded(value: object) -> Row | None:
    """An expanded single row, or None when there is none or it is deleted."""
    return value if isinstance(value, dict) and value.get("Verwijderd") is not True else None


def instant(value: object) -> datetime | None:
    """A moment with its offset. ``0001-01-01`` and other impossible years are no moments; neither is one without offset."""
    found = _parsed(value)
    return found if found is not None and found.tzinfo is not None else None


def day_of(value: object) -> date | None:
    """The day in the Netherlands."""
    found = _parsed(value)
    if found is None:
        return None
    return found.astimezone(AMSTERDAM).date() if found.tzinfo else found.date()


def moment(value: object, meaning: DateMeaning) -> Moment | None:
    """A date with its meaning. Midnight in the Netherlands stands for a day without a time (section 3)."""
    day = day_of(value)
    if day is None:
        return None
    at = instant(value)
    local = at.astimezone(AMSTERDAM) if at else None
    is_day = local is None or local.time() == time.min
    return Moment(day, meaning, None if is_day else at)


def moments(*found: Moment | None) -> Iterator[Moment]:
    """Those that are known, each once."""
    return iter(dict.fromkeys(one for one in found if one is not None))


def _parsed(value: object) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        found = datetime.fromisoformat(value.strip())
    except ValueError:
        return None
    return found if _OLDEST_YEAR <= found.year <= _NEWEST_YEAR else None
