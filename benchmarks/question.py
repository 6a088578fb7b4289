"""What the benchmarks of the answers page ask."""

from __future__ import annotations

from typing import Final

QUESTION: Final = "subsidie"
"""A word that every stand-in has results for."""
TARGET: Final = f"/zoeken?vraag={QUESTION}"
FRESH: Final = (
    *("gemeente", "raad", "begroting", "besluit", "woningbouw", "college", "beleid", "vergunning", "natuur", "water"),
    *("onderzoek", "overeenkomst", "verordening", "wet", "commissie", "voorzitter", "rapport", "jaar", "brief"),
    *("regeling", "kosten", "burgemeester", "onderwijs", "zorg"),
)
"""More such words, each asked once: nobody has asked them before, and no answer to the same came a moment ago."""
