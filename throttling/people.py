"""Whether this process works for people at this moment: pages that are being made, without what they only wait for.

Who makes pages says so; whoever can wait for people asks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from throttling.own_time import OwnTime
from throttling.store import monotonic

_NEVER: Final = float("-inf")


class People:
    """What is being made for people in one process. ``rested`` is called whenever no page is worked on any more."""

    def __init__(self) -> None:
        self.working = 0
        """How many pages are being made that wait for nothing."""
        self.rested: Callable[[], None] = _nothing
        self._seen = _NEVER

    def seen_for(self) -> float:
        """How many seconds ago a page was last worked on; infinite for never."""
        return 0.0 if self.working else monotonic() - self._seen

    def begins(self) -> None:
        """Work on a page begins, or goes on."""
        self.working += 1

    def rests(self) -> None:
        """A page is ready, or waits for a platform or its reader."""
        self.working -= 1
        self._seen = monotonic()
        if not self.working:
            self.rested()


class PageTime(OwnTime):
    """Our own time for a page that people wait for. It counts as worked on from now until ``over``."""

    __slots__ = ("_is_over", "_people")

    def __init__(self, people: People) -> None:
        super().__init__()
        self._people = people
        self._is_over = False
        people.begins()

    def _rests(self) -> None:
        if not self._is_over:
            self._people.rests()

    def _goes_on(self) -> None:
        if not self._is_over:
            self._people.begins()

    def over(self) -> None:
        """It is ready, or nobody waits for it as for a page any more."""
        if not self._is_over and not self.waits:
            self._people.rests()
        self._is_over = True


def _nothing() -> None:
    """Nobody waits for people."""
