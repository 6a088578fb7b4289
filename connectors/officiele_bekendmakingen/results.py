"""From a page of records to one search result. Pure."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from connectors.officiele_bekendmakingen.documents import hit_of
from connectors.officiele_bekendmakingen.links import Links
from connectors.officiele_bekendmakingen.parse_search import SearchPage
from connectors.officiele_bekendmakingen.plan import Plan
from connectors.records import Certainty, Hit, Note, NoteCode, SearchResult, Total

_NONE: Final = Total(0, Certainty.EXACT)
_UNKNOWN: Final = Total(None, Certainty.UNKNOWN)


def nothing(fetched_at: datetime, plan: Plan) -> SearchResult:
    """No hits, and certainly none."""
    return SearchResult(hits=(), total=_NONE, fetched_at=fetched_at, notes=plan.notes)


def beyond_reach(fetched_at: datetime, plan: Plan, total: Total = _UNKNOWN) -> SearchResult:
    """A page so deep that the service does not answer it, and that cannot be reached in another way."""
    return SearchResult(hits=(), total=total, fetched_at=fetched_at, notes=(*plan.notes, Note(NoteCode.BEYOND_REACH)))


def result_of(
    plan: Plan,
    page: SearchPage,
    links: Links,
    fetched_at: datetime,
    *,
    total: int | None = None,
) -> SearchResult:
    """The hits of one page. ``total``: the number over there when the set was cut by day, which the page itself cannot know."""
    hits = tuple(hit for record in page.records if _keeps(plan, hit := hit_of(record, links, fetched_at)))
    reached = plan.start - 1 + page.received
    there_are = page.total if total is None else total
    is_more = bool(page.received) and (page.has_next or reached < there_are)
    has_more = is_more and not plan.is_last_within_reach
    short = has_more and page.received < plan.size
    return SearchResult(
        hits=hits,
        total=_total(plan, page, there_are, len(hits), is_whole=plan.start == 1 and not is_more),
        fetched_at=fetched_at,
        notes=(
            *plan.notes,
            *((Note(NoteCode.ROWS_SKIPPED, (str(page.left_out),)),) if page.left_out else ()),
            *_end(plan, page, there_are),
            *((Note(NoteCode.SHORT_PAGES),) if short else ()),
            *((Note(NoteCode.BEYOND_REACH),) if is_more and not has_more else ()),
        ),
        has_more=has_more,
    )


def _keeps(plan: Plan, hit: Hit) -> bool:
    if plan.own_kinds and hit.kind not in plan.own_kinds:
        return False
    return not plan.only or hit.organisation_id in plan.only


def _total(plan: Plan, page: SearchPage, there_are: int, kept: int, *, is_whole: bool) -> Total:
    """The service's number, which it calls an estimate itself; exact where all of it was seen (field report 4)."""
    if is_whole and not page.left_out and page.received == there_are:
        return Total(kept, Certainty.EXACT)
    if not page.received and plan.start <= there_are:
        return _UNKNOWN
    if plan.filters:
        return Total(kept, Certainty.AT_LEAST) if plan.start == 1 else _UNKNOWN
    if not there_are:
        return _NONE
    return Total(there_are, Certainty.EXACT if page.is_exact else Certainty.ESTIMATE)


def _end(plan: Plan, page: SearchPage, there_are: int) -> tuple[Note, ...]:
    """What to say when nothing came although there is a number: a fault over there, or a page behind the last."""
    if page.received or not there_are:
        return ()
    if plan.start > there_are:
        return (Note(NoteCode.BEYOND_REACH),)
    return (Note(NoteCode.TOTAL_WITHOUT_HITS, (str(there_are),)),)
