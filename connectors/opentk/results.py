"""From what came to one page of hits: chosen, ordered, counted and cut by us. Pure.

What the platform gave is all that can be seen of it: with 280 hits there may be more, and no number says how many.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime

from connectors.opentk.hits import Found, ScoredHit
from connectors.opentk.kinds import CERTAIN
from connectors.opentk.plan import PAGE_SIZE, Plan
from connectors.opentk.requests import MOST_HITS
from connectors.questions import in_period, notes_on
from connectors.records import Certainty, Filter, Hit, Note, NoteCode, SearchResult, Sort, Total


def nothing(plan: Plan, at: datetime) -> SearchResult:
    """No hits, without a call: an empty period, or a page behind all that the platform gives."""
    unreachable = any(note.code is NoteCode.BEYOND_REACH for note in plan.notes)
    total = Total(None, Certainty.UNKNOWN) if unreachable else Total(0, Certainty.EXACT)
    return SearchResult(
        hits=(), total=total, fetched_at=at, notes=plan.notes + notes_on(plan.query, plan.query.sort, own=plan.own)
    )


def page_of(plan: Plan, found: Found) -> SearchResult:
    """The page that ``plan`` asks for, of what came."""
    kept = [one for one in found.hits if _fits(one.hit, plan)]
    is_cut = found.given >= MOST_HITS
    ordered = _ordered(kept, plan.query.sort)
    end = plan.start + PAGE_SIZE
    has_more = end < len(ordered)
    return SearchResult(
        hits=tuple(one.hit for one in ordered[plan.start : end]),
        total=Total(len(kept), _certainty(plan, found, is_cut=is_cut)),
        fetched_at=found.fetched_at,
        notes=_notes(plan, found, is_cut=is_cut, is_last=not has_more),
        has_more=has_more,
    )


def _fits(hit: Hit, plan: Plan) -> bool:
    return (not plan.kinds or hit.kind in plan.kinds) and in_period(plan.query, hit)


def _certainty(plan: Plan, found: Found, *, is_cut: bool) -> Certainty:
    """Exact only when all was seen, all was read, and no kind was chosen that we derive from titles."""
    derived = bool(plan.kinds - CERTAIN)
    return Certainty.AT_LEAST if is_cut or found.unread or derived else Certainty.EXACT


def _notes(plan: Plan, found: Found, *, is_cut: bool, is_last: bool) -> tuple[Note, ...]:
    sort = plan.query.sort
    # What came are the newest: the oldest, or the best, of all may not be among them.
    own = (*plan.own, Filter.SORT) if is_cut and sort is not Sort.NEWEST else plan.own
    notes = [*plan.notes, *notes_on(plan.query, sort, own=own)]
    if found.unread:
        notes.append(Note(NoteCode.ROWS_SKIPPED, (str(found.unread),)))
    if is_cut and is_last:
        notes.append(Note(NoteCode.BEYOND_REACH))
    return tuple(notes)


def _ordered(hits: Iterable[ScoredHit], sort: Sort) -> list[ScoredHit]:
    """In the asked order; by date those without one stand at the end, whichever the order (field report 12)."""
    if sort is Sort.RELEVANCE:
        return sorted(hits, key=_score)
    everything = list(hits)
    dated = sorted((one for one in everything if one.hit.date), key=_day, reverse=sort is Sort.NEWEST)
    return [*dated, *(one for one in everything if not one.hit.date)]


def _day(one: ScoredHit) -> date:
    return one.hit.date.day if one.hit.date else date.min


def _score(one: ScoredHit) -> float:
    return one.score
