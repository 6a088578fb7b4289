"""Our own words, before they are said in somebody's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType


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
