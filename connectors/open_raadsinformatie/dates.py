"""The platform's dates: of which the offset is true, and of which it is a label on Dutch clock time (platform page, section 3).

Notubiz carries ``+01:00`` or ``+02:00``. iBabs and GemeenteOplossingen carry the time on a Dutch clock labelled ``+00:00``, and
Parlaeus no zone at all: there the hour is right and the label is not. Read as UTC, one meeting begins an hour apart here and at
OpenBesluitvorming (field report 10). Midnight on the clock stands for a day without a time.
"""

from __future__ import annotations

from datetime import time
from typing import Any

from connectors import moments
from connectors.moments import AMSTERDAM
from connectors.records import DateMeaning, Moment

_YEARS = range(1901, 2200)
_MEETINGS = frozenset({"Meeting", "AgendaItem"})


def date_of(record: dict[str, Any], record_type: str) -> Moment | None:
    """The date of a record: when it was last discussed, else when it began. Of a register it is the date given there."""
    meaning = DateMeaning.MEETING if record_type in _MEETINGS else DateMeaning.MEETING_OR_MOTION
    return moment(record.get("last_discussed_at"), meaning) or moment(record.get("start_date"), meaning)


def moment(value: object, meaning: DateMeaning) -> Moment | None:
    """The date in ``value``; None when it is absent, unreadable, or a year that stands for "no date" (field report 12)."""
    at = moments.parsed(value[0] if isinstance(value, list) and value else value)
    if at is None or at.year not in _YEARS:
        return None
    if not at.utcoffset():
        at = at.replace(tzinfo=AMSTERDAM)
    shown = at.astimezone(AMSTERDAM)
    return Moment(shown.date(), meaning, None if shown.time() == time() else shown)


def sort_key(found: Moment | None) -> float:
    """A number that orders dates; a day without a time counts as its first moment."""
    return moments.sort_key(found, AMSTERDAM)
