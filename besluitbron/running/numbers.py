"""Whole numbers from the environment, refused by name when they are none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from besluitbron.running.faults import OptionsError

MOST: Final = 1_000_000


def number(given: Mapping[str, str], name: str) -> int:
    """The number under ``name``, from 1 to ``MOST``. Raises ``OptionsError`` for anything else."""
    text = given[name]
    if text.isascii() and text.isdigit() and 0 < int(text[:9]) <= MOST:
        return int(text)
    message = f"{name} is {text!r}, maar moet een heel getal zijn van 1 tot en met {MOST}."
    raise OptionsError(message)
