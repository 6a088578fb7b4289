"""Which of our kinds a result is, and in which of the platform's types kinds are looked for.

The platform knows four types. A ``Motion`` may be an amendment; reports, proposals, letters, questions and answers are all
``Document`` (platform page, section 3.1), and so is a motion that hangs on an agenda item as a file. What a paper is, is then
in its title alone.
"""

from __future__ import annotations

import re

from connectors.council_kinds import MOTION_KINDS, PAPER_KINDS, kind_of_paper
from connectors.openbesluitvorming.ids import EntityType
from connectors.records import Kind

_AMENDMENT = re.compile(r"amendement", re.IGNORECASE)
_MOTION = re.compile(r"motie", re.IGNORECASE)

MEETING_KINDS = frozenset({Kind.VERGADERING})
KINDS = MEETING_KINDS | MOTION_KINDS | PAPER_KINDS
"""The kinds that this platform can hold."""
_KINDS_OF_TYPE = {
    EntityType.MEETING: MEETING_KINDS,
    EntityType.MOTION: MOTION_KINDS,
    EntityType.DOCUMENT: PAPER_KINDS,
}


def kind_of(entity_type: EntityType, title: str, motion_type: str = "") -> Kind:
    """Our kind of a result. ``motion_type`` is the supplier's word for a motion, where it is known."""
    match entity_type:
        case EntityType.MEETING | EntityType.RECORDING:
            return Kind.VERGADERING
        case EntityType.MOTION:
            return _kind_of_motion(title, motion_type)
        case EntityType.DOCUMENT:
            return kind_of_paper(title)


def types_for(kinds: frozenset[Kind]) -> tuple[EntityType, ...]:
    """The types among which ``kinds`` may be found; none when that is all of them, or nothing is asked.

    A motion may be a ``Motion`` and may be a ``Document``, so that one kind can need two types.
    """
    found = tuple(entity_type for entity_type, held in _KINDS_OF_TYPE.items() if kinds & held)
    return found if len(found) < len(_KINDS_OF_TYPE) else ()


def kinds_in(types: tuple[EntityType, ...]) -> frozenset[Kind]:
    """All kinds that results of ``types`` may have; of all types when none is named."""
    return frozenset().union(
        *(held for entity_type, held in _KINDS_OF_TYPE.items() if entity_type in types or not types)
    )


def _kind_of_motion(title: str, motion_type: str) -> Kind:
    says_amendment = _AMENDMENT.search(motion_type) and not _MOTION.search(motion_type)
    if says_amendment or kind_of_paper(title) is Kind.AMENDEMENT:
        return Kind.AMENDEMENT
    return Kind.MOTIE
