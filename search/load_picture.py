"""How up to date a platform holds bodies, and of which years: as pictures and tables with the same numbers.

Up to date says nothing of completeness (field report 16): the page says so, and shows which years are there (field report 18).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from connectors.coverage import Coverage
from connectors.language import later, say, say_number
from connectors.load_status import LoadState
from connectors.moments import AMSTERDAM

SILENT: Final = timedelta(hours=36)
"""After so long without a load that went well a supplier is silent (field report 17: one was for ten days)."""
_WEEK: Final = timedelta(days=7)
_CLASSES: Final = ((later("laatste 36 uur"), SILENT), (later("laatste 7 dagen"), _WEEK))
_LONGER, _NEVER = later("langer dan 7 dagen geleden"), later("nooit of onbekend")
WIDTH: Final = 280
"""About what a narrow screen of 320 pixels has, so that words there are as big as the style says."""
_LENGTH, _ROW, _FITS = 184, 38, 34
_COVERED, _MOST_COVERED = 190, 12


@dataclass(frozen=True, slots=True)
class Bar:
    """A row of a picture: its name above, below it a bar from ``start`` as long as ``length``, and its words behind that."""

    name: str
    words: str
    place: int
    start: int
    length: int

    @property
    def name_base(self) -> int:
        """Where the line of its name stands."""
        return self.place * _ROW + 13

    @property
    def top(self) -> int:
        """Where its bar begins from above."""
        return self.place * _ROW + 18

    @property
    def words_base(self) -> int:
        """Where the line of its words stands."""
        return self.place * _ROW + 29

    @property
    def words_at(self) -> int:
        """Where the words behind the bar stand."""
        return self.start + self.length + 4


@dataclass(frozen=True, slots=True)
class Picture:
    """Rows of bars, and the whole of it in a sentence."""

    bars: tuple[Bar, ...]
    words: str

    @property
    def height(self) -> int:
        """How high it is."""
        return len(self.bars) * _ROW

    @property
    def width(self) -> int:
        """How wide it is."""
        return WIDTH


def freshness(rows: Sequence[LoadState], made: datetime, at: datetime, who: str) -> Picture:
    """How many of ``who`` were last loaded how long before ``at``, by a list that was made at ``made``.

    A list says nothing of what came after it: what is shorter ago than the list is old, has no bar. A list that tells of no
    loading at all is counted by the newest papers (``tells_of_papers``).
    """
    by_papers = tells_of_papers(rows)
    told_of = tuple((name, most) for name, most in _CLASSES if at - made <= most)
    counted = Counter(_class(row.last_content if by_papers else row.last_success, at, told_of) for row in rows)
    numbers = [(name, counted[name]) for name in (*(name for name, _ in told_of), _LONGER, _NEVER)]
    most = max((count for _, count in numbers), default=0) or 1
    bars = tuple(
        _bar(place, say(name), str(count), 0, round(count / most * _LENGTH))
        for place, (name, count) in enumerate(numbers)
    )
    told = ", ".join(f"{say(name)} {count}" for name, count in numbers)
    words = (
        later("Nieuwste stuk, aantal {who}: {told}.")
        if by_papers
        else later("Laatst bijgewerkt, aantal {who}: {told}.")
    )
    return Picture(bars, say(words, who=say(who), told=told))


def tells_of_papers(rows: Sequence[LoadState]) -> bool:
    """Whether these rows say nothing of when anything was loaded, but do say how new the newest paper is."""
    return not any(row.last_success for row in rows) and any(row.last_content for row in rows)


def coverage(rows: Sequence[LoadState]) -> Picture | None:
    """How much of what suppliers had is there, for the bodies that lack most; None where the platform counts nothing.

    As many as fit on a page: all of them stand in the table.
    """
    found = sorted(
        ((row.coverage.ratio, row.label, row.coverage) for row in rows if row.coverage), key=lambda one: one[:2]
    )
    if not found:
        return None
    bars = tuple(
        _bar(place, label.removeprefix("Gemeente "), covered(one), 0, round(ratio * _COVERED))
        for place, (ratio, label, one) in enumerate(found[:_MOST_COVERED])
    )
    return Picture(
        bars,
        say_number(
            "Hoeveel er is van wat de leverancier had, voor 1 organisatie. De tabel heeft hetzelfde getal.",
            "Hoeveel er is van wat de leveranciers hadden, voor {count} organisaties. De tabel heeft dezelfde getallen.",
            len(bars),
            count=len(bars),
        ),
    )


def covered(one: Coverage) -> str:
    """How much is there, as a part of a hundred that is never rounded up to all."""
    part = min(round(one.ratio * 100), 99) if one.held < one.supplied else 100
    return say("hooguit {part}%", part=part) if one.is_at_most else f"{part}%"


@dataclass(frozen=True, slots=True)
class Span:
    """From when to when a platform has papers of a body; ``last`` is None when that is not known."""

    name: str
    first: date
    last: date | None


def years(spans: Sequence[Span], today: date) -> Picture | None:
    """From which year to which year there are papers of each body, to today when the last is not known; None without one."""
    found = sorted(spans, key=lambda span: span.name)
    if not found:
        return None
    begin = min(span.first.year for span in found)
    scale = _LENGTH / max(today.year - begin + 1, 1)
    bars = tuple(
        _bar(
            place,
            span.name.removeprefix("Gemeente "),
            _from_to(span),
            round((span.first.year - begin) * scale),
            max(round(((span.last or today).year - span.first.year + 1) * scale), 3),
        )
        for place, span in enumerate(found)
    )
    return Picture(
        bars,
        say(
            "Van welke jaren er stukken zijn, voor {count} organisaties. De tabel heeft dezelfde jaren.",
            count=len(found),
        ),
    )


def silent_since(row: LoadState, at: datetime) -> timedelta | None:
    """How long a supplier was silent at ``at``; None when it is not too long. One that never loaded is silent for ever."""
    if row.last_success is None:
        return timedelta.max
    ago = at - row.last_success
    return ago if ago > SILENT else None


def day_of(moment: datetime | None) -> date | None:
    """The day of a moment in the Netherlands."""
    return moment.astimezone(AMSTERDAM).date() if moment else None


def _class(last: datetime | None, at: datetime, told_of: Sequence[tuple[str, timedelta]]) -> str:
    if last is None:
        return _NEVER
    ago = at - last
    return next((name for name, most in told_of if ago <= most), _LONGER)


def _from_to(span: Span) -> str:
    if span.last is None:
        return f"{span.first.year}–?"
    return str(span.first.year) if span.first.year == span.last.year else f"{span.first.year}–{span.last.year}"


def _bar(place: int, name: str, words: str, start: int, length: int) -> Bar:
    return Bar(name if len(name) <= _FITS else f"{name[: _FITS - 1]}…", words, place, start, length)
