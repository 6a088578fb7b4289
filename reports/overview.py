"""From hits and readings to a report's contents: each thing once, by body and by month. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Final

from connectors.records import Document, Hit, Term, TextState
from reports.records import BodyPart, Cut, CutReason, Entry, Excerpt, Month, Overview, Reading
from search.passages import look
from search.same import together
from search.spelling import fold

MOST_EXCERPTS: Final = 3
_LONGEST_RANGE: Final = 60


def overview(hits: Iterable[Hit], readings: Mapping[str, Reading]) -> Overview:
    """The contents of a report over ``hits``, in the order in which they came; ``readings`` by the id of the hit.

    Of a thing that several platforms have the reading that succeeded is taken, of whichever copy was read.
    """
    entries = [Entry(item, _best(item.things, readings)) for item in together(hits)]
    of_body: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        of_body[entry.hit.organisation_id or fold(entry.hit.organisation)].append(entry)
    bodies = (BodyPart(own[0].hit.organisation_id, _name(own), _months(own)) for own in of_body.values())
    days = [entry.day for entry in entries]
    return Overview(
        bodies=tuple(sorted(bodies, key=lambda body: (fold(body.name), body.id or ""))),
        years=_years(day.year for day in days if day),
        undated=days.count(None),
    )


def reading_of(hit: str, document: Document, terms: Sequence[Term]) -> Reading:
    """What the text of ``document`` gives for who looks for ``terms``."""
    found = look(document, terms).found
    excerpts = (
        Excerpt(one.passage.number, one.passage.is_page, one.passage.heading, part.text, part.found)
        for one in found
        for part in one.fragments[:1]
    )
    return Reading(
        hit=hit,
        state=document.text_state,
        dates=document.dates,
        votes=document.votes,
        passages=len(found),
        excerpts=tuple(excerpts)[:MOST_EXCERPTS],
        notes=document.notes,
    )


def cuts_of_readings(entries: Iterable[Entry], *, wanted: int) -> tuple[Cut, ...]:
    """What is to be said of the texts, by platform: not read because there are more than ``wanted``, failed, without text."""
    counted: Counter[tuple[str, CutReason]] = Counter()
    for entry in entries:
        reason = _cut(entry.reading, wanted=wanted)
        if reason:
            counted[entry.hit.platform, reason] += 1
    order = list(CutReason)
    rows = sorted(counted.items(), key=lambda row: (row[0][0], order.index(row[0][1])))
    return tuple(Cut(platform, reason, (str(number),)) for (platform, reason), number in rows)


def _cut(reading: Reading | None, *, wanted: int) -> CutReason | None:
    if reading is None:
        return CutReason.MOST_TEXTS if wanted else None
    if reading.failure:
        return CutReason.UNREAD
    return CutReason.WITHOUT_TEXT if reading.state is TextState.NONE else None


def _best(copies: Sequence[Hit], readings: Mapping[str, Reading]) -> Reading | None:
    own = [readings[hit.id] for hit in copies if hit.id in readings]
    return next((one for one in own if not one.failure), own[0] if own else None)


def _name(entries: Sequence[Entry]) -> str:
    """The name by which most things call the body; the first of them, where it is even."""
    return Counter(entry.hit.organisation for entry in entries).most_common(1)[0][0]


def _months(entries: Sequence[Entry]) -> tuple[Month, ...]:
    of_month: defaultdict[date | None, list[Entry]] = defaultdict(list)
    for entry in entries:
        of_month[entry.day.replace(day=1) if entry.day else None].append(entry)
    newest = sorted(of_month.items(), key=lambda row: row[0] or date.min, reverse=True)
    return tuple(Month(first, tuple(_newest_first(own))) for first, own in newest)


def _newest_first(entries: Sequence[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda entry: entry.day or date.min, reverse=True)


def _years(years: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """Each year with its number. Years without any are in it, unless one odd date (1899) would make a list of nothing."""
    counted = Counter(years)
    if not counted or max(counted) - min(counted) > _LONGEST_RANGE:
        return tuple(sorted(counted.items()))
    return tuple((year, counted[year]) for year in range(min(counted), max(counted) + 1))
