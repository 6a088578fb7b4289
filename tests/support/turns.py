"""Turns that are there at once, with what a test wants them to say, and a record of what was said of them."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from throttling.callers import Caller
from throttling.turns import Expected, OnWait, Outcome, Wanted


@dataclass(slots=True, eq=False)
class InstantTurn:
    """One turn and what became of it."""

    wanted: Wanted
    outcome: Outcome | None = None
    is_first: bool = False
    remaining: list[float | None] = field(default_factory=list)
    rest: float | None = None
    given_back: bool = False
    shared: list[Outcome] = field(default_factory=list)
    left: bool = False

    def answered(self, remaining: float | None) -> None:
        self.remaining.append(remaining)

    def refused(self, retry_after: float) -> None:
        assert not self.left
        self.rest = retry_after

    def not_sent(self) -> None:
        assert not self.left
        self.given_back = True

    async def share(self, outcome: Outcome) -> None:
        assert self.left
        self.shared.append(outcome)


class InstantTurns:
    """``outcomes`` are those of others, one for each turn in order; None and beyond the last: send yourself.

    ``entering`` is called when a turn is asked for, and may raise. ``waits``: each turn is said to be waited for.
    """

    def __init__(
        self,
        outcomes: Iterable[Outcome | None] = (),
        entering: Callable[[], None] | None = None,
        *,
        waits: Expected | None = None,
    ) -> None:
        self._outcomes = deque(outcomes)
        self._entering = entering or (lambda: None)
        self._waits = waits
        self.given: list[InstantTurn] = []

    @asynccontextmanager
    async def turn(self, wanted: Wanted, caller: Caller, on_wait: OnWait) -> AsyncIterator[InstantTurn]:
        del caller
        self._entering()
        if self._waits is not None:
            on_wait(self._waits)
        turn = InstantTurn(wanted, self._outcomes.popleft() if self._outcomes else None)
        self.given.append(turn)
        try:
            yield turn
        finally:
            turn.left = True
