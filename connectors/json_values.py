"""Reading what may be missing or odd in a JSON answer: never a failure, at worst nothing."""

from __future__ import annotations

from typing import Any, Final

_LARGEST_COUNT: Final = 10**12


def objects(value: object) -> list[dict[str, Any]]:
    """The objects in a list; nothing when ``value`` is no list."""
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def mapping(value: object) -> dict[str, Any]:
    """An object; an empty one when ``value`` is none."""
    return value if isinstance(value, dict) else {}


def count(value: object) -> int | None:
    """A number of things, or None when ``value`` is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= _LARGEST_COUNT:
        return None
    return int(value) if value == int(value) else None
