"""How a question is put to this platform: which calls, and which of our own filters over their answers.

The platform takes one organisation and one type a call (platform page, section 3.1). What it takes apart, we ask in streams
side by side: one for each organisation, and one for each type in which the asked kinds may be. What a question may cost is
fixed at six calls: they are divided over the streams, for more pages where a filter of ours leaves rows out, and for what goes
wrong. Beyond six organisations it is one stream without any, filtered by us.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final

from connectors.exceptions import NotSupportedError, Unsupported
from connectors.openbesluitvorming.answers import KEY
from connectors.openbesluitvorming.ids import EntityType, entity_id
from connectors.openbesluitvorming.kinds import KINDS, kinds_in, types_for
from connectors.openbesluitvorming.organisations import organisation
from connectors.openbesluitvorming.requests import PAGE_SIZE, effective_sort, query_words
from connectors.questions import in_period, notes_on, refuse_what_is_foreign
from connectors.records import Filter, Hit, Kind, Note, Organisation, Query, Sort

MOST_CALLS: Final = 6
_MOST_PAGES: Final = 3
_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Stream:
    """One run of results over there: the question as this call puts it, one organisation or all, one type or all.

    An edge (``is_edge``) looks for nothing but the first hours of the asked period; see ``plan``.
    """

    query: Query
    body: Organisation | None = None
    entity_type: EntityType | None = None
    is_edge: bool = False

    @property
    def key(self) -> str | None:
        """The platform's key of the organisation."""
        return self.body.key_at(KEY) if self.body else None


@dataclass(frozen=True, slots=True)
class Plan:
    """How one question is asked.

    ``streams`` are read side by side, ``calls`` is how many each may take, ``pages`` how many pages of the platform make one
    of ours, per stream. ``only``: organisations that we look for ourselves; ``own_kinds``: kinds that we look for ourselves.
    ``not_here``: the names of asked organisations that the platform does not have.
    """

    query: Query
    streams: tuple[Stream, ...]
    pages: int = 1
    calls: int = MOST_CALLS
    only: tuple[Organisation, ...] = ()
    own_kinds: frozenset[Kind] = frozenset()
    not_here: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def filters(self) -> bool:
        """Whether hits are left out by us, so that a total of the platform says nothing about ours."""
        return bool(self.only or self.own_kinds)

    @property
    def size(self) -> int:
        """How many rows of a stream make one page of ours."""
        return self.pages * PAGE_SIZE

    @property
    def start(self) -> int:
        """The place in a stream at which the asked page of ours begins."""
        return (self.query.page - 1) * self.size

    def keeps(self, hit: Hit) -> bool:
        """Whether ``hit`` is among what was asked, as far as the platform does not see to that itself."""
        if self.own_kinds and hit.kind not in self.own_kinds:
            return False
        if self.only and _source_key(hit) not in {body.key_at(KEY) for body in self.only}:
            return False
        return in_period(self.query, hit)


def plan(query: Query) -> Plan:
    """The plan for a question. Raises ``NotSupportedError`` when the platform cannot answer it.

    A period means days in Amsterdam, as hits show them. The platform page is silent on the zone in which the platform cuts;
    its own times are in UTC, in which half past midnight is still the day before. Amsterdam is never behind UTC, so whichever
    it is, all hits of a period lie between the day before it and its last day: that is asked, and the rows that show another
    day fall out here. Oldest first, a day full of such rows would stand in front: there, while the calls allow it, an edge
    asks for that day alone, its latest rows first.
    """
    refuse_what_is_foreign(KEY, query, KINDS)
    here, elsewhere = _by_presence(query.organisations)
    too_many = len(here) > MOST_CALLS
    if not query_words(query.text) and (too_many or not here):
        # Without words the platform only browses one organisation; anything else it answers with nothing at all.
        raise NotSupportedError(KEY, Unsupported.NEEDS_WORDS_OR_FILTER, (Filter.ORGANISATION,) if too_many else ())
    kinds = query.kinds & KINDS
    bodies: tuple[Organisation | None, ...] = (None,) if too_many or not here else here
    types = _types(kinds, 1 if too_many else MOST_CALLS // len(bodies))
    own_kinds = kinds if kinds and kinds != kinds_in(types) else frozenset[Kind]()
    streams = tuple(Stream(query, body, entity_type) for body in bodies for entity_type in types or (None,))
    edges = _edges(query, streams)
    room = MOST_CALLS // (len(streams) + len(edges))
    return Plan(
        query=query,
        streams=(*streams, *(edges if query.page == 1 else ())) if edges else _widened(query, streams),
        pages=min(_MOST_PAGES, room) if own_kinds and not too_many else 1,
        calls=room,
        only=here if too_many else (),
        own_kinds=own_kinds,
        not_here=tuple(body.name for body in elsewhere),
        notes=notes_on(
            query,
            effective_sort(query),
            own=(Filter.KIND,) if own_kinds else (),
            too_many=(len(here), MOST_CALLS) if too_many else None,
        ),
    )


def _types(kinds: frozenset[Kind], most: int) -> tuple[EntityType, ...]:
    """The types to ask for, each in a stream of its own; none when there would be more than ``most`` of them."""
    types = types_for(kinds)
    return types if len(types) <= most else ()


def _edges(query: Query, streams: tuple[Stream, ...]) -> tuple[Stream, ...]:
    """The edges of a period that is read from its start, one for each stream; none when they are too dear."""
    if query.date_from is None or query.sort is not Sort.OLDEST or 2 * len(streams) > MOST_CALLS:
        return ()
    before = _day_before(query.date_from)
    asked = replace(query, date_from=before, date_until=before, sort=Sort.NEWEST)
    return tuple(replace(stream, query=asked, is_edge=True) for stream in streams)


def _widened(query: Query, streams: tuple[Stream, ...]) -> tuple[Stream, ...]:
    """The streams from a day earlier on."""
    if query.date_from is None:
        return streams
    asked = replace(query, date_from=_day_before(query.date_from))
    return tuple(replace(stream, query=asked) for stream in streams)


def _day_before(day: date) -> date:
    """The day before, or the first day that a date can be."""
    return max(day, date.min + _DAY) - _DAY


def _by_presence(asked: tuple[Organisation, ...]) -> tuple[tuple[Organisation, ...], tuple[Organisation, ...]]:
    """The organisations that this platform knows, each once, and those that it does not."""
    here = {key: body for body in reversed(asked) if (key := body.key_at(KEY)) is not None}
    return tuple(reversed(here.values())), tuple(body for body in asked if body.key_at(KEY) is None)


def _source_key(hit: Hit) -> str | None:
    """The platform's key of the organisation behind a hit; its id may spell it in another way."""
    found = entity_id(hit.upstream_id)
    if found is None:
        return None
    body = organisation(found.body_type, found.key, found.key)
    return body.key_at(KEY) if body else found.key
