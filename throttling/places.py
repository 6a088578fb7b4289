"""A call of this process in a queue, while it waits."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from throttling.decisions import Entry
from throttling.foretold import Foretold
from throttling.store import monotonic
from throttling.turns import Expected, OnWait, Outcome


@dataclass(frozen=True, slots=True)
class Grant:
    """A turn by the ledgers' clock. ``is_first``: at once, and no answer to the same came in the seconds before."""

    at: float
    is_first: bool = False


@dataclass(slots=True, eq=False)
class Place:
    """``ended`` becomes its grant, or how a shared call ended. ``owed``: it is to be told when it will start.

    ``epoch`` is that of the state of the store in which it has its place; empty while it has none. ``first`` and ``last``: when
    it was told, and what.
    """

    entry: Entry
    on_wait: OnWait
    ended: asyncio.Future[Grant | Outcome]
    owed: bool = False
    epoch: str = ""
    first: tuple[float, float] | None = None
    last: tuple[float, float] | None = None

    def tell(self, expected: Expected) -> None:
        """Tell it when it will probably start."""
        self.owed, self.last = False, (monotonic(), expected.seconds)
        self.first = self.first or self.last
        self.on_wait(expected)

    @property
    def foretold(self) -> Foretold | None:
        """What it was told at first, beside a start at this moment; None when it was told nothing."""
        if self.first is None:
            return None
        at, predicted = self.first
        return Foretold(predicted, monotonic() - at)

    @property
    def is_late(self) -> bool:
        """Whether it should have started by now, by what it was told last."""
        if self.last is None:
            return False
        at, predicted = self.last
        waited = monotonic() - at
        return waited > predicted and not Foretold(predicted, waited).is_near
