"""Whether enough happened for figures to say anything of it."""

from __future__ import annotations

from typing import Final

LEAST_MADE: Final = 0.5
"""The share of the reports asked for that is made at least: beside fewer, searches and writes say nothing of reports."""


class NothingMeasuredError(Exception):
    """``what`` was to happen ``least`` times at least, and happened ``times``: the figures would say nothing."""

    def __init__(self, what: str, times: float, least: float) -> None:
        super().__init__(f"{what}: {times}, at least {least}")
        self.what = what
        self.times = times
        self.least = least


def enough(what: str, times: float, least: float) -> None:
    """Raises ``NothingMeasuredError`` where ``what`` happened less often than its figures need."""
    if times < least:
        raise NothingMeasuredError(what, times, least)
