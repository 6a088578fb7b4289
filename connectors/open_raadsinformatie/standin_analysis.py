"""How the stand-in cuts text into tokens, as the platform's two analyzers do (platform page, section 4).

``dutch`` for names: stemmed, stop words left out. ``full_text`` for everything else: accents folded, words cut where letters
and digits meet, not stemmed. So "motie" finds "moties" in a name and not in a text. The stemmer is a plain one: it takes off
what makes a plural.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable

from connectors.open_raadsinformatie.words import STOP_WORDS

_WORD = re.compile(r"[^\W_]+")
_PIECE = re.compile(r"[^\W\d_]+|\d+")
_VOWELS = frozenset("aeiouy")
_SHORTEST = 4

Analyzer = Callable[[str], list[str]]


def full_text(text: str) -> list[str]:
    """The tokens of a text field."""
    return _PIECE.findall(_folded(text.lower()))


def dutch(text: str) -> list[str]:
    """The tokens of a name."""
    return [_stem(word) for word in _WORD.findall(text.lower()) if word not in STOP_WORDS]


def keyword(text: str) -> list[str]:
    """A value as it is."""
    return [text]


def words(text: str) -> Iterable[re.Match[str]]:
    """The words of a text with their places, for highlighting."""
    return _WORD.finditer(text)


class Tokens:
    """The tokens of a field, in which tokens and phrases are looked for."""

    __slots__ = ("_joined", "_set", "all", "length")

    def __init__(self, tokens: list[str]) -> None:
        self.all = tokens
        self._joined = f" {' '.join(tokens)} "
        self._set = frozenset(tokens)
        self.length = len(tokens)

    def __contains__(self, token: str) -> bool:
        return token in self._set

    def phrase(self, tokens: list[str]) -> int:
        """How often the tokens stand there in this order."""
        return self._joined.count(f" {' '.join(tokens)} ")


def _folded(text: str) -> str:
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def _stem(word: str) -> str:
    for ending in ("en", "s", "e"):
        if len(word) > _SHORTEST and word.endswith(ending):
            word = word.removesuffix(ending)
            if word[-1] == word[-2] and word[-1] not in _VOWELS:
                word = word[:-1]
    return word
