"""Which version of each service we speak, and when its holder said that it ends (field report 35): the platform pages tell.

A service without a version is one that may change without a word. That is said, and no date is made up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from types import MappingProxyType
from typing import Final

from connectors.language import later
from connectors.platforms import (
    OFFICIELE_BEKENDMAKINGEN,
    OPEN_ARCHIVARIS,
    OPEN_RAADSINFORMATIE,
    OPENBESLUITVORMING,
    OPENTK,
    RECHTSPRAAK,
    TWEEDE_KAMER,
)
from connectors.tweede_kamer.versions import V5, Version

WARN_BEFORE: Final = timedelta(days=90)
"""So long before an announced end it asks for attention: somebody has to have the time to adapt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interface:
    """The version that we speak, in the words of its holder; empty where there is none. ``ends``: the day it was said to end.

    ``remark``: what else was announced, in Dutch.
    """

    version: str = ""
    ends: date | None = None
    remark: str = ""

    def days_left(self, today: date) -> int | None:
        """Days until the announced end (negative after it), from ``WARN_BEFORE`` on; None before that or without a date."""
        if self.ends is None or self.ends - today > WARN_BEFORE:
            return None
        return (self.ends - today).days


NO_VERSION: Final = Interface()
_KNOWN: Final[Mapping[tuple[str, str], Interface]] = MappingProxyType(
    {
        (OPEN_RAADSINFORMATIE.key, "zoeken"): Interface(
            version="v1, Elasticsearch 7.9",
            remark=later(
                "De code zou vanaf 1 november 2026 niet meer worden bijgehouden. Of de dienst dan stopt, is niet gezegd."
            ),
        ),
        (OPENBESLUITVORMING.key, "api"): NO_VERSION,
        (OPENTK.key, "zoeken"): NO_VERSION,
        (OPENTK.key, "zwaar"): NO_VERSION,
        (OFFICIELE_BEKENDMAKINGEN.key, "zoeken"): Interface(version="SRU 2.0"),
        (OFFICIELE_BEKENDMAKINGEN.key, "bestanden"): NO_VERSION,
        (RECHTSPRAAK.key, "zoeken"): NO_VERSION,
        (RECHTSPRAAK.key, "open-data"): NO_VERSION,
        (OPEN_ARCHIVARIS.key, "api"): NO_VERSION,
    }
)


def interface_of(platform: str, service: str, kamer: Version = V5) -> Interface:
    """What we speak at a service. ``kamer``: the version that the operator chose of the Tweede Kamer.

    Raises ``KeyError`` for a service of which nobody wrote down what is known.
    """
    if platform == TWEEDE_KAMER.key:
        remark = "" if kamer.is_old else later("De vorige versie, v4/2.0, zou op 1 oktober 2026 stoppen.")
        return Interface(version=f"OData {kamer.name}", ends=kamer.ends, remark=remark)
    return _KNOWN[platform, service]
