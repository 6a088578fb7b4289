"""What one call gave, as one page of ours, with a total that is no more certain than it is."""

from __future__ import annotations

from connectors.open_archivaris.parse import SearchPage
from connectors.open_archivaris.plan import Plan
from connectors.records import Certainty, Note, NoteCode, SearchResult, Total


def lost_to_period(plan: Plan, page: SearchPage) -> bool:
    """Whether the platform names a total for a period and gives nothing: a known fault elsewhere (field report 1)."""
    return plan.query.has_period and plan.wanted.page == 1 and not page.rows and bool(page.total.value)


def result(plan: Plan, page: SearchPage, *, without_period: bool = False) -> SearchResult:
    """The result. ``without_period``: the page was asked once more without dates, and we choose by date."""
    hits = tuple({hit.upstream_id: hit for hit in page.hits if plan.keeps(hit)}.values())
    empty = plan.wanted.page == 1 and not page.rows and bool(page.total.value)
    notes = (
        *((Note(NoteCode.ORGANISATIONS_NOT_HERE, plan.not_here),) if plan.not_here else ()),
        *plan.notes,
        *((Note(NoteCode.ASKED_WITHOUT_PERIOD),) if without_period else ()),
        *((Note(NoteCode.TOTAL_WITHOUT_HITS),) if empty else ()),
        *((Note(NoteCode.ROWS_SKIPPED, (str(page.skipped),)),) if page.skipped else ()),
    )
    filtered = plan.filters or without_period or len(hits) < page.rows - page.skipped
    return SearchResult(
        hits=hits,
        total=Total(len(hits), Certainty.AT_LEAST) if filtered else _total(plan, page),
        fetched_at=page.fetched_at,
        ignored=plan.ignored,
        notes=notes,
        has_more=_has_more(plan, page),
    )


def _total(plan: Plan, page: SearchPage) -> Total:
    """The platform's total. One below what we received is none; with any word a hit it is not that of our question."""
    received = plan.start + page.rows if page.rows else 0
    if page.total.value is not None and page.total.value < received:
        return Total(received, Certainty.AT_LEAST)
    if plan.loose and page.total.value:
        return Total(page.total.value, Certainty.ESTIMATE)
    return page.total


def _has_more(plan: Plan, page: SearchPage) -> bool:
    """Whether a next page is worth asking; an empty one is the end, whatever it says itself (field report 2)."""
    if not page.rows or not plan.has_pages:
        return False
    if page.has_next is not None:
        return page.has_next
    return plan.start + page.rows < (page.total.value or 0)
