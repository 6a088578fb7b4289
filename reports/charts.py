"""How many documents there are by body and by year, as bars with their numbers beside them. Pure.

One row of bars of one kind: no colour has to be told from another. The same numbers stand in a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from connectors.language import say, say_number
from reports.records import Overview
from reports.words import short, things
from search import texts
from search.load_picture import Bar, Picture

MOST_BARS: Final = 15
"""So many bodies fit in a picture; all of them stand in the table."""
_LENGTH: Final = 160
_FITS: Final = 34


@dataclass(frozen=True, slots=True)
class Chart:
    """Numbers with a name: ``rows`` is all of them, ``picture`` as many as fit; ``left_out`` says what is not in it."""

    rows: tuple[tuple[str, int], ...]
    picture: Picture
    left_out: str


def by_body(overview: Overview) -> Chart:
    """How many documents each body has, most first."""
    rows = sorted(((short(body.name), body.number) for body in overview.bodies), key=lambda row: -row[1])
    shown = rows[:MOST_BARS]
    words = say("Aantal stukken per organisatie. De tabel heeft dezelfde getallen.")
    more = len(rows) - len(shown)
    left_out = say_number(
        "Nog 1 organisatie staat alleen in de tabel.",
        "Nog {count} organisaties staan alleen in de tabel.",
        more,
        count=texts.number(more),
    )
    return Chart(tuple(rows), Picture(_bars(shown), words), left_out if more else "")


def by_year(overview: Overview) -> Chart:
    """How many documents each year has, oldest first; what has no date stands last."""
    rows = [(str(year), count) for year, count in overview.years]
    if overview.undated:
        rows.append((say("datum onbekend"), overview.undated))
    words = say("Aantal stukken per jaar. De tabel heeft dezelfde getallen.")
    return Chart(tuple(rows), Picture(_bars(rows), words), "")


def _bars(rows: Sequence[tuple[str, int]]) -> tuple[Bar, ...]:
    most = max((count for _, count in rows), default=0) or 1
    return tuple(
        Bar(
            name=name if len(name) <= _FITS else f"{name[: _FITS - 1]}…",
            words=things(count),
            place=place,
            start=0,
            length=max(round(count / most * _LENGTH), 2) if count else 0,
        )
        for place, (name, count) in enumerate(rows)
    )
