"""Which of our kinds a record is, and in which of the platform's types a kind is looked for (platform page, section 3).

There is no type for motions: they are entries of a register (``Report``) at iBabs, and elsewhere files whose name says so. What
a register is called differs per council.
"""

from __future__ import annotations

from typing import Final

from connectors.council_kinds import PAPER_KINDS, kind_of_paper, kind_of_register
from connectors.records import Kind

MEDIA, MEETING, AGENDA_ITEM, REPORT = "MediaObject", "Meeting", "AgendaItem", "Report"
TYPES: Final = (MEDIA, MEETING, AGENDA_ITEM, REPORT)
"""The types that are papers or meetings; organisations, persons and their roles are no results."""

KINDS: Final = PAPER_KINDS | {Kind.VERGADERING}
"""The kinds that this platform can hold."""
_HELD: Final = {
    MEDIA: PAPER_KINDS,
    MEETING: frozenset({Kind.VERGADERING}),
    AGENDA_ITEM: frozenset({Kind.AGENDA}),
    REPORT: PAPER_KINDS,
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
            found = kind_of_register(register)
            return found if found is not Kind.DOCUMENT else kind_of_paper(title)
        case _:
            return kind_of_paper(title)


def types_for(kinds: frozenset[Kind]) -> tuple[str, ...]:
    """The types among which ``kinds`` may be found; all of them when no kind is asked."""
    return tuple(record_type for record_type in TYPES if not kinds or kinds & _HELD[record_type])


def kinds_in(types: tuple[str, ...]) -> frozenset[Kind]:
    """All kinds that records of ``types`` may have."""
    return frozenset().union(*(_HELD[record_type] for record_type in types))
