"""From the pages that the platform answered to one search result. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from connectors.rechtspraak.documents import hit_of_atom, hit_of_ruling, hit_of_website, kind_of
from connectors.rechtspraak.parse_atom import AtomPage
from connectors.rechtspraak.parse_content import Ruling
from connectors.rechtspraak.parse_website import WebsitePage, WebsiteRow
from connectors.rechtspraak.plan import LookUp, OpenDataSearch, WebsiteSearch
from connectors.rechtspraak.requests import WebsiteQuestion, WebsiteSort
from connectors.records import Certainty, Filter, Note, NoteCode, SearchResult, Total

MOST_CALLS: Final = 3
"""How many calls one page may take: two where the platform gives what is asked, one more where it gives less."""
_NONE: Final = Total(0, Certainty.EXACT)
_UNKNOWN: Final = Total(None, Certainty.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Reading:
    """One question to the website's search, and its answer."""

    question: WebsiteQuestion
    page: WebsitePage
    fetched_at: datetime

    @property
    def reached(self) -> int:
        """The place of the first result that was not received."""
        return self.question.start + self.page.received


def nothing(fetched_at: datetime, notes: tuple[Note, ...] = (), ignored: tuple[Filter, ...] = ()) -> SearchResult:
    """No hits, and certainly none."""
    return SearchResult(hits=(), total=_NONE, fetched_at=fetched_at, notes=notes, ignored=ignored)


def looked_up(plan: LookUp, ruling: Ruling, fetched_at: datetime) -> SearchResult:
    """The one decision that carries the ECLI, on the first page; any further page lies past the end."""
    first = plan.page == 1
    notes = (*plan.notes, Note(NoteCode.LOOKED_UP), *(() if first else (Note(NoteCode.BEYOND_REACH),)))
    return SearchResult(
        hits=(hit_of_ruling(ruling, fetched_at),) if first else (),
        total=Total(1, Certainty.EXACT),
        fetched_at=fetched_at,
        ignored=plan.ignored,
        notes=notes,
    )


def follow_up(plan: WebsiteSearch, readings: Sequence[Reading]) -> WebsiteQuestion | None:
    """The question for what our page still lacks: it goes on where the last answer ended. None when the page is done.

    The platform may give less than asked: whether it honours ``PageSize`` is not known (section B1).
    """
    last = readings[-1]
    if is_last(plan, last) or last.reached >= plan.end or len(readings) == MOST_CALLS:
        return None
    return replace(last.question, start=last.reached, size=min(plan.question.size, plan.end - last.reached))


def is_last(plan: WebsiteSearch, reading: Reading) -> bool:
    """Whether no further page can hold a hit: the answers are at their end, or by their order past the period."""
    page, sort = reading.page, reading.question.sort
    if not page.received or reading.reached >= page.total:
        return True
    days = [row.day for row in page.rows if row.day]
    if sort is WebsiteSort.NEWEST and plan.date_from and days:
        return days[-1] < plan.date_from
    if sort is WebsiteSort.OLDEST and plan.date_until and days:
        return days[-1] > plan.date_until
    return False


def website_result(plan: WebsiteSearch, readings: tuple[Reading, ...]) -> SearchResult:
    """The hits of the answers read, one after another."""
    last = readings[-1]
    hits = tuple(
        hit_of_website(row, reading.fetched_at)
        for reading in readings
        for row in reading.page.rows
        if _passes(plan, row)
    )
    has_more = not is_last(plan, last)
    return SearchResult(
        hits=hits,
        total=_website_total(plan, readings, len(hits)),
        fetched_at=min(reading.fetched_at for reading in readings),
        notes=(
            *plan.notes,
            *_counted(NoteCode.ROWS_SKIPPED, sum(reading.page.left_out for reading in readings)),
            *_end(last.reached, last.page.received, last.page.total),
            *_short(has_more=has_more, reached=last.reached, end=plan.end),
        ),
        has_more=has_more,
    )


def _website_total(plan: WebsiteSearch, readings: tuple[Reading, ...], kept: int) -> Total:
    """The platform's number. Where we filter it is what we saw: on the first page a lower bound, later nothing to go by."""
    last = readings[-1]
    if not plan.own or not last.page.total:
        return _believed(last.reached, last.page.received, last.page.total)
    if plan.question.start or not last.page.received:
        return _UNKNOWN
    saw_all = last.reached >= last.page.total and not any(reading.page.left_out for reading in readings)
    return Total(kept, Certainty.EXACT if saw_all else Certainty.AT_LEAST)


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
    reached = question.start + page.received
    has_more = bool(page.received) and reached < page.total
    return SearchResult(
        hits=tuple(hit_of_atom(row, asked_kind, fetched_at) for row in page.rows),
        total=_believed(reached, page.received, page.total),
        fetched_at=fetched_at,
        ignored=plan.ignored,
        notes=(
            *plan.notes,
            *(
                Note(note.code, (*note.values, *page.gone))
                for note in _counted(NoteCode.WITHDRAWN_LEFT_OUT, page.withdrawn)
            ),
            *_counted(NoteCode.ROWS_SKIPPED, page.left_out),
            *_end(reached, page.received, page.total),
            *_short(has_more=has_more, reached=reached, end=question.start + question.size),
        ),
        has_more=has_more,
    )


def _believed(reached: int, received: int, promised: int) -> Total:
    """The platform's number, unless it says that there is more and then gives nothing (field report 1)."""
    return _UNKNOWN if not received and reached < promised else Total(promised, Certainty.EXACT)


def _end(reached: int, received: int, promised: int) -> tuple[Note, ...]:
    """What to say when nothing came although there is a number: a fault over there, or the end of what can be reached."""
    if received or not promised:
        return ()
    return (Note(NoteCode.BEYOND_REACH) if reached else Note(NoteCode.TOTAL_WITHOUT_HITS, (str(promised),)),)


def _short(*, has_more: bool, reached: int, end: int) -> tuple[Note, ...]:
    """Our next page begins at ``end``: what lies between is on no page."""
    return (Note(NoteCode.SHORT_PAGES),) if has_more and reached < end else ()


def _counted(code: NoteCode, count: int) -> tuple[Note, ...]:
    return (Note(code, (str(count),)),) if count else ()
