"""What one call gave, as one page of ours, with a total that is no more certain than it is.

With more words the platform takes any of them, and names the total of that. Which papers have all of them it does not say: we
know it of those that show them all in title and fragment, and only those count.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import Final

from connectors.open_archivaris.parse import SearchPage
from connectors.open_archivaris.plan import Plan
from connectors.records import Certainty, Hit, Note, NoteCode, SearchResult, SearchText, Total

_SHORT: Final = 3
"""Letters of a word that is looked for as a whole."""


def lost_to_period(plan: Plan, page: SearchPage) -> bool:
    """Whether the platform names a total for a period and gives nothing: a known fault elsewhere (field report 1)."""
    return plan.query.has_period and plan.wanted.page == 1 and not page.rows and bool(page.total.value)


def result(plan: Plan, page: SearchPage, *, without_period: bool = False) -> SearchResult:
    """The result. ``without_period``: the page was asked once more without dates, and we choose by date."""
    kept = {hit.upstream_id: hit for hit in page.hits if plan.keeps(hit)}.values()
    seen = (replace(hit, partly=plan.loose and not _shows_all(hit, plan.query.text)) for hit in kept)
    hits = tuple(
        sorted(seen, key=lambda hit: hit.partly)
    )  # whatever the order: what fits goes before what looks like it
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
        total=Total(sum(not hit.partly for hit in hits), Certainty.AT_LEAST)
        if filtered or (plan.loose and page.rows)
        else _total(plan, page),
        fetched_at=page.fetched_at,
        ignored=plan.ignored,
        notes=notes,
        has_more=_has_more(plan, page),
    )


def _shows_all(hit: Hit, text: SearchText) -> bool:
    """Whether a hit shows all words that were asked for, in whatever spelling of letters.

    A longer word may be a part of another ("warmtenet" in "warmtenetten"); a short one is in half of all words ("SP", "WOZ").
    """
    shown = _bare(f"{hit.title} {hit.snippet} {hit.organisation}")
    return all(_occurs(_bare(word), shown) for word in text.words)


def _occurs(word: str, shown: str) -> bool:
    if len(word) > _SHORT:
        return word in shown
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", shown) is not None


def _bare(text: str) -> str:
    return "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one)).casefold()


def _total(plan: Plan, page: SearchPage) -> Total:
    """The platform's total. One below what we received is none."""
    received = plan.start + page.rows if page.rows else 0
    if page.total.value is not None and page.total.value < received:
        return Total(received, Certainty.AT_LEAST)
    return page.total


def _has_more(plan: Plan, page: SearchPage) -> bool:
    """Whether a next page is worth asking; an empty one is the end, whatever it says itself (field report 2)."""
    if not page.rows or not plan.has_pages:
        return False
    if page.has_next is not None:
        return page.has_next
    return plan.start + page.rows < (page.total.value or 0)
