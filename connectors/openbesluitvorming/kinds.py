"""Which of our kinds a result is, and which of the platform's types a search for kinds is narrowed to.

The platform knows four types. A ``Motion`` may be an amendment; reports, proposals, letters, questions and answers are all
``Document`` (platform page, section 3.1), and so is a motion that hangs on an agenda item as a file. What a paper is, is then
in its title alone.
"""

from __future__ import annotations

import re

from connectors.openbesluitvorming.ids import EntityType
from connectors.records import Kind

# The word that comes first in a title says what the paper is, what follows what it is about: an answer to questions.
_WORDS: tuple[tuple[Kind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (Kind.AGENDA, r"^(?:(?:concept|voorlopige|definitieve|gewijzigde)[ -]?)?agenda\b"),
        (Kind.AGENDA, r"\b(?:raads|commissie|vergader)agenda\b"),
        (Kind.ANTWOORD, r"\b(?:be)?antwoord(?:en|ing(?:en)?|brief)?\b"),
        (Kind.VRAAG, r"\b(?:schriftelijke|mondelinge|technische) vra(?:ag|gen)\b"),
        (Kind.VRAAG, r"\b(?:raads|staten)vra(?:ag|gen)\b"),
        (Kind.VRAAG, r"\bart(?:ikel|\.)?\s*\d+[a-z]?[\s-]*vragen\b"),
        (Kind.VRAAG, r"\bvragen (?:ex|op grond van)\b"),
        (Kind.VERSLAG, r"\bnotulen\b|\b(?:raads|commissie|vergader|concept|kort|woordelijk)?verslag(?:en)?\b"),
        (Kind.VOORSTEL, r"\b\w*voorstel(?:len)?\b"),
        (Kind.BESLUIT, r"\b\w*besluit(?:en)?\b|\b\w*besluitenlijst\b|\blijst van besluiten\b"),
        (Kind.TOEZEGGING, r"\btoezegging(?:en)?\b"),
        (Kind.AMENDEMENT, r"\b(?:sub)?amendement(?:en)?\b"),
        (Kind.MOTIE, r"\bmotie\b"),
        (Kind.BRIEF, r"\b(?!nieuwsbrief)\w*brief\b"),
    )
)
# Papers about papers: what they name is not what they are.
_ABOUT = re.compile(
    r"^(?:bijlage|presentatie|overzicht|afdoening|stand van zaken|lijst)\b(?! van besluiten)", re.IGNORECASE
)
_AMENDMENT = re.compile(r"amendement", re.IGNORECASE)
_MOTION = re.compile(r"motie", re.IGNORECASE)

MOTION_KINDS = frozenset({Kind.MOTIE, Kind.AMENDEMENT})
MEETING_KINDS = frozenset({Kind.VERGADERING})
DOCUMENT_KINDS = frozenset({kind for kind, _ in _WORDS} | {Kind.DOCUMENT})
KINDS = MEETING_KINDS | MOTION_KINDS | DOCUMENT_KINDS
"""The kinds that this platform can hold."""


def kind_of(entity_type: EntityType, title: str, motion_type: str = "") -> Kind:
    """Our kind of a result. ``motion_type`` is the supplier's word for a motion, where it is known."""
    match entity_type:
        case EntityType.MEETING | EntityType.RECORDING:
            return Kind.VERGADERING
        case EntityType.MOTION:
            return _kind_of_motion(title, motion_type)
        case EntityType.DOCUMENT:
            return _kind_of_paper(title)


def type_for(kinds: frozenset[Kind]) -> EntityType | None:
    """The one type that all ``kinds`` fit in, or None when the search must not be narrowed."""
    if not kinds:
        return None
    if kinds <= MEETING_KINDS:
        return EntityType.MEETING
    if kinds <= MOTION_KINDS:
        return EntityType.MOTION
    return EntityType.DOCUMENT if kinds <= DOCUMENT_KINDS - MOTION_KINDS else None


def finer_than_type(kinds: frozenset[Kind]) -> bool:
    """Whether the platform's types cannot express ``kinds``, so that its answers must be filtered."""
    return bool(kinds) and kinds not in (MEETING_KINDS, MOTION_KINDS) and kinds != KINDS


def _kind_of_motion(title: str, motion_type: str) -> Kind:
    says_amendment = _AMENDMENT.search(motion_type) and not _MOTION.search(motion_type)
    if says_amendment or _kind_of_paper(title) is Kind.AMENDEMENT:
        return Kind.AMENDEMENT
    return Kind.MOTIE


def _kind_of_paper(title: str) -> Kind:
    if _ABOUT.search(title):
        return Kind.DOCUMENT
    found = [(match.start(), kind) for kind, pattern in _WORDS if (match := pattern.search(title))]
    return min(found, key=lambda place: place[0])[1] if found else Kind.DOCUMENT
