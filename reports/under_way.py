"""The reports that are made and that wait, as operators see them: how long, how far, and of whom by a letter. Pure.

No question, address or key of a requester is here. The same letter is the same requester, on one look at the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from string import ascii_uppercase
from typing import Final

from reports.watching import GROUPS, duration, group_of
from throttling.load import AskState, Overview, Standing
from throttling.load_rules import LoadRules

MOST: Final = 100
"""So many the page shows: those that are made, and the first that wait."""
_OPEN: Final = frozenset({AskState.RUNS, AskState.WAITS})
BUSY: Final = "bezig"
WAITS: Final = "wacht"
BEGINS: Final = "begint"
"""It has a place, and a worker may still take it: for one lease nobody can tell that none will."""
ALONE: Final = "zonder werker"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnderWay:
    """One report. ``run``: its name between gate and worker, in no address that anybody reads it at.

    ``who``: letters of requesters, with their group, who asked first first. ``asked``: how long ago that was, ``made``: for how
    long a worker has been at it, empty while none is. ``left``: for how long no worker has had it though it has a place, and
    ``left_at`` since when; empty where one has, and while it waits.
    """

    run: str
    state: str
    who: str
    group: str
    asked: str
    made: str
    done: int
    size: int
    left: str = ""
    left_at: datetime | None = None

    @property
    def is_alone(self) -> bool:
        """Whether no worker takes what has a place: stopping it would help nobody."""
        return self.state == ALONE

    @property
    def parts(self) -> str:
        """How far it is."""
        return f"{min(self.done, self.size)} van {self.size}" if self.size else "–"


def under_way(seen: Overview, rules: LoadRules) -> tuple[UnderWay, ...]:
    """All of them: what has a place first, the longest at the top, then what waits by its place."""
    letters = _letters(seen.asks)
    by_run: dict[str, list[Standing]] = {}
    for ask in sorted(seen.asks, key=lambda ask: (ask.asked_at, ask.id)):
        if ask.state in _OPEN:
            by_run.setdefault(ask.run, []).append(ask)
    rows = sorted(by_run.values(), key=_order)
    return tuple(_row(asks, letters, rules, seen.now) for asks in rows)


def longest(seen: Overview) -> float:
    """For how many seconds the one that a worker has been at longest has been made; 0 when none is."""
    return max((_made(ask, seen.now) for ask in seen.asks if ask.has_worker), default=0.0)


def alone(seen: Overview, rules: LoadRules) -> int:
    """How many have a place, and no worker for longer than one may take to come."""
    return len({ask.run for ask in seen.asks if _state(ask, rules) == ALONE})


def _order(asks: Sequence[Standing]) -> tuple[bool, float]:
    first = asks[0]
    waits = first.state is AskState.WAITS
    return waits, float(first.place) if waits else first.left_at or first.started_at or 0.0


def _state(ask: Standing, rules: LoadRules) -> str:
    if ask.left_at is None:
        return BUSY if ask.has_worker else WAITS
    return ALONE if ask.now - ask.left_at >= rules.lease else BEGINS


def _row(asks: Sequence[Standing], letters: dict[str, str], rules: LoadRules, now: float) -> UnderWay:
    first = asks[0]
    state = _state(first, rules)
    group = GROUPS[group_of(first.requester)]
    own = dict.fromkeys(f"{GROUPS[group_of(ask.requester)]} {letters[ask.requester]}" for ask in asks)
    return UnderWay(
        run=first.run,
        state=state,
        who=", ".join(own),
        group=group,
        asked=duration(now - first.asked_at),
        made=duration(_made(first, now)) if state == BUSY else "",
        done=first.done,
        size=first.size,
        left="" if first.left_at is None else duration(now - first.left_at),
        left_at=None if first.left_at is None else datetime.fromtimestamp(first.left_at, UTC),
    )


def _made(ask: Standing, now: float) -> float:
    return max(now - ask.started_at, 0.0) if ask.started_at is not None else 0.0


def _letters(asks: Iterable[Standing]) -> dict[str, str]:
    """A letter for each requester, in the order in which they came."""
    fresh = _names()
    found: dict[str, str] = {}
    for ask in sorted(asks, key=lambda ask: (ask.asked_at, ask.id)):
        if ask.requester not in found:
            found[ask.requester] = next(fresh)
    return found


def _names() -> Iterator[str]:
    """A to Z, then A2 to Z2, and so on."""
    yield from ascii_uppercase
    for number in count(2):
        yield from (f"{letter}{number}" for letter in ascii_uppercase)
