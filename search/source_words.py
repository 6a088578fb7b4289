"""What a person must know of each source before believing it: whose it is, whether it is the official place, since when.

Facts: the pages on the platforms in ``docs/naslag/bronnen.md``. What nobody tells is said to be unknown, never guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from connectors.language import later


@dataclass(frozen=True, slots=True)
class SourceWords:
    """``official``: whether this is where the papers are published; ``since``: from when it has papers."""

    official: str
    since: str


_COLLECTED: Final = later(
    "Dit is niet de officiële plek. De bron verzamelt wat organisaties zelf publiceren. Wat in het systeem van de "
    "organisatie staat, gaat voor."
)
_PER_BODY: Final = later(
    "Dat verschilt per organisatie. Zoekt u bij een organisatie, dan staan de jaren die bekend zijn boven de antwoorden."
)
_UNKNOWN: Final = later("De bron zegt niet vanaf wanneer zij stukken heeft.")

SOURCE_WORDS: Final[Mapping[str, SourceWords]] = MappingProxyType(
    {
        "open-raadsinformatie": SourceWords(_COLLECTED, _PER_BODY),
        "openbesluitvorming": SourceWords(_COLLECTED, _PER_BODY),
        "tweede-kamer": SourceWords(
            later(
                "Dit zijn gegevens van de Tweede Kamer zelf. De officiële uitgave van een Kamerstuk staat bij Officiële "
                "Bekendmakingen."
            ),
            _UNKNOWN,
        ),
        "opentk": SourceWords(
            later(
                "Dit is niet de officiële plek. Eén persoon maakt deze website met de gegevens van de Tweede Kamer. Zij kan "
                "achterlopen of stoppen."
            ),
            _UNKNOWN,
        ),
        "officiele-bekendmakingen": SourceWords(
            later("Dit is de officiële plek. Bij een verschil tussen bestanden telt de PDF van de bron."),
            later("Het Staatsblad gaat terug tot 1951. Van de andere bladen zegt de bron het niet."),
        ),
        "rechtspraak": SourceWords(
            later(
                "Dit is de officiële plek waar rechters uitspraken publiceren. Zij publiceren een deel van de uitspraken, en "
                "halen namen van mensen weg."
            ),
            _UNKNOWN,
        ),
        "open-archivaris": SourceWords(
            later("Dit is niet de officiële plek maar een archief: het bewaart kopieën, ook van wat elders verdween."),
            _PER_BODY,
        ),
    }
)
