"""What the environment says of reports: how much one holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from besluitbron.running.faults import OptionsError

_HITS: Final = "BESLUITBRON_RAPPORT_TREFFERS"
_TEXTS: Final = "BESLUITBRON_RAPPORT_TEKSTEN"
_MOST_HITS: Final = 5000
_MOST_TEXTS: Final = 1000


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """How many hits a report holds at most, and of how many of them the text is read."""

    most_hits: int = 500
    most_texts: int = 200

    def environment(self) -> dict[str, str]:
        """The same, for every part of a run."""
        return {_HITS: str(self.most_hits), _TEXTS: str(self.most_texts)}


def read_report_options(environment: Mapping[str, str]) -> ReportOptions:
    """The options in ``environment``; unset or empty means the default. Raises ``OptionsError``."""
    usual = ReportOptions()
    return ReportOptions(
        most_hits=_number(environment, _HITS, usual.most_hits, 1, _MOST_HITS),
        most_texts=_number(environment, _TEXTS, usual.most_texts, 0, _MOST_TEXTS),
    )


def _number(environment: Mapping[str, str], name: str, usual: int, least: int, most: int) -> int:
    text = environment.get(name, "").strip()
    if not text:
        return usual
    if text.isascii() and text.isdigit() and least <= int(text[:9]) <= most:
        return int(text)
    message = f"{name} is {text!r}, maar moet een heel getal zijn van {least} tot en met {most}."
    raise OptionsError(message)
