"""What operators see of the load: each signal, who waits, what was refused, and whether the threshold is right. Pure.

Reports that wait and the time of a search stand on one axis of time: that comparison says whether the threshold is right.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from statistics import median
from typing import Final

from reports.connections import Held
from reports.minutes import Minute
from reports.signals import SEARCH_BOUNDS, Latest, quantile
from reports.under_way import MOST, UnderWay, alone, longest, under_way
from reports.watching import GROUPS, Alarm, alarms, duration, errors, near, oldest_wait, shares, waits_by_group
from throttling.load import LATE, AskState, Overview, Reason
from throttling.load_rules import LoadRules, Signal
from throttling.operating.chart import GAP, HEIGHT, MINUTES, WIDTH, Bar

_ROW: Final = 5
_HOUR: Final = timedelta(hours=1)
NAMES: Final[Mapping[Signal, str]] = {
    Signal.SLOTS: "Plaatsen voor rapporten",
    Signal.PROCESSOR: "Processoren",
    Signal.DATABASE: "Database",
    Signal.PAGE: "Eigen tijd voor een pagina",
}
REASONS: Final[Mapping[str, str]] = {
    "uur": "te veel van één vrager in een uur",
    "vol": "te druk zonder rapporten",
    "wacht": "te lang wachten",
    "rij": "te veel aanvragen tegelijk",
}
LATE_REASONS: Final[Mapping[Reason, str]] = {
    Reason.WAIT: "te druk",
    Reason.NO_WORKER: "geen werker",
    Reason.UNKNOWN: "waarom is niet bekend",
}


@dataclass(frozen=True, slots=True)
class SignalView:
    """One signal in whole percents. ``counts``: whether it holds reports back; ``shut``: whether it does now.

    ``shut_at`` and ``open_at`` are its thresholds; the slots have one, for they reopen at once.
    """

    name: str
    percent: int
    counts: bool
    shut: bool
    shut_at: int
    open_at: int | None

    @property
    def width(self) -> int:
        """Of its bar, at most the whole."""
        return min(self.percent, 100)


@dataclass(frozen=True, slots=True)
class Chart:
    """One drawing over the last hour. ``top``: what its full height is; ``line``: the height of the aim, where there is one."""

    title: str
    top: str
    bars: tuple[Bar, ...]
    words: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """Five minutes as a table says them. ``half`` and ``most`` are of searches, ``own`` is of pages."""

    since: datetime
    waited: str
    half: str
    most: str
    own: str
    running: int
    waiting: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadView:
    """All of it.

    ``repeats``: how often a requester asked for what he had already. ``late``: how many were refused after waiting, by why.
    ``held``: connections, where they can run out. ``longest``: for how long a worker has been at one. ``alone``: so many
    have a place and no worker. ``more``: so many reports are not in ``under_way``.
    """

    signals: tuple[SignalView, ...]
    running: int
    most: int
    waiting: int
    oldest: str
    refused: tuple[tuple[str, int], ...]
    late: tuple[tuple[str, int], ...]
    repeats: int
    asked: int
    groups: tuple[tuple[str, int, str], ...]
    foretold: str
    charts: tuple[Chart, ...]
    rows: tuple[Row, ...]
    alarms: tuple[Alarm, ...]
    held: Held | None
    longest: str
    alone: int
    under_way: tuple[UnderWay, ...]
    more: int
    begins: datetime
    ends: datetime


def view(latest: Latest, minutes: Sequence[Minute], now: datetime) -> LoadView:
    """Everything on the page, of the hour before ``now``."""
    seen, rules = latest.overview, latest.rules
    ends = now.replace(second=0, microsecond=0) + timedelta(minutes=1)
    begins = ends - _HOUR
    past = [minute for minute in minutes if begins <= minute.at < ends]
    counts: Counter[str] = Counter()
    for minute in past:
        counts.update(minute.counts)
    waiting = [ask for ask in seen.asks if ask.state is AskState.WAITS]
    waits = _waits(seen, begins, ends)
    own = under_way(seen, rules)
    refusals = ((words, counts[f"refused:{reason}"]) for reason, words in REASONS.items())
    return LoadView(
        signals=_signals(seen, rules),
        running=seen.running,
        most=seen.most,
        waiting=len(waiting),
        oldest=duration(oldest_wait(seen)) if waiting else "",
        refused=tuple(refusals),
        late=_late(seen),
        repeats=counts["asked:same"],
        asked=sum(number for name, number in counts.items() if name.startswith("asked:")),
        groups=_groups(seen),
        foretold=_foretold(seen),
        charts=_charts(past, waits, begins, rules.page_target),
        rows=_rows(past, waits, begins),
        alarms=alarms(seen, rules, past, latest.silent),
        held=latest.held,
        longest=duration(made) if (made := longest(seen)) else "",
        alone=alone(seen, rules),
        under_way=own[:MOST],
        more=len(own[MOST:]),
        begins=begins,
        ends=ends,
    )


def _signals(seen: Overview, rules: LoadRules) -> tuple[SignalView, ...]:
    found = []
    for signal, (share, shut) in shares(seen, rules).items():
        shut_at, open_at = (round(edge * 100) for edge in rules.threshold(signal))
        found.append(
            SignalView(
                name=_name(signal, rules),
                percent=round(share * 100),
                counts=signal in rules.counts,
                shut=shut,
                shut_at=shut_at,
                open_at=None if signal is Signal.SLOTS else open_at,
            )
        )
    return tuple(found)


def _late(seen: Overview) -> tuple[tuple[str, int], ...]:
    """Of the last hour: each reason that we give, and what another version counted where it did."""
    return tuple((words, seen.late.get(why, 0)) for why, words in LATE_REASONS.items() if why in {*LATE, *seen.late})


def _name(signal: Signal, rules: LoadRules) -> str:
    """What a signal is called, with what its whole is."""
    if signal is Signal.PAGE:
        return f"{NAMES[signal]} (doel: {_seconds(rules.page_target)})"
    return NAMES[signal]


def _waits(seen: Overview, begins: datetime, ends: datetime) -> dict[datetime, list[float]]:
    """How long those waited that began in each minute."""
    found: defaultdict[datetime, list[float]] = defaultdict(list)
    for asked, _, real in seen.told:
        if real is None:
            continue
        at = datetime.fromtimestamp(real, UTC).replace(second=0, microsecond=0)
        if begins <= at < ends:
            found[at].append(real - asked)
    return found


def _groups(seen: Overview) -> tuple[tuple[str, int, str], ...]:
    """For each group of requesters how many asks, and how long the middle one of those that began or still wait did so."""
    return tuple((GROUPS[group], len(own), duration(median(own))) for group, own in waits_by_group(seen).items())


def _foretold(seen: Overview) -> str:
    """How well starts were foretold, in a sentence."""
    if not seen.told:
        return "Nog niets voorspeld."
    off = errors(seen)
    said = f"{near(seen)} van {len(seen.told)} binnen een kwart of een minuut"
    vain = len(seen.told) - len(off)
    rows = [
        said,
        f"de middelste {duration(median(off))} ernaast" if off else "",
        f"niet aan de beurt gekomen: {vain}" if vain else "",
    ]
    return "; ".join(row for row in rows if row) + "."


def _charts(
    past: Sequence[Minute], waits: Mapping[datetime, Sequence[float]], begins: datetime, target: float
) -> tuple[Chart, ...]:
    waited = {at: median(own) for at, own in waits.items()}
    half = {minute.at: quantile(minute.searches, 0.5, SEARCH_BOUNDS) or 0.0 for minute in past}
    most = {minute.at: quantile(minute.searches, 0.95, SEARCH_BOUNDS) or 0.0 for minute in past}
    own = {minute.at: quantile(minute.pages, 0.95) or 0.0 for minute in past}
    return (
        _chart("Wachttijd van rapporten die begonnen", waited, begins),
        _chart("Zoekvraag, tot alles er is: de middelste", half, begins),
        _chart("Zoekvraag, tot alles er is: 95 van de 100 sneller dan", most, begins),
        _chart("Eigen tijd voor een pagina: 95 van de 100 sneller dan", own, begins, aim=target),
        _chart("Rapporten die wachten", {one.at: float(one.waiting) for one in past}, begins, unit=""),
    )


def _chart(
    title: str, values: Mapping[datetime, float], begins: datetime, *, aim: float | None = None, unit: str = "s"
) -> Chart:
    top = max([*values.values(), aim or 0.0, 1.0 if not unit else 0.1])
    each = WIDTH // MINUTES
    bars = []
    for at, value in sorted(values.items()):
        place = round((at - begins).total_seconds() / 60)
        height = round(HEIGHT * value / top)
        if height and 0 <= place < MINUTES:
            bars.append(Bar(place * each, HEIGHT - height, each - GAP, height))
    said = f"{top:.0f}" if not unit else duration(top) if top >= 10 else f"{top:.2g} s".replace(".", ",")  # noqa: PLR2004 - below it decimals count
    words = f"{title}, per minuut van het laatste uur; het hoogste is {said}." if values else f"{title}: niets te zien."
    return Chart(title, said, tuple(bars), words, None if aim is None else HEIGHT - round(HEIGHT * aim / top))


def _rows(past: Sequence[Minute], waits: Mapping[datetime, Sequence[float]], begins: datetime) -> tuple[Row, ...]:
    rows = []
    for place in range(0, MINUTES, _ROW):
        since = begins + timedelta(minutes=place)
        until = since + timedelta(minutes=_ROW)
        own = [minute for minute in past if since <= minute.at < until]
        began = [wait for at, found in waits.items() if since <= at < until for wait in found]
        pages = [sum(column) for column in zip(*(minute.pages for minute in own), strict=True)]
        searches = [sum(column) for column in zip(*(minute.searches for minute in own), strict=True)]
        rows.append(
            Row(
                since=since,
                waited=duration(median(began)) if began else "–",
                half=_seconds(quantile(searches, 0.5, SEARCH_BOUNDS)),
                most=_seconds(quantile(searches, 0.95, SEARCH_BOUNDS)),
                own=_seconds(quantile(pages, 0.95)),
                running=max((minute.running for minute in own), default=0),
                waiting=max((minute.waiting for minute in own), default=0),
            )
        )
    return tuple(rows)


def _seconds(value: float | None) -> str:
    return "–" if value is None else f"{value:g} s".replace(".", ",")
