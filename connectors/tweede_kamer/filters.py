"""OData filters as values that know how many nodes they count for: the service refuses more than 100 (sections 4 and 10).

The numbers of nodes were measured by others (platform page, section 4); ``startswith`` and ``not`` are taken to cost as much as
``contains`` and ``and``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Final

MOST_NODES: Final = 95
"""Kept a little under the limit of 100: the costs are measured, not published."""
_CALL: Final = 4
_COMPARISON: Final = 5


@dataclass(frozen=True, slots=True)
class Condition:
    """A part of a filter: its text, and the nodes that it counts for. The text holds words of a question: no log shows it."""

    text: str = field(repr=False)
    nodes: int
    is_compound: bool = False


def literal(text: str) -> str:
    """A string literal: a quote inside is doubled."""
    return "'" + text.replace("'", "''") + "'"


def contains(field: str, text: str) -> Condition:
    """Whether a field holds ``text``; the service ignores case, and does not ignore accents."""
    return Condition(f"contains({field},{literal(text)})", _CALL)


def starts_with(field: str, text: str) -> Condition:
    """Whether a field begins with ``text``."""
    return Condition(f"startswith({field},{literal(text)})", _CALL)


def equals(field: str, text: str) -> Condition:
    """Whether a field is ``text``."""
    return Condition(f"{field} eq {literal(text)}", _CALL)


def some(navigation: str, variable: str, inner: Condition) -> Condition:
    """Whether ``inner`` holds for one of the rows to which a navigation leads; its fields begin with ``variable`` and a slash.

    Counts five for ``any()`` and one for the step that ``inner`` begins with.
    """
    return Condition(f"{navigation}/any({variable}:{inner.text})", inner.nodes + _COMPARISON + 1)


def on_or_after(field: str, day: date) -> Condition:
    """A literal without a time means midnight in the Netherlands (section 3)."""
    return Condition(f"{field} ge {day.isoformat()}", _COMPARISON)


def before(field: str, day: date) -> Condition:
    """Before midnight in the Netherlands at the start of ``day``."""
    return Condition(f"{field} lt {day.isoformat()}", _COMPARISON)


NOT_DELETED: Final = Condition("Verwijderd eq false", _COMPARISON)
"""Deleted rows are given unless this is asked (section 11)."""


def all_of(*parts: Condition) -> Condition:
    """``and`` between parts."""
    return _joined(" and ", parts)


def any_of(*parts: Condition) -> Condition:
    """``or`` between parts."""
    return _joined(" or ", parts)


def none_of(*parts: Condition) -> Condition:
    """``not`` before an ``or`` of parts."""
    inner = any_of(*parts)
    return Condition(f"not ({inner.text})", inner.nodes + 1)


def _joined(word: str, parts: tuple[Condition, ...]) -> Condition:
    if len(parts) == 1:
        return parts[0]
    texts = (f"({part.text})" if part.is_compound else part.text for part in parts)
    return Condition(word.join(texts), sum(part.nodes for part in parts) + len(parts) - 1, is_compound=True)
