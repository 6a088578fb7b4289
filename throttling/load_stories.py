"""What is asked of a gate for heavy work on a day that is played: works, the machine they share, and a storm of them."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace
from typing import Final

_HOUR: Final = 3600
_FULL: Final = 0.99
_SOURCES: Final = 7
_ALONE: Final = 0.25
_SEEN: Final = 0.8
"""Who asks has mostly seen the answers, and so has the buffer: then parts are counted, some that are the same twice."""
_COUNTED: Final = (0.95, 1.2)
_SLOW: Final = (10.0, 60.0)
"""Seconds: a report waits for one call as long as a minute."""
_SLOW_ONES: Final = 1 / 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One ask: ``at`` seconds after the beginning, ``by`` whom, for ``what``; the run has ``parts`` of ``seconds`` each.

    ``dies_at``: after how many parts its first worker dies, None for one that does not. ``cores``: so many it keeps busy.
    ``counted``: how many parts are counted beforehand, None where nobody can; ``kind``: what takes about as long for a part.
    ``rounds``: of how many parts each round is in which it collects what there is to do, each as long as its slowest source
    takes, ``slow`` seconds the one that is slowest. What there is to do is known after the first round.
    """

    at: float
    by: str
    what: str
    parts: int
    seconds: float
    dies_at: int | None = None
    cores: float = 0.3
    counted: int | None = None
    kind: str = ""
    rounds: tuple[int, ...] = ()
    slow: float = 0.0

    @property
    def collects(self) -> int:
        """Parts of collecting."""
        return sum(self.rounds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What searches and runs share: ``cores``; ``searches`` come each second, and each takes ``search`` seconds of one core."""

    cores: int = 2
    searches: float = 5.0
    search: float = 0.06

    def share(self, cores: float) -> float:
        """The busy share of it while runs keep so many cores busy."""
        return min((self.searches * self.search + cores) / self.cores, _FULL)

    def page(self, cores: float) -> float:
        """Seconds that a search then takes of our own time, with its wait for a core (Sakasegawa's approximation)."""
        share = self.share(cores)
        waits = math.pow(share, math.sqrt(2 * (self.cores + 1)) - 1) / (self.cores * (1 - share))
        return self.search * (1 + waits)


def storm_day(seed: int, asks: int = 60) -> list[Work]:
    """So many reports asked within an hour by twenty, one of them huge, of as many parts as reports have that nobody counts.

    Some ask every source side by side, some ask one, which gives page after page and is read by itself. Of one in eight a
    source is slow to say what it has.
    """
    chance = random.Random(seed)  # noqa: S311 - a story, not a secret
    rows = [_report(chance, number) for number in range(asks - 1)]
    huge = Work(
        at=900,
        by="groot",
        what="alles",
        parts=1500,
        seconds=1.0,
        cores=1.0,
        kind=str(_SOURCES),
        rounds=(_SOURCES,) * 6,
        slow=_slow(chance),
    )
    return sorted([*rows, huge], key=lambda work: work.at)


def quick_day(seed: int) -> list[Work]:
    """A storm day of reports that are quick, as long as their sources are: on the day that these become slow."""
    return [replace(work, seconds=0.3 * work.seconds) for work in storm_day(seed)]


def _report(chance: random.Random, number: int) -> Work:
    alone, parts = chance.random() < _ALONE, chance.randint(60, 220)
    sources = 1 if alone else _SOURCES
    return Work(
        at=round(chance.uniform(0, _HOUR)),
        by=f"vrager{number % 20}",
        what=f"iets{number}",
        parts=parts,
        counted=round(parts * chance.uniform(*_COUNTED)) if chance.random() < _SEEN else None,
        kind=str(sources),
        seconds=chance.uniform(1.0, 1.6) if alone else chance.uniform(0.7, 1.1),
        rounds=(sources,) * chance.randint(1, 6),
        slow=_slow(chance),
    )


def _slow(chance: random.Random) -> float:
    """How long the slowest source takes, where one is slow."""
    return chance.uniform(*_SLOW) if chance.random() < _SLOW_ONES else 0.0
