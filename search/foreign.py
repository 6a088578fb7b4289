"""In which language a title is, where that is plain: so that a screen reader reads it in a voice of that language.

Most titles are Dutch. A title is foreign when it has at least two of the small words of another language and none of those that
only Dutch has. Where that is not so, nothing is said: a wrong language is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_WORD: Final = re.compile(r"[^\W\d_]+")
_DUTCH: Final = frozenset(
    {
        *("de", "het", "een", "van", "voor", "en", "met", "over", "naar", "tot", "bij", "aan", "door", "uit"),
        *("inzake", "betreffende", "gemeente", "motie", "brief", "besluit", "wet"),
    }
)
_OTHERS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "en": frozenset(["the", "and", "of", "for", "from", "between", "on", "to", "with", "by", "in"]),
        "fr": frozenset(["la", "les", "du", "des", "et", "pour", "sur", "entre", "le", "au", "aux", "relatif"]),
        "de": frozenset(["und", "für", "der", "die", "das", "zur", "zum", "zwischen", "über", "des", "mit"]),
        "fy": frozenset(["de", "fan", "foar", "oer", "yn", "mei", "it", "nei", "gemeente", "provinsje"]),
    }
)
_SURE: Final = MappingProxyType(
    {
        "en": frozenset({"the", "and"}),
        "fr": frozenset({"et", "du", "les", "pour"}),
        "de": frozenset({"und", "für", "zur", "zum", "zwischen", "über"}),
        "fy": frozenset({"fan", "foar", "oer", "nei"}),
    }
)
"""Of these at least one must be there: the others are words of Dutch as well, or of several."""


def language_of(title: str) -> str:
    """The language of a title as BCP 47 writes it; empty for Dutch and where it is not plain."""
    words = {word.casefold() for word in _WORD.findall(title)}
    for language, small in _OTHERS.items():
        if len(words & small) > 1 and words & _SURE[language] and not words & (_DUTCH - small):
            return language
    return ""
