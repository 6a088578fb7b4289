"""The reports that are made and that wait, as operators see them: how long, how far, and of whom by a letter. Pure.

No question, address or key of a requester is here. The same letter is the same requester, on one look at the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from string import ascii_uppercase
from typing import Final

from reports.watching import GROUPS, duration, group_of
from throttling.load import AskState, Overview, Standing

MOST: Final = 100
"""So many the page shows: those that are made, and the first that wait."""
_STATES: Final = {AskState.RUNS: "bezig", AskState.WAITS: "wacht"}


@dataclass(frozen=True, slots=True, kw_only=True)
class UnderWay:
    """One report. ``run``: its name between gate and worker, in no address that anybody reads it at.

    ``who``: letters of requesters, with their group, who asked first first. ``asked``: how long ago that was, ``made``: for how
    long a worker has been at it, empty while it waits.
    """

    run: str
    state: str
    who: str
    group: str
    asked: str
    made: str
    done: int
    size: int

    @property
    def parts(self) -> str:
        """How far it is."""
        return f"{min(self.done, self.size)} van {self.size}" if self.size else "–"


def under_way(seen: Overview) -> tuple[UnderWay, ...]:
    """All of them: what is made first, the longest at the top, then what waits by its place."""
    letters = _letters(seen.asks)
    by_run: dict[str, list[Standing]] = {}
    for ask in sorted(seen.asks, key=lambda ask: (ask.asked_at, ask.id)):
        if ask.state in _STATES:
            by_run.setdefault(ask.run, []).append(ask)
    rows = sorted(by_run.values(), key=_order)
    return tuple(_row(asks, letters, seen.now) for asks in rows)


def longest(seen: Overview) -> float:
    """For how many seconds the one that is made longest has been; 0 when none is."""
    return max((_made(ask, seen.now) for ask in seen.asks if ask.state is AskState.RUNS), default=0.0)


def _order(asks: Sequence[Standing]) -> tuple[bool, float]:
    first = asks[0]
    waits = first.state is AskState.WAITS
    return waits, float(first.place) if waits else first.started_at or 0.0


def _row(asks: Sequence[Standing], letters: dict[str, str], now: float) -> UnderWay:
    first = asks[0]
    group = GROUPS[group_of(first.requester)]
    own = dict.fromkeys(f"{GROUPS[group_of(ask.requester)]} {letters[ask.requester]}" for ask in asks)
    return UnderWay(
        run=first.run,
        state=_STATES[first.state],
        who=", ".join(own),
        group=group,
        asked=duration(now - first.asked_at),
        made=duration(_made(first, now)) if first.state is AskState.RUNS else "",
        done=first.done,
        size=first.size,
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
