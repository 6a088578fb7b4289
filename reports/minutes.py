"""Minutes of the load as processes wrote them down, put together. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from reports.signals import BOUNDS, SEARCH_BOUNDS


@dataclass(frozen=True, slots=True)
class Minute:
    """One minute of all processes together: pages and searches by class, counts by name, the highest of each signal.

    ``unnamed``: how many of the ``requests`` came by a proxy that nobody named.
    """

    at: datetime
    counts: Mapping[str, int]
    pages: tuple[int, ...]
    running: int
    waiting: int
    oldest: float
    signals: Mapping[str, float]
    searches: tuple[int, ...] = (0,) * (len(SEARCH_BOUNDS) + 1)
    requests: int = 0
    unnamed: int = 0


def merged(rows: Iterable[tuple[datetime, Mapping[str, Any]]]) -> list[Minute]:
    """Minutes of processes put together: counts are added up, of what all see alike the highest is taken."""
    by_minute: defaultdict[datetime, list[Mapping[str, Any]]] = defaultdict(list)
    for at, figures in rows:
        by_minute[at].append(figures)
    return [_together(at, own) for at, own in sorted(by_minute.items())]


def _together(at: datetime, own: Sequence[Mapping[str, Any]]) -> Minute:
    counts: Counter[str] = Counter()
    signals: dict[str, float] = {}
    for figures in own:
        counts.update(figures.get("counts", {}))
        for name, share in figures.get("signals", {}).items():
            signals[name] = max(share, signals.get(name, 0.0))
    ways = _summed(own, "ways", 2)
    return Minute(
        at=at,
        counts=counts,
        pages=_summed(own, "pages", len(BOUNDS) + 1),
        requests=ways[0],
        unnamed=ways[1],
        searches=_summed(own, "searches", len(SEARCH_BOUNDS) + 1),
        running=max(figures.get("running", 0) for figures in own),
        waiting=max(figures.get("waiting", 0) for figures in own),
        oldest=max(figures.get("oldest", 0.0) for figures in own),
        signals=signals,
    )


def _summed(own: Sequence[Mapping[str, Any]], name: str, number: int) -> tuple[int, ...]:
    """Classes added up; those of a version that had others are left aside."""
    classes = [figures[name] for figures in own if len(figures.get(name, ())) == number]
    return tuple(map(sum, zip(*classes, strict=True))) or (0,) * number
