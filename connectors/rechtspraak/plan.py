"""Which calls answer a query. Pure: a query and today's date in, a plan out, or the reason why there is none.

An ECLI is looked up; words go to the website's search, which alone reads text; filters without words go to Open Data. Words are
never sent to Open Data: it ignores unknown parameters, so its whole collection would answer (section A2, field report 8).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from connectors.exceptions import NotSupportedError, Unsupported
from connectors.platforms import RECHTSPRAAK
from connectors.questions import not_here, refuse_what_is_foreign
from connectors.rechtspraak.requests import (
    PAGE_SIZE,
    WINDOW_SIZE,
    DateClass,
    OpenDataKind,
    OpenDataQuestion,
    WebsiteQuestion,
    WebsiteSort,
)
from connectors.records import Filter, Kind, Note, NoteCode, Query, SearchText, Sort

KINDS: Final = frozenset({Kind.UITSPRAAK, Kind.CONCLUSIE})
OLDEST_DAY: Final = date(1913, 1, 1)
_OLDEST_TEXT: Final = date(1999, 1, 1)
_WINDOWS_PER_PAGE: Final = 2
_SORTS: Final = {
    Sort.RELEVANCE: WebsiteSort.RELEVANCE,
    Sort.NEWEST: WebsiteSort.NEWEST,
    Sort.OLDEST: WebsiteSort.OLDEST,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LookUp:
    """Ask for the metadata of one ECLI. The filters in ``ignored`` cannot change what it finds."""

    ecli: str
    ignored: tuple[Filter, ...]
    page: int
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WebsiteSearch:
    """Ask the website's search for the results from ``question.start`` up to ``end``, where our next page begins.

    ``own`` are the filters that we apply to its answers: kinds, first and last day.
    """

    question: WebsiteQuestion
    end: int
    own: tuple[Filter, ...]
    kinds: frozenset[Kind]
    date_from: date | None
    date_until: date | None
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenDataSearch:
    """Ask Open Data one question. It has no order by decision date (section A2)."""

    question: OpenDataQuestion
    ignored: tuple[Filter, ...]
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class NothingToFind:
    """A period that ends before it begins: nothing lies in it, and no call is made."""


Plan = LookUp | WebsiteSearch | OpenDataSearch | NothingToFind


def make_plan(query: Query, today: date) -> Plan:
    """The plan for a query. Raises ``NotSupportedError`` when the platform cannot answer it; nothing was called by then."""
    refuse_what_is_foreign(RECHTSPRAAK.key, query, KINDS)
    courts = tuple(dict.fromkeys(key for body in query.organisations if (key := body.key_at(RECHTSPRAAK.key))))
    notes = not_here(RECHTSPRAAK.key, query)
    kinds = _kinds(query)
    if query.text.ecli is not None:
        return LookUp(ecli=query.text.ecli, ignored=_filters_of(query), page=query.page, notes=notes)
    if query.date_from and query.date_until and query.date_from > query.date_until:
        return NothingToFind()
    if query.text:
        return _website_plan(query, courts, kinds, today, notes)
    return _open_data_plan(query, courts, kinds, today, notes)


def _kinds(query: Query) -> frozenset[Kind]:
    """The kinds to keep; empty when every kind of this platform may answer."""
    kinds = query.kinds & KINDS
    return kinds if kinds != KINDS else frozenset()


def _filters_of(query: Query) -> tuple[Filter, ...]:
    asked = (
        (Filter.ORGANISATION, bool(query.organisations)),
        (Filter.KIND, bool(query.kinds)),
        (Filter.FROM, query.date_from is not None),
        (Filter.UNTIL, query.date_until is not None),
        (Filter.SORT, query.sort is not Sort.RELEVANCE),
    )
    return tuple(name for name, present in asked if present)


def term_of(text: SearchText) -> str:
    """All words in one term, which the search joins with AND; a phrase in double quotes [assumed: section B1 is silent]."""
    return " ".join(f'"{" ".join(term.words)}"' if term.phrase else " ".join(term.words) for term in text.terms)


def _website_plan(
    query: Query, courts: tuple[str, ...], kinds: frozenset[Kind], today: date, notes: tuple[Note, ...]
) -> WebsiteSearch:
    own = _own_filters(query, kinds)
    date_class = _date_class(query, today)
    by_date = query.has_period and date_class is None and query.sort is Sort.RELEVANCE
    sort = _towards_period(query, today) if by_date else _SORTS[query.sort]
    size, step = (WINDOW_SIZE, WINDOW_SIZE * _WINDOWS_PER_PAGE) if own else (PAGE_SIZE, PAGE_SIZE)
    start = (query.page - 1) * step
    question = WebsiteQuestion(
        term=term_of(query.text), start=start, size=size, sort=sort, courts=courts, date_class=date_class
    )
    if own:
        notes += (Note(NoteCode.FILTERED_BY_US, tuple(name.value for name in own)),)
    if by_date:
        notes += (Note(NoteCode.SORTED_BY_DATE),)
    return WebsiteSearch(
        question=question,
        end=start + step,
        own=own,
        kinds=kinds,
        date_from=query.date_from,
        date_until=query.date_until,
        notes=notes,
    )


def _own_filters(query: Query, kinds: frozenset[Kind]) -> tuple[Filter, ...]:
    """The website's search knows no free period in its JSON form, and its names for kinds are not known (section B1)."""
    wanted = ((Filter.KIND, kinds), (Filter.FROM, query.date_from), (Filter.UNTIL, query.date_until))
    return tuple(name for name, value in wanted if value)


def _date_class(query: Query, today: date) -> DateClass | None:
    """The class of a whole year in which the period lies, when there is one."""
    if query.date_from is None:
        return None
    until = query.date_until or max(today, query.date_from)
    if query.date_from.year != until.year:
        return None
    return {today.year: DateClass.THIS_YEAR, today.year - 1: DateClass.LAST_YEAR}.get(until.year)


def _towards_period(query: Query, today: date) -> WebsiteSort:
    """The order by date that meets the period soonest: from today backwards, or from the oldest texts on."""
    from_today = (today - query.date_until).days if query.date_until else 0
    from_oldest = (query.date_from - _OLDEST_TEXT).days if query.date_from else 0
    return WebsiteSort.NEWEST if from_today <= from_oldest else WebsiteSort.OLDEST


def _open_data_plan(
    query: Query, courts: tuple[str, ...], kinds: frozenset[Kind], today: date, notes: tuple[Note, ...]
) -> OpenDataSearch:
    if not (courts or kinds or query.has_period):
        raise NotSupportedError(RECHTSPRAAK.key, Unsupported.NEEDS_WORDS_OR_FILTER)
    kind = next((OpenDataKind.RULING if kind is Kind.UITSPRAAK else OpenDataKind.OPINION for kind in kinds), None)
    return OpenDataSearch(
        question=OpenDataQuestion(
            days=_days(query, today), courts=courts, kind=kind, start=(query.page - 1) * PAGE_SIZE, size=PAGE_SIZE
        ),
        ignored=(Filter.SORT,) if query.sort is not Sort.RELEVANCE else (),
        notes=notes,
    )


def _days(query: Query, today: date) -> tuple[date, ...]:
    """One day, or a range of which an open end is filled in."""
    if not query.has_period:
        return ()
    start = query.date_from or min(OLDEST_DAY, query.date_until or OLDEST_DAY)
    end = query.date_until or max(today, start)
    return (start,) if start == end else (start, end)
