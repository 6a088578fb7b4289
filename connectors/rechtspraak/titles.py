"""The title under which the platform shows a decision: court, decision date and case number in one line.

Website: "Rechtbank Amsterdam, 29-06-2021, C/13/702999"; feed of Open Data: the same with the ECLI in front; content: "ECLI
Rechtbank Amsterdam , 29-06-2021 / C/13/702999". The website's form is ours; no other field of a search answer names the court.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

from connectors.rechtspraak.elements import dutch_day_of, one_line

_LONGEST: Final = 2000
_ECLI_IN_FRONT: Final = re.compile(r"ECLI:[^\s,]+[\s,]*")
_DAY: Final = re.compile(r", ?([0-9]{2}-[0-9]{2}-[0-9]{4})(?![0-9])")


@dataclass(frozen=True, slots=True)
class Title:
    """A title taken apart. ``text`` is its whole in the website's form; ``court`` is empty when it cannot be told."""

    text: str
    court: str
    day: date | None


def read_title(text: str) -> Title:
    """Take a title apart. The names of some courts hold commas: the first date ends the name."""
    line = one_line(text[:_LONGEST])
    line = _ECLI_IN_FRONT.sub("", line, count=1) if line.startswith("ECLI:") else line
    day = _DAY.search(line)
    if day is None:
        return Title(line, "", None)
    court = line[: day.start()].rstrip(" ,")
    cases = line[day.end() :].lstrip(" ,/")
    return Title(join_title(court, day[1], cases), court, dutch_day_of(day[1]))


def join_title(court: str, day: str, cases: str) -> str:
    """The title in the website's form, of the parts that are known."""
    return ", ".join(part for part in (court, day, cases) if part)
