"""Which rows answer a question: one stream for each entity set in which the asked kinds are. Pure.

The service has no full text and no ranking: words are looked for in titles and subjects, and rows come by date (section 4).
Everything of the filter is counted against the limit of nodes; words that no longer fit, and words so short that the service
fails on them (section 12), are looked for by us in the rows that come.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Final

from connectors.exceptions import NotSupportedError, Unsupported
from connectors.questions import not_here, notes_on, refuse_what_is_foreign, sort_of
from connectors.records import Filter, Group, Kind, Note, NoteCode, Query, Sort, Term
from connectors.tweede_kamer.answers import KEY
from connectors.tweede_kamer.filters import (
    MOST_NODES,
    NOT_DELETED,
    Condition,
    all_of,
    any_of,
    before,
    contains,
    equals,
    on_or_after,
    some,
)
from connectors.tweede_kamer.ids import Entity
from connectors.tweede_kamer.kinds import KINDS, KINDS_OF, condition_for
from connectors.tweede_kamer.versions import V5

FURTHEST: Final = 100_000
"""How far we page: every step costs the service the rows before it."""
_SHORTEST: Final = 3
_OLDEST: Final = date(1900, 1, 1)  # literals before it break (section 3)
_NEWEST: Final = date(2200, 1, 1)
_DAY: Final = timedelta(days=1)
_SEARCHED: Final = {
    Entity.DOCUMENT: ("Onderwerp", "Titel"),
    Entity.ACTIVITY: ("Onderwerp",),
    Entity.COMMITMENT: ("Tekst",),
    Entity.MEETING: ("Titel",),
}
DATE_FIELD: Final = {
    Entity.DOCUMENT: "Datum",
    Entity.ACTIVITY: "Datum",
    Entity.COMMITMENT: "Aanmaakdatum",
    Entity.MEETING: "Datum",
}
_WITHOUT_KINDS: Final = (Entity.DOCUMENT, Entity.COMMITMENT, Entity.ACTIVITY, Entity.MEETING)
_ALONE, _FIRST, _OTHERS, _SIFTED = 25, 20, 8, 100
_SEVERAL: Final = 2
_DEAREST_KINDS: Final = 50
"""How many nodes a choice of kinds may take: beyond it there is no room for words, and we choose ourselves."""


@dataclass(frozen=True, slots=True)
class Stream:
    """One run of rows, of which ``size`` make the stream's part of a page.

    ``own`` are words, and ``own_kinds`` kinds (empty: all), that we look for ourselves; ``words`` are all that are looked for.
    """

    entity: Entity
    condition: Condition
    order: str
    size: int
    skip: int
    own: tuple[str, ...] = field(default=(), repr=False)
    own_kinds: frozenset[Kind] = frozenset()
    words: tuple[str, ...] = field(default=(), repr=False)

    @property
    def filters(self) -> bool:
        """Whether rows are left out by us, so that a number of the platform says nothing about ours."""
        return bool(self.own or self.own_kinds)

    @property
    def searched(self) -> tuple[str, ...]:
        """The fields in which words are looked for."""
        return _SEARCHED[self.entity]


@dataclass(frozen=True, slots=True)
class Plan:
    """The streams of one page; none when nothing can be found or the page is out of reach."""

    streams: tuple[Stream, ...]
    newest_first: bool
    notes: tuple[Note, ...] = ()


def make_plan(query: Query, remarks: tuple[Note, ...] = (), lead_committee: str = V5.lead_committee) -> Plan:
    """The plan for a query. Raises ``NotSupportedError`` when the platform cannot answer it. ``remarks`` join its notes.

    Only papers name the party of who made them, and only activities a committee (field ``lead_committee``).
    """
    refuse_what_is_foreign(KEY, query, KINDS)
    terms = terms_of(query)
    committee = dict(query.groups).get(Group.COMMITTEE)
    if (terms and all(_is_short(term) for term in terms)) or (committee and len(committee) < _SHORTEST):
        raise NotSupportedError(KEY, Unsupported.NO_SUCH_FUNCTION)
    own_kinds = _own_kinds(query.kinds)
    notes = (*_notes(query, sifted=bool(own_kinds)), *remarks)
    entities = _with_groups(_entities(query.kinds), query)
    sizes = [_ALONE] if len(entities) < _SEVERAL else [_FIRST, *([_OTHERS] * (len(entities) - 1))]
    if own_kinds:
        sizes[0] = _SIFTED
    newest_first = query.sort is not Sort.OLDEST
    if (query.page - 1) * max(sizes) > FURTHEST:
        return Plan((), newest_first, (*notes, Note(NoteCode.BEYOND_REACH)))
    if _is_empty_period(query) or not entities:
        return Plan((), newest_first, notes)
    streams = tuple(_stream(query, entity, size, lead_committee) for entity, size in zip(entities, sizes, strict=True))
    return Plan(streams, newest_first, notes)


def terms_of(query: Query) -> tuple[Term, ...]:
    """The words and phrases that are looked for; an ECLI is looked for as it stands."""
    if query.text.terms or query.text.ecli is None:
        return query.text.terms
    return (Term((query.text.ecli,)),)


def _notes(query: Query, *, sifted: bool) -> tuple[Note, ...]:
    titles = (Note(NoteCode.TITLES_ONLY),) if terms_of(query) else ()
    return (
        not_here(KEY, query)
        + titles
        + notes_on(query, sort_of(query, has_words=False), own=(Filter.KIND,) if sifted else ())
    )


def _own_kinds(kinds: frozenset[Kind]) -> frozenset[Kind]:
    """The kinds of documents that we choose ourselves, because the service would refuse the filter for them."""
    condition = condition_for(kinds)
    return kinds if condition is not None and condition.nodes > _DEAREST_KINDS else frozenset()


def _entities(kinds: frozenset[Kind]) -> tuple[Entity, ...]:
    if not kinds:
        return _WITHOUT_KINDS
    return tuple(entity for entity, held in KINDS_OF.items() if held & kinds)


def _with_groups(entities: tuple[Entity, ...], query: Query) -> tuple[Entity, ...]:
    """The entity sets that name every group that is asked for."""
    held = {Group.PARTY: Entity.DOCUMENT, Group.COMMITTEE: Entity.ACTIVITY}
    return tuple(entity for entity in entities if all(held[group] is entity for group, _ in query.groups))


def _groups(query: Query, lead_committee: str) -> list[Condition]:
    """The conditions for the groups that are asked for: a party through who acts in the case of a paper (section 4)."""
    asked = dict(query.groups)
    found = []
    if Group.PARTY in asked:
        party = equals("a/ActorFractie", asked[Group.PARTY])
        found.append(some("Zaak", "z", some("z/ZaakActor", "a", party)))
    return [*found, *([contains(lead_committee, asked[Group.COMMITTEE])] if Group.COMMITTEE in asked else [])]


def _is_empty_period(query: Query) -> bool:
    start, end = query.date_from, query.date_until
    reversed_ = start is not None and end is not None and start > end
    return reversed_ or (end is not None and end < _OLDEST) or (start is not None and start >= _NEWEST)


def _stream(query: Query, entity: Entity, size: int, lead_committee: str) -> Stream:
    fixed = [NOT_DELETED, *_period(query, entity), *_groups(query, lead_committee)]
    own_kinds = _own_kinds(query.kinds) if entity is Entity.DOCUMENT else frozenset[Kind]()
    condition = condition_for(query.kinds) if entity is Entity.DOCUMENT and not own_kinds else None
    if condition is not None:
        fixed.append(condition)
    fields = _SEARCHED[entity]
    words, own = _fitting(terms_of(query), fields, MOST_NODES - all_of(*fixed).nodes)
    direction = "asc" if query.sort is Sort.OLDEST else "desc"
    return Stream(
        entity=entity,
        condition=all_of(*fixed, *words),
        order=f"{DATE_FIELD[entity]} {direction},Id",
        size=size,
        skip=(query.page - 1) * size,
        own=own,
        own_kinds=own_kinds,
        words=tuple(" ".join(term.words) for term in terms_of(query)),
    )


def _period(query: Query, entity: Entity) -> list[Condition]:
    field = DATE_FIELD[entity]
    found = []
    if query.date_from is not None and query.date_from > _OLDEST:
        found.append(on_or_after(field, query.date_from))
    if query.date_until is not None and query.date_until < _NEWEST:
        found.append(before(field, query.date_until + _DAY))
    return found


def _fitting(terms: tuple[Term, ...], fields: tuple[str, ...], room: int) -> tuple[list[Condition], tuple[str, ...]]:
    """The conditions that fit in ``room`` nodes, and the words that are left to us."""
    asked: list[Condition] = []
    own: list[str] = []
    for term in dict.fromkeys(terms):
        text = " ".join(term.words)
        spelled = dict.fromkeys((text, term.written or text))  # it compares letter by letter: "WHO-normen", as written
        condition = any_of(*(contains(field, spelling) for spelling in spelled for field in fields))
        if _is_short(term) or condition.nodes + 1 > room:
            own.append(text)
        else:
            asked.append(condition)
            room -= condition.nodes + 1
    return asked, tuple(own)


def _is_short(term: Term) -> bool:
    return len(" ".join(term.words)) < _SHORTEST
