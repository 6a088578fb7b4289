"""How a question is put to this platform: one call for all asked organisations, two when it is ordered by date.

Entries of registers have their date in another field than papers and meetings have, and the platform orders by one field, so by
date both are asked side by side and put together. What the platform cannot choose (which kind of paper a file is, of which we
know no more than its name) is chosen by us, out of more rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from connectors.exceptions import NotSupportedError, Unsupported
from connectors.open_raadsinformatie.answers import KEY
from connectors.open_raadsinformatie.kinds import KINDS, REPORT, kinds_in, types_for
from connectors.open_raadsinformatie.requests import WINDOW, effective_sort
from connectors.questions import in_period, notes_on, refuse_what_is_foreign
from connectors.records import Filter, Hit, Kind, Note, Query, Sort

PAGE_SIZE: Final = 25
_WIDE_PAGE: Final = 100
MOST_BODIES: Final = 60
"""Longer paths than of so many aliases are refused over there: its first line of a request is 4 kB at most."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How one question is asked.

    ``streams`` are groups of types, each with an order of its own. ``aliases``: the organisations that a call names;
    ``only``: those that we look for ourselves, as they are too many to name; ``not_here``: names of those that are not there.
    """

    query: Query
    streams: tuple[tuple[str, ...], ...]
    aliases: tuple[str, ...] = ()
    size: int = PAGE_SIZE
    only: frozenset[str] = frozenset()
    own_kinds: frozenset[Kind] = frozenset()
    not_here: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def filters(self) -> bool:
        """Whether hits are left out by us, so that a total of the platform says nothing about ours."""
        return bool(self.only or self.own_kinds)

    @property
    def start(self) -> int:
        """The place in a stream at which the asked page begins."""
        return (self.query.page - 1) * self.size

    @property
    def room(self) -> int:
        """How many rows can be asked from ``start`` on; 0 beyond what the platform lets anyone page through."""
        return max(0, min(self.size, WINDOW - self.start))

    def keeps(self, hit: Hit) -> bool:
        """Whether ``hit`` is among what was asked, as far as the platform does not see to that itself."""
        if self.own_kinds and hit.kind not in self.own_kinds:
            return False
        if self.only and hit.upstream_id.partition(":")[0] not in self.only:
            return False
        return in_period(self.query, hit)


def plan(query: Query) -> Plan:
    """The plan for a question. Raises ``NotSupportedError`` when the platform cannot answer it."""
    refuse_what_is_foreign(KEY, query, KINDS)
    if not (query.text or query.organisations or query.has_period):
        raise NotSupportedError(KEY, Unsupported.NEEDS_WORDS_OR_FILTER)
    here = tuple(dict.fromkeys(alias for body in query.organisations if (alias := body.key_at(KEY))))
    too_many = len(here) > MOST_BODIES
    kinds = query.kinds & KINDS
    types = types_for(kinds)
    own_kinds = kinds if kinds and kinds != kinds_in(types) else frozenset[Kind]()
    return Plan(
        query=query,
        streams=_streams(query, types),
        aliases=() if too_many else here,
        size=_WIDE_PAGE if own_kinds or too_many else PAGE_SIZE,
        only=frozenset(here) if too_many else frozenset(),
        own_kinds=own_kinds,
        not_here=tuple(body.name for body in query.organisations if body.key_at(KEY) is None),
        notes=notes_on(
            query,
            effective_sort(query),
            own=(Filter.KIND,) if own_kinds else (),
            too_many=(len(here), MOST_BODIES) if too_many else None,
        ),
    )


def _streams(query: Query, types: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    if effective_sort(query) is Sort.RELEVANCE or REPORT not in types or len(types) == 1:
        return (types,)
    return tuple(one for one in types if one != REPORT), (REPORT,)
