"""Words: those of strangers, before they are kept or shown, and our own, before they are said in somebody's language.

Those of strangers decide nothing. They are bounded, on one line, without what moves the words around them, and still escaped
wherever they are shown.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

_LEFT_OUT: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Controls, signs that are not seen (of which some turn the order of reading), halves of signs, and what has no meaning."""


def plain(text: str, most: int) -> str | None:
    """``text`` on one line without what nobody sees; None when it is longer than ``most`` signs."""
    if len(text) > most:
        return None
    seen = "".join(" " if sign in "\n\r\t" else sign for sign in text)
    return " ".join("".join(sign for sign in seen if unicodedata.category(sign) not in _LEFT_OUT).split())


@dataclass(frozen=True, slots=True)
class Words:
    """A Dutch text of ours that is said later, with values at the names between braces: numbers, and names of machines."""

    text: str
    values: Mapping[str, object]

    def said(self, say: Callable[[str], str]) -> str:
        """The text as ``say`` has it, with its values."""
        return say(self.text).format_map(self.values)


def later(text: str, /, **values: object) -> Words:
    """Marks a Dutch text that is said later, in the language of whoever asked."""
    return Words(text, MappingProxyType(values))
