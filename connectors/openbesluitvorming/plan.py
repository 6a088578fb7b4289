"""How a question is put to this platform: which calls, and which of our own filters over their answers.

The platform takes one organisation and one type a call (platform page, section 3.1). Up to six organisations are as many calls
side by side; beyond that one call without any, filtered by us. What a question may cost is fixed at six calls, so a
filter of our own reads up to three pages for one organisation and fewer for more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from connectors.exceptions import NotSupportedError, OperatorError, Unsupported
from connectors.openbesluitvorming.answers import KEY
from connectors.openbesluitvorming.ids import EntityType, entity_id
from connectors.openbesluitvorming.kinds import KINDS, finer_than_type, type_for
from connectors.openbesluitvorming.organisations import organisation
from connectors.openbesluitvorming.requests import effective_sort, query_words
from connectors.records import Filter, Hit, Kind, Note, NoteCode, Organisation, Query

MOST_CALLS: Final = 6
_MOST_PAGES: Final = 3


@dataclass(frozen=True, slots=True)
class Plan:
    """How one question is asked.

    ``asked``: the organisations that get a call each; none means one call over all of them. ``only``: organisations that we
    look for ourselves in that one call. ``own_kinds``: kinds that we look for ourselves. ``pages``: how many pages of the
    platform make one of ours, per call.
    """

    query: Query
    entity_type: EntityType | None
    asked: tuple[Organisation, ...] = ()
    only: tuple[Organisation, ...] = ()
    own_kinds: frozenset[Kind] = frozenset()
    pages: int = 1
    notes: tuple[Note, ...] = ()

    @property
    def filters(self) -> bool:
        """Whether hits are left out by us, so that a total of the platform says nothing about ours."""
        return bool(self.only or self.own_kinds)

    def keeps(self, hit: Hit) -> bool:
        """Whether ``hit`` is among what was asked, as far as the platform could not see to that itself."""
        if self.own_kinds and hit.kind not in self.own_kinds:
            return False
        return not self.only or _source_key(hit) in {body.key_at(KEY) for body in self.only}


def plan(query: Query) -> Plan:
    """The plan for a question. Raises ``NotSupportedError`` when the platform cannot answer it."""
    _refuse_what_is_foreign(query)
    kinds = query.kinds & KINDS
    here, elsewhere = _by_presence(query.organisations)
    notes = [Note(NoteCode.ORGANISATIONS_NOT_HERE, tuple(body.name for body in elsewhere))] if elsewhere else []
    too_many = len(here) > MOST_CALLS
    if not query_words(query.text) and (too_many or not here):
        # Without words the platform only browses one organisation; anything else it answers with nothing at all.
        raise NotSupportedError(KEY, Unsupported.NEEDS_WORDS_OR_FILTER, (Filter.ORGANISATION,) if too_many else ())
    if too_many:
        notes.append(Note(NoteCode.TOO_MANY_ORGANISATIONS, (str(len(here)), str(MOST_CALLS))))
    own_kinds = kinds if finer_than_type(kinds) else frozenset[Kind]()
    if own_kinds:
        notes.append(Note(NoteCode.FILTERED_BY_US, (Filter.KIND.value,)))
    if effective_sort(query) is not query.sort:
        notes.append(Note(NoteCode.SORTED_BY_DATE))
    return Plan(
        query=query,
        entity_type=type_for(kinds),
        asked=() if too_many else here,
        only=here if too_many else (),
        own_kinds=own_kinds,
        pages=_pages(len(here)) if own_kinds and not too_many else 1,
        notes=tuple(notes),
    )


def _refuse_what_is_foreign(query: Query) -> None:
    if query.text.operators:
        raise OperatorError(KEY, query.text.operators)
    if query.kinds and not query.kinds & KINDS:
        raise NotSupportedError(KEY, Unsupported.NO_SUCH_KIND, (Filter.KIND,))
    if query.organisations and not _by_presence(query.organisations)[0]:
        raise NotSupportedError(KEY, Unsupported.NO_SUCH_BODY, (Filter.ORGANISATION,))


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


def _pages(organisations: int) -> int:
    return max(1, min(_MOST_PAGES, MOST_CALLS // max(organisations, 1)))
