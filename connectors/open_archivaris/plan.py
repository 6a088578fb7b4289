"""How a question is put to this platform: one call, and our own look at its answer where the platform or its map cannot choose.

The platform finds papers with any of the words and puts those with all of them first (platform page, section 2), where ours
means all. We cannot see in an answer which words a paper holds, so nothing is hidden: the answer says how was searched, and the
total of such a search is never called exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from connectors.council_kinds import PAPER_KINDS
from connectors.exceptions import NotSupportedError, Unsupported
from connectors.open_archivaris.field_map import FieldMap
from connectors.open_archivaris.organisations import KEY
from connectors.open_archivaris.requests import Wanted, query_words
from connectors.questions import in_period, notes_on, refuse_what_is_foreign, sort_of
from connectors.records import Filter, Hit, Kind, Note, NoteCode, Query, Sort

KINDS: Final = PAPER_KINDS


@dataclass(frozen=True, slots=True)
class Plan:
    """How one question is asked: the call, and what we look for ourselves in its answer.

    ``own_kinds`` and ``own_bodies`` (ids of the register) are empty where there is nothing to look for. ``loose``: a paper with
    any of the words is a hit over there. ``ignored``: filters that nobody applies.
    """

    query: Query
    wanted: Wanted
    own_kinds: frozenset[Kind]
    own_bodies: frozenset[str]
    own_period: bool
    loose: bool
    not_here: tuple[str, ...]
    notes: tuple[Note, ...]
    ignored: tuple[Filter, ...]
    has_pages: bool

    @property
    def filters(self) -> bool:
        """Whether we leave out hits that the platform was not asked to leave out."""
        return bool(self.own_kinds or self.own_bodies or self.own_period)

    @property
    def start(self) -> int:
        """How many rows come before the asked page."""
        return (self.wanted.page - 1) * self.wanted.page_size

    def keeps(self, hit: Hit) -> bool:
        """Whether ``hit`` is among what was asked, as it is shown."""
        if self.own_kinds and hit.kind not in self.own_kinds:
            return False
        if self.own_bodies and hit.organisation_id not in self.own_bodies:
            return False
        return in_period(self.query, hit)


def plan(query: Query, fields: FieldMap) -> Plan:
    """The plan for a question. Raises ``NotSupportedError`` when the platform cannot answer it."""
    words = _words(query, fields)
    here = tuple(dict.fromkeys(body.id for body in query.organisations if body.key_at(KEY)))
    codes = tuple(dict.fromkeys(code for body in query.organisations if (code := body.key_at(KEY))))
    too_many = len(codes) > fields.search.most_bodies
    own_bodies = frozenset(here) if too_many or "bodies" not in fields.search.parameters else frozenset[str]()
    own_period = query.has_period and not {"created_from", "created_to"} <= fields.search.parameters.keys()
    own_kinds = query.kinds & KINDS if query.kinds and not query.kinds >= KINDS else frozenset[Kind]()
    order = sort_of(query, has_words=bool(words))
    filters = bool(own_kinds or own_bodies or own_period)
    wanted = Wanted(
        words=words,
        bodies=() if own_bodies else codes,
        created_from=query.date_from,
        created_to=query.date_until,
        page=query.page,
        page_size=fields.search.largest_page if filters else fields.search.page_size,
        order=order,
    )
    loose = fields.search.matches_any and len(words.split()) > 1
    own = _own_filters(query, own_kinds, own_bodies if not too_many else frozenset(), own_period=own_period)
    asked_of = (len(codes), fields.search.most_bodies) if too_many else None
    return Plan(
        query=query,
        wanted=wanted,
        own_kinds=own_kinds,
        own_bodies=own_bodies,
        own_period=own_period,
        loose=loose,
        not_here=tuple(body.name for body in query.organisations if not body.key_at(KEY)),
        notes=(
            *_notes_on_words(query, fields, order, loose=loose),
            *notes_on(query, order, own=own, too_many=asked_of),
        ),
        ignored=_ignored(query, fields, order),
        has_pages=fields.has_pages,
    )


def _words(query: Query, fields: FieldMap) -> str:
    """The words as they go out. Raises ``NotSupportedError`` for a question that is not for this platform."""
    refuse_what_is_foreign(KEY, query, KINDS)
    words = query_words(query.text, phrases=fields.search.phrases)
    if not (words or query.organisations or query.has_period):
        raise NotSupportedError(KEY, Unsupported.NEEDS_WORDS_OR_FILTER)
    return words


def _ignored(query: Query, fields: FieldMap, order: Sort) -> tuple[Filter, ...]:
    """What the map has no way to ask, and we cannot put right."""
    sort = order in fields.search.orders or order is Sort.RELEVANCE
    page = query.page == 1 or fields.has_pages
    return tuple(name for name, is_asked in ((Filter.SORT, sort), (Filter.PAGE, page)) if not is_asked)


def _own_filters(
    query: Query, kinds: frozenset[Kind], bodies: frozenset[str], *, own_period: bool
) -> tuple[Filter, ...]:
    found = (
        (Filter.KIND, bool(kinds)),
        (Filter.ORGANISATION, bool(bodies)),
        (Filter.FROM, own_period and query.date_from is not None),
        (Filter.UNTIL, own_period and query.date_until is not None),
    )
    return tuple(name for name, is_ours in found if is_ours)


def _notes_on_words(query: Query, fields: FieldMap, order: Sort, *, loose: bool) -> tuple[Note, ...]:
    """That any word was enough, and that a phrase was searched as loose words (field report 6)."""
    apart = not fields.search.phrases and any(term.phrase and len(term.words) > 1 for term in query.text.terms)
    return (
        *((Note(NoteCode.ANY_WORD, (order.value,)),) if loose else ()),
        *((Note(NoteCode.WORDS_APART),) if apart else ()),
    )
