"""How a question is put to this platform: one query in CQL, and what of it is left to us. Pure.

The service filters by body, journal and day of publication itself. It knows no kind of parliamentary paper: those are asked
for by the word that makes them one, and what only mentions that word falls out here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from connectors.exceptions import NotSupportedError, Unsupported
from connectors.officiele_bekendmakingen.elements import KEY
from connectors.officiele_bekendmakingen.journals import KAMERSTUK, KINDS, PAPER_WORDS, Journal, journals_for
from connectors.officiele_bekendmakingen.organisations import clause_for
from connectors.officiele_bekendmakingen.requests import (
    DEEPEST,
    PAGE_SIZE,
    Question,
    any_of,
    quoted,
    words_of,
)
from connectors.questions import not_here, notes_on, refuse_what_is_foreign, sort_of
from connectors.records import Filter, Kind, Note, Organisation, Query, Sort

MOST_ORGANISATIONS: Final = 25
WINDOW_SIZE: Final = 100
"""How many records make a page of ours where we leave some out."""
_PAPER_KINDS: Final = frozenset({*PAPER_WORDS, KAMERSTUK.kind})


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One question and the place where our page of it begins, from 1. ``own_kinds``: kinds that we look for ourselves.

    ``only``: ids of organisations that we look for ourselves. ``is_empty``: nothing can be found, so nothing is asked.
    """

    question: Question
    start: int
    own_kinds: frozenset[Kind] = frozenset()
    only: frozenset[str] = frozenset()
    notes: tuple[Note, ...] = ()
    is_empty: bool = False

    @property
    def size(self) -> int:
        """How many records make one page of ours."""
        return WINDOW_SIZE if self.filters else PAGE_SIZE

    @property
    def is_deep(self) -> bool:
        """Whether the page lies deeper than the service answers, so that it must be cut by date."""
        return self.start + self.size - 1 > DEEPEST

    @property
    def is_last_within_reach(self) -> bool:
        """Whether the next page cannot be had: too deep, and in an order that cannot be cut by day."""
        return self.question.sort is Sort.RELEVANCE and self.start + 2 * self.size - 1 > DEEPEST

    @property
    def filters(self) -> bool:
        """Whether hits are left out by us, so that the number over there says nothing about ours."""
        return bool(self.own_kinds or self.only)


def make_plan(query: Query) -> Plan:
    """The plan for a query. Raises ``NotSupportedError`` when the platform cannot answer it; nothing was called by then."""
    refuse_what_is_foreign(KEY, query, KINDS)
    kinds, journals = _kinds(query)
    bodies = _bodies(query)
    words = words_of(query.text)
    too_many = len(bodies) > MOST_ORGANISATIONS
    if not (words or query.kinds or query.has_period or (bodies and not too_many)):
        raise NotSupportedError(KEY, Unsupported.NEEDS_WORDS_OR_FILTER, (Filter.ORGANISATION,) if too_many else ())
    own_kinds = kinds if kinds & _PAPER_KINDS and not kinds >= _PAPER_KINDS else frozenset[Kind]()
    sort = sort_of(query, has_words=bool(words))
    clauses = (
        *words,
        *((any_of(clause for _, clause in bodies),) if bodies and not too_many else ()),
        *_journal_clauses(kinds, journals),
    )
    reversed_period = bool(query.date_from and query.date_until and query.date_from > query.date_until)
    return Plan(
        question=Question(clauses=clauses, date_from=query.date_from, date_until=query.date_until, sort=sort),
        start=(query.page - 1) * (WINDOW_SIZE if own_kinds or too_many else PAGE_SIZE) + 1,
        own_kinds=own_kinds,
        only=frozenset(body.id for body, _ in bodies) if too_many else frozenset(),
        notes=(
            *not_here(KEY, query),
            *notes_on(
                query,
                sort,
                own=(Filter.KIND,) if own_kinds else (),
                too_many=(len(bodies), MOST_ORGANISATIONS) if too_many else None,
            ),
        ),
        is_empty=reversed_period,
    )


def _kinds(query: Query) -> tuple[frozenset[Kind], tuple[Journal, ...]]:
    """The asked kinds that this platform holds, and the journals in which they are; empty for all."""
    kinds = query.kinds & KINDS
    if not kinds or kinds == KINDS:
        return frozenset(), ()
    return kinds, journals_for(kinds)


def _bodies(query: Query) -> tuple[tuple[Organisation, str], ...]:
    """The asked organisations that are here, with what finds them."""
    return tuple((body, clause) for body in dict.fromkeys(query.organisations) if (clause := clause_for(body)))


def _journal_clauses(kinds: frozenset[Kind], journals: tuple[Journal, ...]) -> tuple[str, ...]:
    """The journals, and within the parliamentary papers the words of their kinds: all that may be one, and little more."""
    if not journals:
        return ()
    clauses = []
    for journal in journals:
        named = f"w.publicatienaam=={quoted(journal.name)}"
        words = [PAPER_WORDS[kind] for kind in sorted(kinds) if kind in PAPER_WORDS]
        if journal is KAMERSTUK and words and journal.kind not in kinds:
            named = f"({named} AND {any_of(f'cql.textAndIndexes={quoted(word)}' for word in words)})"
        clauses.append(named)
    return (any_of(clauses),)
