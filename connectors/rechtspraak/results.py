"""From the pages that the platform answered to one search result. Pure."""

from __future__ import annotations

from datetime import datetime

from connectors.rechtspraak.documents import hit_of_atom, hit_of_ruling, hit_of_website, kind_of
from connectors.rechtspraak.parse_atom import AtomPage
from connectors.rechtspraak.parse_content import Ruling
from connectors.rechtspraak.parse_website import WebsitePage, WebsiteRow
from connectors.rechtspraak.plan import LookUp, OpenDataSearch, WebsiteSearch
from connectors.rechtspraak.requests import WebsiteQuestion, WebsiteSort
from connectors.records import Certainty, Filter, Note, NoteCode, SearchResult, Total

_NONE = Total(0, Certainty.EXACT)


def nothing(fetched_at: datetime, notes: tuple[Note, ...] = (), ignored: tuple[Filter, ...] = ()) -> SearchResult:
    """No hits, and certainly none."""
    return SearchResult(hits=(), total=_NONE, fetched_at=fetched_at, notes=notes, ignored=ignored)


def looked_up(plan: LookUp, ruling: Ruling, fetched_at: datetime) -> SearchResult:
    """The one decision that carries the ECLI, on the first page."""
    hits = (hit_of_ruling(ruling, fetched_at),) if plan.page == 1 else ()
    return SearchResult(
        hits=hits,
        total=Total(1, Certainty.EXACT),
        fetched_at=fetched_at,
        ignored=plan.ignored,
        notes=(*plan.notes, Note(NoteCode.LOOKED_UP)),
    )


def is_last(plan: WebsiteSearch, question: WebsiteQuestion, page: WebsitePage) -> bool:
    """Whether no further page can hold a hit: the answers are at their end, or by their order past the period."""
    if not page.received or question.start + page.received >= page.total:
        return True
    days = [row.day for row in page.rows if row.day]
    if question.sort is WebsiteSort.NEWEST and plan.date_from and days:
        return days[-1] < plan.date_from
    if question.sort is WebsiteSort.OLDEST and plan.date_until and days:
        return days[-1] > plan.date_until
    return False


def website_result(plan: WebsiteSearch, pages: tuple[tuple[WebsitePage, datetime], ...]) -> SearchResult:
    """The hits of the pages read. Filtered by us, their number is a lower bound of the total."""
    hits = tuple(hit_of_website(row, at) for page, at in pages for row in page.rows if _passes(plan, row))
    last, _ = pages[-1]
    left_out = sum(page.left_out for page, _ in pages)
    lost = not any(page.received for page, _ in pages) and last.total > plan.questions[0].start
    return SearchResult(
        hits=hits,
        total=Total(len(hits), Certainty.AT_LEAST) if plan.own else Total(last.total, Certainty.EXACT),
        fetched_at=min(at for _, at in pages),
        notes=(*plan.notes, *_remarks(left_out, last.total if lost else 0)),
        has_more=not is_last(plan, plan.questions[len(pages) - 1], last),
    )


def _passes(plan: WebsiteSearch, row: WebsiteRow) -> bool:
    """Whether a row meets the filters that are ours. A row without a date lies in no period."""
    if plan.kinds and kind_of(row.product, row.ecli) not in plan.kinds:
        return False
    if plan.date_from is None and plan.date_until is None:
        return True
    if row.day is None:
        return False
    return (plan.date_from or row.day) <= row.day <= (plan.date_until or row.day)


def open_data_result(plan: OpenDataSearch, page: AtomPage, fetched_at: datetime) -> SearchResult:
    """The hits of one page of the feed. What was withdrawn or replaced is left out, and counted in a note."""
    question = plan.question
    asked_kind = question.kind.value if question.kind else ""
    lost = not page.received and page.total > question.start
    return SearchResult(
        hits=tuple(hit_of_atom(row, asked_kind, fetched_at) for row in page.rows),
        total=Total(page.total, Certainty.EXACT),
        fetched_at=fetched_at,
        ignored=plan.ignored,
        notes=(*plan.notes, *_remarks(page.left_out, page.total if lost else 0)),
        has_more=bool(page.received) and question.start + page.received < page.total,
    )


def _remarks(left_out: int, lost_total: int) -> tuple[Note, ...]:
    """A total without hits is the platform's fault, and said so (field report 1)."""
    notes = []
    if left_out:
        notes.append(Note(NoteCode.ROWS_SKIPPED, (str(left_out),)))
    if lost_total:
        notes.append(Note(NoteCode.TOTAL_WITHOUT_HITS, (str(lost_total),)))
    return tuple(notes)
