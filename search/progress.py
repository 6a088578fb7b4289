"""How the calls of one asker at one platform fare, so that an answer page can say what it waits for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from throttling.own_time import CURRENT
from throttling.turns import Expected

_APART: Final = 10.0  # seconds: a start that moved less is not worth another word


class Progress:
    """How the calls of one asker at one platform fare (a ``Watch``), with an event at each change.

    ``began``: from when the patience counts while no call of its own was sent, because it follows somebody else's call for the
    same; None where reading what is kept may take long by itself (a document). ``on_its_way`` is called once, when a first call
    waits for its turn or leaves.
    """

    def __init__(self, began: float | None = None, on_its_way: Callable[[], None] | None = None) -> None:
        self.began = began
        self._on_its_way = on_its_way
        self.waiting_calls = 0
        self.under_way = 0
        self.last_sent: float | None = None
        self.estimate: float | None = None
        self.place: int | None = None
        self.told_at = 0.0
        self.said = 0.0
        self.has_moved = False
        self.changed = asyncio.Event()
        self._page = CURRENT.get()

    def waiting(self, expected: Expected) -> None:
        """A call waits for its turn."""
        self.waiting_calls += 1
        self._page_waits()
        self._estimated(expected)

    def moved(self, expected: Expected) -> None:
        """A call that waits will start at another moment than was said."""
        self._estimated(expected)
        self.has_moved = abs(self.told_at + expected.seconds - self.said) >= _APART

    def _estimated(self, expected: Expected) -> None:
        self.estimate, self.place = expected.seconds, expected.place
        self.told_at = asyncio.get_running_loop().time()
        self.changed.set()

    def spared(self, *, waited: bool) -> None:
        """A call needs no turn any more."""
        self.waiting_calls -= waited
        if waited and self._page is not None:
            self._page.wait_ends()
        self.changed.set()

    def sent(self, *, waited: bool) -> None:
        """A call has its turn and leaves."""
        self.waiting_calls -= waited
        if not waited:
            self._page_waits()
        self.under_way += 1
        self.last_sent = asyncio.get_running_loop().time()
        self.changed.set()

    def answered(self) -> None:
        """A call that left is over."""
        self.under_way -= 1
        if self._page is not None:
            self._page.wait_ends()
        self.changed.set()

    def _page_waits(self) -> None:
        if self._on_its_way is not None:
            self._on_its_way()
            self._on_its_way = None
        if self._page is not None:
            self._page.wait_begins()

    def say(self) -> float:
        """The estimate, to be said to its asker now."""
        self.said, self.has_moved = self.told_at + (self.estimate or 0.0), False
        return self.estimate or 0.0

    @property
    def starts_in(self) -> float:
        """Seconds until a call that waits will probably start, by what was last heard."""
        return max(self.told_at + (self.estimate or 0.0) - asyncio.get_running_loop().time(), 0.0)

    @property
    def only_waits(self) -> bool:
        """Whether nothing of this asker is under way: a call that waits behind its own sisters is busy, not planned."""
        return self.waiting_calls > 0 and self.under_way == 0
