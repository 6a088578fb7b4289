"""Reading what may be missing or odd in an answer: never a failure, at worst nothing."""

from __future__ import annotations

from typing import Any

from connectors.openbesluitvorming.text import line

_LARGEST_COUNT = 10**12


def objects(value: object) -> list[dict[str, Any]]:
    """The objects in a list; nothing when ``value`` is no list."""
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def names(value: object) -> list[str]:
    """The names in a list of texts, each on one line and none of them empty."""
    return [name for entry in value if (name := line(entry))] if isinstance(value, list) else []


def mapping(value: object) -> dict[str, Any]:
    """An object; an empty one when ``value`` is none."""
    return value if isinstance(value, dict) else {}


def count(value: object) -> int | None:
    """A number of things, or None when ``value`` is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= _LARGEST_COUNT:
        return None
    return int(value) if value == int(value) else None
