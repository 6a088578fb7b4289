"""The name of a place as a word, for sources that have no bodies of its kind: courts and parliament know no municipalities.

Who types "bestemmingsplan Bussum" wants the ruling too in which that stands. Only a place that was read from the question, and
only one: of two names hardly any paper has both. A body that its reader chose stays a filter, with a link to do this.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from connectors.names import own_name
from connectors.records import BodyKind, Note, NoteCode, Organisation, Query, SearchResult, SearchText, Term
from search.organisations import Bodies
from search.question import read_question

KINDS: Final = frozenset({BodyKind.GEMEENTE, BodyKind.PROVINCIE, BodyKind.WATERSCHAP})
"""The kinds of bodies whose name is that of a place."""


def with_name_as_word(query: Query, platform: str, register: Bodies) -> tuple[Query, Note | None]:
    """The query that ``platform`` is asked, and what is to be said of it: the same and None where it knows such bodies."""
    body = register.body(query.read_body) if query.read_body else None
    if body is None or query.text.operators or not _knows_none(platform, body, register):
        return query, None
    if any(one.key_at(platform) for one in query.organisations):
        return query, None
    text = SearchText((*query.text.terms, *_as_terms(body)), query.text.operators)
    note = Note(NoteCode.NAME_AS_WORD, (body.kind.value, name_of(body)))
    return replace(query, text=text, organisations=(), read_body=""), note


def could_be_word(body: Organisation, platform: str, register: Bodies) -> bool:
    """Whether a source can do no more with a body than look for its name."""
    return body.kind in KINDS and _knows_none(platform, body, register)


def name_words(result: SearchResult | None) -> tuple[str, ...]:
    """The words of a place that were looked for as words: to be marked in what was found."""
    names = (note.values[-1] for note in (result.notes if result else ()) if note.code is NoteCode.NAME_AS_WORD)
    return tuple(word for name in names for term in read_question(name).text.terms for word in term.words)


def _knows_none(platform: str, body: Organisation, register: Bodies) -> bool:
    if body.kind not in KINDS:
        return False
    return not any(one.kind is body.kind and one.key_at(platform) for one in register.everybody())


def name_of(body: Organisation) -> str:
    """The name without the word for its kind: what a paper about the place holds."""
    return own_name(body.kind, body.name)


def _as_terms(body: Organisation) -> tuple[Term, ...]:
    return read_question(f'"{name_of(body)}"').text.terms
