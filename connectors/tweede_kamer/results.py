"""From the streams of one question to one result. Pure."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Final

from connectors.exceptions import ConnectorError
from connectors.records import Certainty, Hit, Note, NoteCode, SearchResult, Total
from connectors.tweede_kamer.hits import HitPage
from connectors.tweede_kamer.ids import Entity
from connectors.tweede_kamer.plan import Plan, Stream

Outcome = tuple[HitPage, datetime] | ConnectorError
_SHORT: Final = 5
_NAMES: Final = {
    Entity.DOCUMENT: "stukken",
    Entity.ACTIVITY: "activiteiten",
    Entity.COMMITMENT: "toezeggingen",
    Entity.MEETING: "verslagen van vergaderingen",
}


def nothing(plan: Plan, at: datetime) -> SearchResult:
    """No hits, without a call: an empty period, or a page out of reach, of which no total is known."""
    unreachable = any(note.code is NoteCode.BEYOND_REACH for note in plan.notes)
    total = Total(None, Certainty.UNKNOWN) if unreachable else Total(0, Certainty.EXACT)
    return SearchResult(hits=(), total=total, fetched_at=at, notes=plan.notes)


def merged(plan: Plan, outcomes: list[tuple[Stream, Outcome]]) -> SearchResult:
    """The hits of all streams by date. Raises the first failure when every stream failed."""
    pages: list[HitPage] = []
    times: list[datetime] = []
    failed: list[str] = []
    failures: list[ConnectorError] = []
    for stream, outcome in outcomes:
        if isinstance(outcome, ConnectorError):
            failures.append(outcome)
            failed.append(_NAMES[stream.entity])
        else:
            pages.append(outcome[0])
            times.append(outcome[1])
    if not pages:
        raise failures[0]
    skipped = sum(page.left_out for page in pages)
    notes = [*plan.notes]
    if failed:
        notes.append(Note(NoteCode.ORGANISATIONS_FAILED, tuple(failed)))
    inside = _inside_words(pages)
    if inside:
        notes.append(Note(NoteCode.INSIDE_WORDS, inside))
    if skipped:
        notes.append(Note(NoteCode.ROWS_SKIPPED, (str(skipped),)))
    if any(page.is_short for page in pages):
        notes.append(Note(NoteCode.SHORT_PAGES))
    if any(page.is_empty_promise for page in pages):
        notes.append(Note(NoteCode.TOTAL_WITHOUT_HITS))
    return SearchResult(
        hits=_by_date(plan, [hit for page in pages for hit in page.hits]),
        total=_about(_total(pages, all_answered=not failed), is_sure=not inside),
        fetched_at=min(times),
        notes=tuple(notes),
        has_more=any(page.has_more for page in pages),
    )


def _inside_words(pages: list[HitPage]) -> tuple[str, ...]:
    """The short words that a hit shows in the middle of others alone: the service finds "Ede" in "leden" (section 4).

    A longer word in a compound is what was asked about: "subsidie" in "loonkostensubsidie".
    """
    found: dict[str, None] = {}
    for page in pages:
        for hit in page.hits:
            text = f"{hit.title} {hit.snippet}"
            found |= {word: None for word in page.stream.words if len(word) <= _SHORT and _is_inside(word, text)}
    return tuple(found)


def _is_inside(word: str, text: str) -> bool:
    begins = [at.start() for at in re.finditer(re.escape(word), text, re.IGNORECASE)]
    return bool(begins) and all(at and text[at - 1].isalnum() for at in begins)


def _about(total: Total, *, is_sure: bool) -> Total:
    """A number that counts what is no word of the question is about right, and no more."""
    return total if is_sure or total.certainty is not Certainty.EXACT else Total(total.value, Certainty.ESTIMATE)


def _by_date(plan: Plan, hits: list[Hit]) -> tuple[Hit, ...]:
    """Hits without a date stand at the end, whichever the order."""
    dated = sorted((hit for hit in hits if hit.date), key=_day, reverse=plan.newest_first)
    return (*dated, *(hit for hit in hits if not hit.date))


def _day(hit: Hit) -> date:
    return hit.date.day if hit.date else date.min


def _total(pages: list[HitPage], *, all_answered: bool) -> Total:
    """The platform's numbers together. Where we choose ourselves it is what we saw, and at least that."""
    if any(page.stream.filters for page in pages):
        seen = sum(len(page.hits) for page in pages)
        done = all_answered and not any(page.has_more or page.stream.skip or page.left_out for page in pages)
        return Total(seen, Certainty.EXACT if done else Certainty.AT_LEAST)
    if any(page.is_empty_promise for page in pages):
        return Total(None, Certainty.UNKNOWN)
    counts = [page.count for page in pages]
    known = [count for count in counts if count is not None]
    if len(known) == len(counts):
        return Total(sum(known), Certainty.EXACT if all_answered else Certainty.AT_LEAST)
    seen = sum(page.count if page.count is not None else page.stream.skip + page.given for page in pages)
    return Total(seen, Certainty.AT_LEAST)
