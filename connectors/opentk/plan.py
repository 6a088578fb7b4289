"""Which searches answer a question, and what is left for us to choose. Pure.

The platform gives 280 hits at most, newest first, and filters motions and questions after that cut, so that what fits may be
missing (section 2). Those filters are therefore applied by us on everything that came; its own filter for questions is asked
beside it only to learn which papers are questions, because their titles do not say so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final

from connectors.exceptions import NotSupportedError, Unsupported
from connectors.opentk.answers import KEY
from connectors.opentk.kinds import ACTIVITIES, KINDS
from connectors.opentk.requests import MOST_HITS, Search, Sorts
from connectors.opentk.words import fts_query, is_expensive
from connectors.questions import not_here, refuse_what_is_foreign
from connectors.records import Filter, Kind, Note, NoteCode, Query

PAGE_SIZE: Final = 25
_RECENT: Final = timedelta(days=58)
"""The platform's "two months" are 60 days by its own clock; two days less are safe."""


@dataclass(frozen=True, slots=True)
class Plan:
    """``search`` is None when nothing can be found. ``questions`` is a second search that tells which papers are questions.

    By ``kinds`` (empty: all) and by the period of ``query`` we choose on what came; ``start`` is where the page begins.
    """

    query: Query
    search: Search | None
    questions: Search | None
    kinds: frozenset[Kind]
    start: int
    notes: tuple[Note, ...] = ()

    @property
    def own(self) -> tuple[Filter, ...]:
        """The filters that we apply on what came."""
        used = (
            (Filter.KIND, bool(self.kinds)),
            (Filter.FROM, self.query.date_from is not None),
            (Filter.UNTIL, self.query.date_until is not None),
        )
        return tuple(name for name, is_used in used if is_used)


def make_plan(query: Query, today: date) -> Plan:
    """The plan for a query. Raises ``NotSupportedError`` when the platform cannot answer it; nothing was called by then."""
    words = _words(query)
    kinds = query.kinds & KINDS if query.kinds and not query.kinds >= KINDS else frozenset[Kind]()
    expensive = is_expensive(query.text)
    in_sql = kinds == ACTIVITIES and not expensive
    own = frozenset[Kind]() if in_sql else kinds
    search = Search(
        words,
        sorts=Sorts.ACTIVITIES if in_sql else Sorts.ALL,
        recent=query.date_from is not None and query.date_from >= today - _RECENT and not expensive,
        expensive=expensive,
    )
    return _bounded(
        Plan(
            query=query,
            search=search,
            questions=Search(words, Sorts.QUESTIONS, search.recent, expensive) if Kind.VRAAG in own else None,
            kinds=own,
            start=(query.page - 1) * PAGE_SIZE,
            notes=not_here(KEY, query),
        )
    )


def _words(query: Query) -> str:
    refuse_what_is_foreign(KEY, query, KINDS)
    words = fts_query(query.text)
    if not words:
        raise NotSupportedError(KEY, Unsupported.NEEDS_WORDS_OR_FILTER)
    return words


def _bounded(plan: Plan) -> Plan:
    """The plan without a search where none can find anything: an empty period, or a page out of reach."""
    query = plan.query
    if query.date_from is not None and query.date_until is not None and query.date_from > query.date_until:
        return replace(plan, search=None, questions=None)
    if plan.start >= MOST_HITS:
        return replace(plan, search=None, questions=None, notes=(*plan.notes, Note(NoteCode.BEYOND_REACH)))
    return plan
