"""The platform's own kinds of documents (about a hundred, section 4) and ours. One table decides both ways.

What a row is and what is asked of the platform follow from the same beginnings of ``Soort``, so that a choice of kinds never
hides a hit that would have been shown as that kind.
"""

from __future__ import annotations

from typing import Final

from connectors.kamer_words import BEGINNINGS
from connectors.records import Kind
from connectors.tweede_kamer.filters import Condition, any_of, none_of, starts_with
from connectors.tweede_kamer.ids import Entity

_OF_DOCUMENTS: Final = frozenset({kind for _, kind in BEGINNINGS} | {Kind.DOCUMENT})
KINDS_OF: Final = {
    Entity.DOCUMENT: _OF_DOCUMENTS,
    Entity.COMMITMENT: frozenset({Kind.TOEZEGGING}),
    Entity.ACTIVITY: frozenset({Kind.VERGADERING}),
    Entity.MEETING: frozenset({Kind.VERSLAG}),
}
KINDS: Final = frozenset[Kind]().union(*KINDS_OF.values())


def condition_for(kinds: frozenset[Kind]) -> Condition | None:
    """What a document must meet to be of one of ``kinds``; None when every document is."""
    asked = kinds & _OF_DOCUMENTS
    if not asked or asked == _OF_DOCUMENTS:
        return None
    if Kind.DOCUMENT in asked:
        return none_of(*(starts_with("Soort", start) for start, kind in BEGINNINGS if kind not in asked))
    wanted = [starts_with("Soort", start) for start, kind in BEGINNINGS if kind in asked]
    if Kind.ANTWOORD in asked and Kind.VRAAG not in asked:
        wanted.append(starts_with("Soort", "Lijst van vragen en antwoorden"))
    return any_of(*wanted)
