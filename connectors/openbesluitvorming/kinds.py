"""Which of our kinds a result is, and in which of the platform's types kinds are looked for.

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
        (Kind.VRAAG, r"^vra(?:ag|gen)\b(?! en antwoord)"),
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
# …and so is a paper on what became of a motion: "Memo over motie", "Uitvoering motie 12".
_ABOUT_MOTION = re.compile(
    r"\b(?:memo|notitie|uitvoering|uitwerking|afhandeling|afdoening|voortgang|reactie|toelichting|\w*advies|appreciatie|"
    r"stand van zaken|over|inzake|betreffende|naar aanleiding van)\b",
    re.IGNORECASE,
)
_AMENDMENT = re.compile(r"amendement", re.IGNORECASE)
_MOTION = re.compile(r"motie", re.IGNORECASE)

MOTION_KINDS = frozenset({Kind.MOTIE, Kind.AMENDEMENT})
MEETING_KINDS = frozenset({Kind.VERGADERING})
DOCUMENT_KINDS = frozenset({kind for kind, _ in _WORDS} | {Kind.DOCUMENT})
KINDS = MEETING_KINDS | MOTION_KINDS | DOCUMENT_KINDS
"""The kinds that this platform can hold."""
_KINDS_OF_TYPE = {
    EntityType.MEETING: MEETING_KINDS,
    EntityType.MOTION: MOTION_KINDS,
    EntityType.DOCUMENT: DOCUMENT_KINDS,
}


def kind_of(entity_type: EntityType, title: str, motion_type: str = "") -> Kind:
    """Our kind of a result. ``motion_type`` is the supplier's word for a motion, where it is known."""
    match entity_type:
        case EntityType.MEETING | EntityType.RECORDING:
            return Kind.VERGADERING
        case EntityType.MOTION:
            return _kind_of_motion(title, motion_type)
        case EntityType.DOCUMENT:
            return _kind_of_paper(title)


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
    if says_amendment or _kind_of_paper(title) is Kind.AMENDEMENT:
        return Kind.AMENDEMENT
    return Kind.MOTIE


def _kind_of_paper(title: str) -> Kind:
    if _ABOUT.search(title):
        return Kind.DOCUMENT
    found = [(match.start(), kind) for kind, pattern in _WORDS if (match := pattern.search(title))]
    if not found:
        return Kind.DOCUMENT
    start, kind = min(found, key=lambda place: place[0])
    return Kind.DOCUMENT if kind in MOTION_KINDS and _ABOUT_MOTION.search(title[:start]) else kind
