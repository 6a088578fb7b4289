"""Deep links to the platforms' own search pages with the same words: only where such an address is known.

Source of each form: the platform pages. The search of OpenTK takes a form that no link can fill in; of Tweede Kamer and Open
Archivaris no address with words is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final
from urllib.parse import urlencode

from connectors.platforms import Platform
from connectors.records import SearchText


def _councils(words: str) -> str:
    return "https://zoek.openraadsinformatie.nl/?" + urlencode({"zoekterm": words})


def _decisions(words: str) -> str:
    return "https://openbesluitvorming.nl/?" + urlencode({"query": words})


def _journals(words: str) -> str:
    quoted = words.replace('"', " ")
    asked = f'cql.textAndIndexes="{" ".join(quoted.split())}"'
    return "https://zoek.officielebekendmakingen.nl/resultaten?" + urlencode(
        {"q": asked, "zv": words, "col": "AlleBekendmakingen"}
    )


def _courts(words: str) -> str:
    return "https://uitspraken.rechtspraak.nl/resultaat?" + urlencode(
        {"zoekterm": words, "inhoudsindicatie": "zt0", "publicatiestatus": "ps1"}
    )


_SEARCHES: Final[Mapping[str, Callable[[str], str]]] = MappingProxyType(
    {
        "open-raadsinformatie": _councils,
        "openbesluitvorming": _decisions,
        "officiele-bekendmakingen": _journals,
        "rechtspraak": _courts,
    }
)


def own_search(platform: Platform, text: SearchText) -> str:
    """The address of a platform's own search for these words; empty where none is known, or there are no words."""
    search = _SEARCHES.get(platform.key)
    if search is None or not text:
        return ""
    return search(" ".join(_written(term.words, phrase=term.phrase) for term in text.terms))


def _written(words: tuple[str, ...], *, phrase: bool) -> str:
    joined = " ".join(words)
    return f'"{joined}"' if phrase else joined
