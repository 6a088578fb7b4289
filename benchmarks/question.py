"""What the benchmarks of the answers page ask."""

from __future__ import annotations

from typing import Final

QUESTION: Final = "subsidie"
"""A word that every stand-in has results for."""
TARGET: Final = f"/zoeken?vraag={QUESTION}"
