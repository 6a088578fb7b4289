"""Values of a record: one or several, in the ways this platform writes them (platform page, section 3).

The platform leaves empty fields out, writes one value as a text and several as an array, and an order as ``{"@list": […]}``.
"""

from __future__ import annotations

from typing import Any

from connectors.plaintext import line


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
