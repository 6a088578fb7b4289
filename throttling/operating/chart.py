"""The last hour of a queue: bars to draw, and the same as rows of a table. Pure; a page prints the numbers as they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from throttling.operating import words
from throttling.operating.queues import Queue

MINUTES: Final = 60
WIDTH: Final = 600
HEIGHT: Final = 100
_ROW_MINUTES: Final = 5
GAP: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Minute:
    """What happened in one minute. ``granted`` in units.

    ``foretold`` calls had been told when they would start, ``near`` of them well; ``predicted`` and ``real`` are the seconds of
    all of them, summed up.
    """

    at: datetime
    granted: float = 0.0
    waiting: int = 0
    refused: int = 0
    foretold: int = 0
    near: int = 0
    predicted: float = 0.0
    real: float = 0.0


@dataclass(frozen=True, slots=True)
class Bar:
    """A rectangle in a drawing of ``WIDTH`` by ``HEIGHT``, whole numbers."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """One drawing. ``line`` is the height of the limit, None without one; ``note`` says what is to be seen."""

    title: str
    bars: tuple[Bar, ...]
    top: str
    note: str
    line: int | None = None

    @property
    def words(self) -> str:
        """What it shows, for who does not see it."""
        return f"{self.title}. {self.note}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Some minutes together, as a table says them."""

    since: datetime
    granted: str
    waiting: int
    refused: int
    foretold: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hour:
    """The last hour of a queue. ``near`` and ``foretold`` say how good the estimates were; ``quiet``: nothing happened."""

    charts: tuple[Chart, ...]
    rows: tuple[Row, ...]
    near: str
    foretold: str
    quiet: bool
    begins: datetime
    ends: datetime
    width: int = WIDTH
    height: int = HEIGHT


def hour(minutes: Iterable[Minute], at: datetime, queue: Queue) -> Hour:
    """The hour of ``queue`` that ends with the minute of ``at``."""
    last = at - timedelta(seconds=at.second, microseconds=at.microsecond)
    known = {minute.at: minute for minute in minutes}
    moments = [last - timedelta(minutes=MINUTES - 1 - place) for place in range(MINUTES)]
    all_minutes = [known.get(moment) or Minute(at=moment) for moment in moments]
    return Hour(
        charts=_charts(all_minutes, queue),
        rows=tuple(_row(all_minutes[start : start + _ROW_MINUTES]) for start in range(0, MINUTES, _ROW_MINUTES)),
        near=_near(all_minutes),
        foretold=_foretold(all_minutes),
        quiet=not any(minute.granted or minute.waiting or minute.refused for minute in all_minutes),
        begins=moments[0],
        ends=last,
    )


def _charts(minutes: Sequence[Minute], queue: Queue) -> tuple[Chart, ...]:
    limit = queue.units_a_minute
    granted = [minute.granted for minute in minutes]
    waiting = [float(minute.waiting) for minute in minutes]
    refused = [float(minute.refused) for minute in minutes]
    beside = "" if limit is None else f" De streep is de grens: {words.number(limit)} per minuut."
    if queue.rules.kind == "bucket":
        beside += " Een volle emmer mag daar één keer bovenop."
    charts = [
        _chart("Beurten per minuut, in eenheden", granted, f"Samen {words.number(sum(granted))}.{beside}", limit),
        _chart("Wachtende aanroepen, het meest in elke minuut", waiting, f"Hooguit {words.number(max(waiting))}."),
    ]
    if any(refused):
        charts.append(_chart("Weigeringen door de bron", refused, f"Samen {words.number(sum(refused))}."))
    return tuple(charts)


def _chart(title: str, values: Sequence[float], said: str, limit: float | None = None) -> Chart:
    top = max([*values, limit or 0.0, 1.0])
    step = WIDTH // len(values)
    heights = [max(round(value / top * HEIGHT), 1) if value else 0 for value in values]
    return Chart(
        title=title,
        bars=tuple(
            Bar(place * step, HEIGHT - height, step - GAP, height) for place, height in enumerate(heights) if height
        ),
        top=words.number(top),
        note=said,
        line=None if limit is None else HEIGHT - round(limit / top * HEIGHT),
    )


def _row(minutes: Sequence[Minute]) -> Row:
    return Row(
        since=minutes[0].at,
        granted=words.number(sum(minute.granted for minute in minutes)),
        waiting=max(minute.waiting for minute in minutes),
        refused=sum(minute.refused for minute in minutes),
        foretold=_near(minutes),
    )


def _near(minutes: Sequence[Minute]) -> str:
    """How many of the estimates were right; empty when nobody was told anything."""
    told = sum(minute.foretold for minute in minutes)
    return f"{sum(minute.near for minute in minutes)} van {told}" if told else ""


def _foretold(minutes: Sequence[Minute]) -> str:
    """The same with how far they were off on the whole."""
    told, near = sum(m.foretold for m in minutes), sum(m.near for m in minutes)
    if not told:
        return ""
    predicted, real = sum(m.predicted for m in minutes) / told, sum(m.real for m in minutes) / told
    return (
        f"{near} van {told} klopten ({words.percent(near / told)}: binnen 25 % of 2 s). "
        f"Gemiddeld {words.seconds(predicted)} geschat en {words.seconds(real)} gewacht."
    )
