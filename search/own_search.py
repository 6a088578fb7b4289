"""Deep links to the platforms' own search pages with the same words: only where such an address is known.

Source of each form: the platform pages; of OpenTK the code of its search page, which reads ``q`` from its address (tkconv,
``html/logic.js``); of the Tweede Kamer the addresses by which projects of others lead to its search (``/zoeken?qry=…``). Of
Open Archivaris nobody published one: a page says so, and leads to the front page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final
from urllib.parse import quote, urlencode

from connectors.platforms import Platform
from connectors.records import SearchText


def _councils(words: str) -> str:
    return "https://zoek.openraadsinformatie.nl/?" + urlencode({"zoekterm": words})


def _decisions(words: str) -> str:
    return "https://openbesluitvorming.nl/?" + urlencode({"query": words})


def _kamer(words: str) -> str:
    return "https://www.tweedekamer.nl/zoeken?" + urlencode({"qry": words})


def _opentk(words: str) -> str:
    return "https://berthub.eu/tkconv/search.html?" + urlencode({"q": words, "twomonths": "false", "soorten": "alles"})


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
        "tweede-kamer": _kamer,
        "opentk": _opentk,
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


_PAGES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "rechtspraak": "https://deeplink.rechtspraak.nl/uitspraak?id={}",
        "officiele-bekendmakingen": "https://zoek.officielebekendmakingen.nl/{}.html",
    }
)
"""Where a person reads a document at its platform, by its number alone: as citations have it."""


def own_page(platform: Platform, number: str) -> str:
    """The page of the document ``number`` at its platform; empty where its number alone does not give its address."""
    form = _PAGES.get(platform.key)
    return form.format(quote(number, safe=":")) if form else ""


def _written(words: tuple[str, ...], *, phrase: bool) -> str:
    joined = " ".join(words)
    return f'"{joined}"' if phrase else joined
