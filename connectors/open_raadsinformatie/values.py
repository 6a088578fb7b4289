"""Reading what may be missing or odd in an answer: never a failure, at worst nothing (platform page, section 3).

The platform leaves empty fields out, writes one value as a text and several as an array, and an order as ``{"@list": […]}``.
"""

from __future__ import annotations

from typing import Any

from connectors.open_raadsinformatie.text import line

_LARGEST_COUNT = 10**12


def objects(value: object) -> list[dict[str, Any]]:
    """The objects in a list; nothing when ``value`` is no list."""
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def mapping(value: object) -> dict[str, Any]:
    """An object; an empty one when ``value`` is none."""
    return value if isinstance(value, dict) else {}


def several(value: object) -> list[Any]:
    """The values of a field: one alone, those of an array, or those of an ordered list."""
    if isinstance(value, dict):
        value = value.get("@list")
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def lines(value: object) -> list[str]:
    """The texts of a field, each on one line and none of them empty."""
    return [text for entry in several(value) if (text := line(entry))]


def first_line(value: object) -> str:
    """The first text of a field; empty when there is none."""
    return next(iter(lines(value)), "")


def count(value: object) -> int | None:
    """A number of things, or None when ``value`` is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= _LARGEST_COUNT:
        return None
    return int(value) if value == int(value) else None
