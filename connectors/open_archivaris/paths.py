"""Places in an answer: ``body.code`` is the field ``code`` of the field ``body``, ``*`` the first of several."""

from __future__ import annotations

from typing import Any, Final

Path = tuple[str, ...]
FIRST: Final = "*"
"""The step to the first entry of a list, or the first value of an object whose names say nothing."""
ABSENT: Final = object()
"""What stands where nothing does. A field that is there and empty is ``None``."""
_MOST_STEPS: Final = 12


def path(text: str) -> Path:
    """The steps of a place; none for the empty text, which is the answer itself. Raises ``ValueError``."""
    steps = tuple(text.split(".")) if text else ()
    if len(steps) > _MOST_STEPS or not all(step.strip() for step in steps):
        raise ValueError(text)
    return steps


def written(place: Path) -> str:
    """A place as the map writes it."""
    return ".".join(place)


def at(value: Any, place: Path) -> Any:
    """What stands at a place in ``value``; ``ABSENT`` when there is no such place."""
    for step in place:
        if step == FIRST:
            inside = list(value.values()) if isinstance(value, dict) else value
            value = inside[0] if isinstance(inside, list) and inside else ABSENT
        else:
            value = value.get(step, ABSENT) if isinstance(value, dict) else ABSENT
        if value is ABSENT:
            return ABSENT
    return value


def found(value: Any, place: Path | None) -> Any:
    """What stands at a place; None when the map names none, when there is none, and when it is empty."""
    there = ABSENT if place is None else at(value, place)
    return None if there is ABSENT else there
