"""What one or two streams gave, as one page of ours.

By date, entries of registers and everything else come in two streams. Within a page the order is right; over pages it is not,
as each is paged by itself, but nothing is lost and nothing shown twice.
"""

from __future__ import annotations

from itertools import chain, zip_longest

from connectors.open_raadsinformatie.dates import sort_key
from connectors.open_raadsinformatie.parse import SearchPage
from connectors.open_raadsinformatie.plan import Plan
from connectors.open_raadsinformatie.requests import WINDOW, effective_sort
from connectors.records import Certainty, Hit, Note, NoteCode, SearchResult, Sort, Total


def result(plan: Plan, pages: list[SearchPage], missing: tuple[str, ...]) -> SearchResult:
    """One result of at least one page. ``missing`` names the organisations that the platform turned out not to have."""
    kept = [tuple(hit for hit in page.hits if plan.keeps(hit)) for page in pages]
    skipped = sum(page.skipped for page in pages)
    not_here = (*plan.not_here, *missing)
    ends = [_end(plan, page) for page in pages]
    notes = (
        *((Note(NoteCode.ORGANISATIONS_NOT_HERE, not_here),) if not_here else ()),
        *plan.notes,
        *((Note(NoteCode.INCOMPLETE),) if any(page.is_partial for page in pages) else ()),
        *((Note(NoteCode.BEYOND_REACH),) if any(beyond for _, beyond in ends) else ()),
        *((Note(NoteCode.ROWS_SKIPPED, (str(skipped),)),) if skipped else ()),
    )
    hits = _in_order(effective_sort(plan.query), kept)
    return SearchResult(
        hits=hits,
        total=_total(plan, pages, len(hits), doubles=sum(map(len, kept)) - len(hits)),
        fetched_at=min(page.fetched_at for page in pages),
        notes=notes,
        has_more=any(more for more, _ in ends),
    )


def _end(plan: Plan, page: SearchPage) -> tuple[bool, bool]:
    """Whether there is a next page, and whether there would be one if the platform let anyone page that far."""
    total, end = page.total.value or 0, plan.start + page.rows
    open_ended = page.total.certainty is Certainty.AT_LEAST
    if plan.room == 0:
        return False, total > WINDOW or open_ended
    more = page.rows > 0 and (end < total or (open_ended and page.rows == plan.room))
    return more and end < WINDOW, more and end >= WINDOW


def _total(plan: Plan, pages: list[SearchPage], kept: int, *, doubles: int) -> Total:
    """The platform's total, as far as it says something about ours.

    When all there is was seen, what was kept is the total. With a filter of ours it is at least that. With a period
    the platform counts some hours beside it, of which we cannot tell how many hold anything: an estimate. So it is where
    one file was counted more than once.
    """
    values = [page.total.value for page in pages]
    if any(value is None for value in values):
        return Total(None, Certainty.UNKNOWN)
    said = sum(value or 0 for value in values)
    exact = all(page.total.certainty is Certainty.EXACT for page in pages)
    if exact and plan.start == 0 and said == sum(page.rows - page.skipped for page in pages):
        return Total(kept, Certainty.EXACT)
    if plan.filters:
        return Total(kept, Certainty.AT_LEAST)
    if not exact:
        return Total(said, Certainty.AT_LEAST)
    return Total(said, Certainty.ESTIMATE if plan.query.has_period or doubles else Certainty.EXACT)


def _in_order(sort: Sort, runs: list[tuple[Hit, ...]]) -> tuple[Hit, ...]:
    hits = [hit for hit in chain.from_iterable(zip_longest(*runs)) if hit is not None]
    if sort is not Sort.RELEVANCE:
        sign = -1 if sort is Sort.NEWEST else 1
        hits.sort(key=lambda hit: (hit.date is None, sign * sort_key(hit.date)))
    once: dict[tuple[str, str], Hit] = {}
    for hit in hits:  # the same file stands there once for each meeting, under the same address
        once.setdefault((hit.organisation, hit.original or hit.upstream_id), hit)
    return tuple(once.values())
