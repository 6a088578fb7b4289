"""What was read in one or several calls, as one page of ours.

Hits of several streams are put in the asked order: by date with the undated last, or by rank in turn. Within a page that
order is right; over pages it is not, as each stream is paged by itself, but nothing is lost and nothing shown twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, zip_longest

from connectors.openbesluitvorming.dates import sort_key
from connectors.openbesluitvorming.parse import UNKNOWN_TOTAL
from connectors.openbesluitvorming.plan import Plan
from connectors.openbesluitvorming.requests import effective_sort
from connectors.records import Certainty, Hit, Note, NoteCode, SearchResult, Sort, Total

_WEAKER = (Certainty.EXACT, Certainty.ESTIMATE, Certainty.AT_LEAST, Certainty.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Reading:
    """What one stream gave for one page of ours, after our own filters."""

    hits: tuple[Hit, ...]
    total: Total
    has_more: bool
    fetched_at: datetime
    skipped: int = 0
    notes: tuple[Note, ...] = ()


def merged(
    plan: Plan, readings: list[Reading], failed: tuple[str, ...] = (), unknown: tuple[str, ...] = ()
) -> SearchResult:
    """One result of at least one reading.

    ``failed`` names the organisations whose call failed, ``unknown`` those that the platform said it does not have.
    """
    skipped = sum(reading.skipped for reading in readings)
    not_here = (*plan.not_here, *unknown)
    notes = [
        *([Note(NoteCode.ORGANISATIONS_NOT_HERE, not_here)] if not_here else []),
        *plan.notes,
        *chain.from_iterable(reading.notes for reading in readings),
        *([Note(NoteCode.ROWS_SKIPPED, (str(skipped),))] if skipped else []),
        *([Note(NoteCode.ORGANISATIONS_FAILED, failed)] if failed else []),
    ]
    total = _sum([reading.total for reading in readings])
    if failed and total.value is not None:
        total = Total(total.value, Certainty.AT_LEAST)
    return SearchResult(
        hits=_in_order(effective_sort(plan.query), [reading.hits for reading in readings]),
        total=total,
        fetched_at=min(reading.fetched_at for reading in readings),
        notes=tuple(dict.fromkeys(notes)),
        has_more=any(reading.has_more for reading in readings),
    )


def _sum(totals: list[Total]) -> Total:
    """The sum, as sure as the least sure of them."""
    certainty = max((total.certainty for total in totals), key=_WEAKER.index)
    if certainty is Certainty.UNKNOWN:
        return UNKNOWN_TOTAL
    return Total(sum(total.value or 0 for total in totals), certainty)


def _in_order(sort: Sort, runs: list[tuple[Hit, ...]]) -> tuple[Hit, ...]:
    hits: Iterable[Hit] = (hit for row in zip_longest(*runs) for hit in row if hit is not None)
    if sort is not Sort.RELEVANCE and len(runs) > 1:
        sign = -1 if sort is Sort.NEWEST else 1
        hits = sorted(hits, key=lambda hit: (hit.date is None, sign * sort_key(hit.date)))
    once: dict[str, Hit] = {}
    for hit in hits:
        once.setdefault(hit.upstream_id, hit)
    return tuple(once.values())
