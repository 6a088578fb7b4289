"""How much of a process requests under contracts may have at once: people come first (decision record 0032).

A contract says how much an agent may ask; nothing in it says that the one event loop of a process has time. So whoever shows a
credential begins when no page for people is being made, a few at a time, and waits in a short line until then. Who finds the
line full, or waits too long, is told when to come back. All of that is before anything it shows is looked at: a flood costs
little.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from contextvars import Token
from dataclasses import dataclass
from types import TracebackType
from typing import Final

from throttling.own_time import CURRENT, OwnTime
from throttling.people import People
from throttling.store import monotonic


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Of one process. Times in seconds.

    ``at_once``: requests worked on together, and ``beside`` while somebody was here in the last ``about``; after each of those
    nobody begins for ``rest`` times as long as it took (at most ``least``), so that most who come in meet none. ``line``: how
    many wait, of which ``each`` from one place, for at most ``patience``. ``least``: when people leave no moment at all, one
    request is still begun so often. ``longest``: a request counts as work no longer, because it streams, or hangs.
    """

    at_once: int = 4
    beside: int = 1
    about: float = 1.0
    rest: float = 2.0
    line: int = 32
    each: int = 8
    patience: float = 1.0
    least: float = 0.5
    longest: float = 2.0


PACE: Final = Pace()


class Turn(OwnTime):
    """One request that is worked on, except while it waits for a platform, until it is ``over``."""

    __slots__ = ("_is_over", "_mark", "_pacing", "_until")

    def __init__(self, pacing: Pacing, longest: float) -> None:
        super().__init__()
        self._mark: Token[OwnTime | None] | None = None
        self._pacing = pacing
        self._is_over = False
        self._until = asyncio.get_running_loop().call_later(longest, self.over)

    def _rests(self) -> None:
        if not self._is_over:
            self._pacing.freed()

    def _goes_on(self) -> None:
        if not self._is_over:
            self._pacing.taken()

    def __enter__(self) -> None:
        """What is done from here on is done for this request."""
        self._mark = CURRENT.set(self)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._mark is not None:
            CURRENT.reset(self._mark)
        self.over()

    def over(self) -> None:
        """It is answered, or does not count any more."""
        if self._is_over:
            return
        self._is_over = True
        self._until.cancel()
        self._pacing.rest(self.seconds())
        if not self.waits:
            self._pacing.freed()


class Pacing:
    """The line of one process. ``people``: whether pages are being made in it."""

    def __init__(self, people: People | None = None, pace: Pace = PACE) -> None:
        self._people = people or People()
        self._people.rested = self._call
        self._pace = pace
        self._working = 0
        self._line: deque[tuple[str, asyncio.Future[bool]]] = deque()
        self._from: Counter[str] = Counter()
        self._begun = self._rests_until = monotonic()

    @property
    def working(self) -> int:
        """How many requests are worked on."""
        return self._working

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._line)

    async def turn(self, whose: Callable[[], str]) -> Turn | None:
        """Wait for a turn; None when there is none in time. ``whose`` gives a key for who asks, that is asked when it waits."""
        if not self._line and self._is_room():
            self._begin()
        elif len(self._line) >= self._pace.line or not await self._waited(whose()):
            return None
        return Turn(self, self._pace.longest)

    def taken(self) -> None:
        """One more request is worked on."""
        self._working += 1

    def freed(self) -> None:
        """One is not worked on any more."""
        self._working -= 1
        self._call()

    def rest(self, took: float) -> None:
        """One is over that took so long: while people are about, others begin later."""
        if self._are_about():
            wait = min(took * self._pace.rest, self._pace.least)
            until = self._rests_until = monotonic() + wait
            asyncio.get_running_loop().call_later(wait, self._rested, until)

    def _rested(self, until: float) -> None:
        """A timer may be a moment early, and then nobody else would call."""
        if self._rests_until == until:
            self._rests_until = 0.0
            self._call()

    async def _waited(self, source: str) -> bool:
        """Whether its turn came, and not too many of the same wait already."""
        if self._from[source] >= self._pace.each:
            return False
        loop = asyncio.get_running_loop()
        future: asyncio.Future[bool] = loop.create_future()
        mine = (source, future)
        self._line.append(mine)
        self._from[source] += 1
        patience = loop.call_later(self._pace.patience, self._impatient, future)
        try:
            return await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled() and future.result():
                self.freed()
            raise
        finally:
            patience.cancel()
            self._from -= Counter({source: 1})
            if mine in self._line:
                self._line.remove(mine)

    def _impatient(self, future: asyncio.Future[bool]) -> None:
        if future.done():
            return
        due = monotonic() - self._begun >= self._pace.least
        if due:
            self._begin()
        future.set_result(due)

    def _is_room(self) -> bool:
        if self._people.working:
            return False
        if self._are_about():
            return self._working < self._pace.beside and monotonic() >= self._rests_until
        return self._working < self._pace.at_once

    def _are_about(self) -> bool:
        return self._people.seen_for() < self._pace.about

    def _call(self) -> None:
        """Let go on who may."""
        while self._line and self._is_room():
            _, future = self._line.popleft()
            if not future.done():
                self._begin()
                future.set_result(True)

    def _begin(self) -> None:
        self._begun = monotonic()
        self.taken()
