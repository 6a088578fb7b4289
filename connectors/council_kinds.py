"""What kind of paper a council's file is: its name alone says so, at every platform that gathers papers of councils.

The word that comes first in a name says what the paper is, what follows what it is about: an answer to questions.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from connectors.records import Kind

_WORDS: Final = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (Kind.AGENDA, r"^(?:(?:concept|voorlopige|definitieve|gewijzigde)[ -]?)?agenda\b"),
        (Kind.AGENDA, r"\b(?:raads|commissie|vergader)agenda\b"),
        (Kind.ANTWOORD, r"\b(?:be)?antwoord(?:en|ing(?:en)?|brief)?\b"),
        (Kind.VRAAG, r"\b(?:schriftelijke|mondelinge|technische) vra(?:ag|gen)\b"),
        (Kind.VRAAG, r"^vra(?:ag|gen)\b(?! en antwoord)"),
        (Kind.VRAAG, r"\b(?:raads|staten)vra(?:ag|gen)\b"),
        (Kind.VRAAG, r"\bart(?:ikel|\.)?\s?\d{1,3}[a-z]?[\s-]?vragen\b"),
        (Kind.VRAAG, r"\bvragen (?:ex|op grond van)\b"),
        (Kind.VERSLAG, r"\bnotulen\b|\b(?:raads|commissie|vergader|concept|kort|woordelijk)?verslag(?:en)?\b"),
        (Kind.VOORSTEL, r"\b\w{0,30}voorstel(?:len)?\b"),
        (Kind.BESLUIT, r"\b\w{0,30}besluit(?:en)?\b|\b\w{0,30}besluitenlijst(?:en)?\b|\blijst van besluiten\b"),
        (Kind.TOEZEGGING, r"\btoezegging(?:en)?\b"),
        (Kind.AMENDEMENT, r"\b(?:sub)?amendement(?:en)?\b"),
        (Kind.MOTIE, r"\bmotie\b"),
        (Kind.BRIEF, r"\b(?!nieuwsbrie)\w{0,30}brie(?:f|ven)\b"),
    )
)
# Papers about papers: what they name is not what they are.
_ABOUT: Final = re.compile(
    r"^(?:bijlage|presentatie|overzicht|afdoening|stand van zaken|lijst)\b(?! van besluiten)", re.IGNORECASE
)
# …and so is a paper on what became of a motion: "Memo over motie", "Uitvoering motie 12".
_ABOUT_MOTION: Final = re.compile(
    r"\b(?:memo|notitie|uitvoering|uitwerking|afhandeling|afdoening|voortgang|reactie|toelichting|\w{0,30}advies|appreciatie|"
    r"stand van zaken|over|inzake|betreffende|naar aanleiding van)\b",
    re.IGNORECASE,
)
_MOTIONS: Final = re.compile(r"\bmoties\b", re.IGNORECASE)
_FILE_MARK: Final = re.compile(r"^\[[^\]\s]{1,40}\]\s*")

MOTION_KINDS: Final = frozenset({Kind.MOTIE, Kind.AMENDEMENT})
PAPER_KINDS: Final = frozenset({kind for kind, _ in _WORDS} | {Kind.DOCUMENT})
"""What a file of a council may be."""


def kind_of_register(name: str) -> Kind:
    """Our kind of what stands in a register with this name. A file called "Moties" is about several, a register holds them."""
    return kind_of_paper(_MOTIONS.sub("motie", name))


@lru_cache(maxsize=1024)  # the same results are read again for whoever asks the same
def kind_of_paper(name: str) -> Kind:
    """Our kind of a paper with this name; ``DOCUMENT`` when the name does not say what it is."""
    name = _FILE_MARK.sub("", name)
    if _ABOUT.search(name):
        return Kind.DOCUMENT
    found = [(match.start(), kind) for kind, pattern in _WORDS if (match := pattern.search(name))]
    if not found:
        return Kind.DOCUMENT
    start, kind = min(found, key=lambda place: place[0])
    return Kind.DOCUMENT if kind in MOTION_KINDS and _ABOUT_MOTION.search(name[:start]) else kind
