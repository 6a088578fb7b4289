"""Which of our kinds a record is, and in which of the platform's types a kind is looked for (platform page, section 3).

There is no type for motions: they are entries of a register (``Report``) at iBabs, and elsewhere files whose name says so. What
a register is called differs per council; what a file is, is in its name alone.
"""

from __future__ import annotations

import re
from typing import Final

from connectors.records import Kind

MEDIA, MEETING, AGENDA_ITEM, REPORT = "MediaObject", "Meeting", "AgendaItem", "Report"
TYPES: Final = (MEDIA, MEETING, AGENDA_ITEM, REPORT)
"""The types that are papers or meetings; organisations, persons and their roles are no results."""

# The word that comes first in a name says what the paper is, what follows what it is about: an answer to questions.
_WORDS: Final = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (
            Kind.AGENDA,
            r"^(?:(?:concept|voorlopige|definitieve|gewijzigde)[ -]?)?agenda\b|\b(?:raads|commissie)agenda\b",
        ),
        (Kind.ANTWOORD, r"\b(?:be)?antwoord(?:en|ing(?:en)?|brief)?\b"),
        (Kind.VRAAG, r"\b(?:schriftelijke|mondelinge|technische) vra(?:ag|gen)\b|^vra(?:ag|gen)\b(?! en antwoord)"),
        (Kind.VRAAG, r"\b(?:raads|staten)vra(?:ag|gen)\b|\bart(?:ikel|\.)?\s?\d{1,3}[a-z]?[\s-]?vragen\b"),
        (Kind.VERSLAG, r"\bnotulen\b|\b(?:raads|commissie|vergader|concept)?verslag(?:en)?\b"),
        (Kind.VOORSTEL, r"\b\w{0,30}voorstel(?:len)?\b"),
        (Kind.BESLUIT, r"\b\w{0,30}besluit(?:en)?\b|\b\w{0,30}besluitenlijst(?:en)?\b|\blijst van besluiten\b"),
        (Kind.TOEZEGGING, r"\btoezegging(?:en)?\b"),
        (Kind.AMENDEMENT, r"\b(?:sub)?amendement(?:en)?\b"),
        (Kind.MOTIE, r"\bmoties?\b"),
        (Kind.BRIEF, r"\b(?!nieuwsbrie)\w{0,30}brie(?:f|ven)\b"),
    )
)
# Papers about papers: what they name is not what they are.
_ABOUT: Final = re.compile(
    r"^(?:bijlage|presentatie|overzicht|afdoening|stand van zaken|lijst)\b(?! van besluiten)", re.IGNORECASE
)
_ABOUT_MOTION: Final = re.compile(
    r"\b(?:memo|notitie|uitvoering|uitwerking|afhandeling|voortgang|reactie|toelichting|\w{0,30}advies|over|inzake|"
    r"betreffende|naar aanleiding van)\b",
    re.IGNORECASE,
)
_FILE_MARK: Final = re.compile(r"^\[[^\]\s]{1,40}\]\s*")
_MOTION_KINDS: Final = frozenset({Kind.MOTIE, Kind.AMENDEMENT})
_PAPER_KINDS: Final = frozenset({kind for kind, _ in _WORDS} | {Kind.DOCUMENT})
KINDS: Final = _PAPER_KINDS | {Kind.VERGADERING}
"""The kinds that this platform can hold."""
_HELD: Final = {
    MEDIA: _PAPER_KINDS,
    MEETING: frozenset({Kind.VERGADERING}),
    AGENDA_ITEM: frozenset({Kind.AGENDA}),
    REPORT: _PAPER_KINDS,
}
WORDS_OF: Final = {
    Kind.AGENDA: ("agenda",),
    Kind.ANTWOORD: ("antwoord", "beantwoording"),
    Kind.VRAAG: ("vragen", "raadsvragen", "statenvragen"),
    Kind.VERSLAG: ("verslag", "notulen", "raadsverslag"),
    Kind.VOORSTEL: ("voorstel", "raadsvoorstel", "raadsvoorstellen", "statenvoorstel"),
    Kind.BESLUIT: ("besluit", "besluiten", "besluitenlijst", "raadsbesluit"),
    Kind.TOEZEGGING: ("toezegging", "toezeggingen"),
    Kind.AMENDEMENT: ("amendement", "amendementen"),
    Kind.MOTIE: ("motie", "moties"),
    Kind.BRIEF: ("brief", "brieven", "raadsbrief"),
}
"""The words by which a kind is most often called, in names and registers. Not all of them: never a condition."""


def kind_of(record_type: str, title: str, register: str = "") -> Kind:
    """Our kind of a record. ``register`` is the name of the register in which an entry stands."""
    match record_type:
        case "Meeting":
            return Kind.VERGADERING
        case "AgendaItem":
            return Kind.AGENDA
        case "Report":
            found = _kind_of_name(register)
            return found if found is not Kind.DOCUMENT else _kind_of_name(title)
        case _:
            return _kind_of_name(title)


def types_for(kinds: frozenset[Kind]) -> tuple[str, ...]:
    """The types among which ``kinds`` may be found; all of them when no kind is asked."""
    return tuple(record_type for record_type in TYPES if not kinds or kinds & _HELD[record_type])


def kinds_in(types: tuple[str, ...]) -> frozenset[Kind]:
    """All kinds that records of ``types`` may have."""
    return frozenset().union(*(_HELD[record_type] for record_type in types))


def _kind_of_name(name: str) -> Kind:
    name = _FILE_MARK.sub("", name)
    if _ABOUT.search(name):
        return Kind.DOCUMENT
    found = [(match.start(), kind) for kind, pattern in _WORDS if (match := pattern.search(name))]
    if not found:
        return Kind.DOCUMENT
    start, kind = min(found, key=lambda place: place[0])
    return Kind.DOCUMENT if kind in _MOTION_KINDS and _ABOUT_MOTION.search(name[:start]) else kind
