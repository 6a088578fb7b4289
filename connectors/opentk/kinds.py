"""Our kinds for what this platform has. A hit names no kind of paper, so it follows from the title (section 2).

The Tweede Kamer begins its titles with fixed words; where it does not, a paper counts as a document. What is derived here was
compared with the kinds that its own rows name.
"""

from __future__ import annotations

import re
from typing import Final

from connectors.kamer_words import kind_of
from connectors.records import Kind

_TITLES: Final = (
    (r"(?:nader )?(?:gewijzigde )?motie van", Kind.MOTIE),
    (r"(?:(?:nader|tweede|derde|vierde) )*(?:gewijzigd )?(?:sub)?amendement van", Kind.AMENDEMENT),
    (r"antwoord(?:en)? op|lijst van vragen en antwoorden", Kind.ANTWOORD),
    (r"(?:mondelinge |schriftelijke )?vragen van|lijst van vragen", Kind.VRAAG),
    (r"(?:gewijzigd )?voorstel van wet|memorie van toelichting", Kind.WET),
    (r"(?:eerste |tweede |derde |vierde )?nota van wijziging", Kind.WET),
    (r"verslag van een", Kind.VERSLAG),
    (r"(?:herziene )?convocatie|agenda (?:extra )?procedurevergadering", Kind.AGENDA),
    (r"besluitenlijst", Kind.BESLUIT),
    (r"brief van", Kind.BRIEF),
)
_PATTERNS: Final = tuple((re.compile(rf"(?:{start})\b", re.IGNORECASE), kind) for start, kind in _TITLES)
_CATEGORIES: Final = {
    "Activiteit": Kind.VERGADERING,
    "Verslag": Kind.VERSLAG,
    "Toezegging": Kind.TOEZEGGING,
}
PAPERS: Final = "Document"
ACTIVITIES: Final = frozenset({Kind.VERGADERING})
CERTAIN: Final = frozenset({Kind.VERGADERING, Kind.TOEZEGGING})
"""Kinds that the platform's own category names. A report is a category, and a kind of paper as well."""
KINDS: Final = frozenset({kind for _, kind in _PATTERNS} | set(_CATEGORIES.values()) | {Kind.DOCUMENT})


def kind_of_hit(category: str, title: str, *, is_question: bool = False) -> Kind:
    """Our kind for a hit. ``is_question``: the platform's own filter says that it is a question or its answer."""
    if category != PAPERS:
        return _CATEGORIES.get(category, Kind.DOCUMENT)
    found = next((kind for pattern, kind in _PATTERNS if pattern.match(title)), Kind.DOCUMENT)
    return Kind.VRAAG if is_question and found is Kind.DOCUMENT else found


def kind_of_page(soort: str, title: str) -> Kind:
    """Our kind for a paper of which the page names the kind; by its title where it names none."""
    return kind_of(soort) if soort else kind_of_hit(PAPERS, title)
