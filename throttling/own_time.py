"""Our own time for a page: the whole of it, without what platforms, readers and the press let us wait (signal d of rule L3)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from throttling.store import monotonic


class OwnTime:
    """One page that is being made. Waits for several platforms at once count once.

    ``outer``: what this page is made for, which waits whenever it does.
    """

    __slots__ = ("_began", "_outer", "_since", "_waited", "_waits")

    def __init__(self, outer: OwnTime | None = None) -> None:
        self._began = monotonic()
        self._outer = outer
        self._waits = 0
        self._since = 0.0
        self._waited = 0.0

    def wait_begins(self) -> None:
        """A call for this page waits for its turn, or is under way."""
        if not self._waits:
            self._since = monotonic()
            self._rests()
        self._waits += 1

    def wait_ends(self) -> None:
        """Its answer is there."""
        if self._waits:
            self._waits -= 1
            if not self._waits:
                self._waited += monotonic() - self._since
                self._goes_on()

    @property
    def waits(self) -> bool:
        """Whether it waits, and we do nothing for it."""
        return self._waits > 0

    def over(self) -> None:
        """Nobody waits for it any more. Who counts what is being made hears it from here."""

    def _rests(self) -> None:
        """Called when it begins to wait."""
        if self._outer is not None:
            self._outer.wait_begins()

    def _goes_on(self) -> None:
        """Called when it waits for nothing any more."""
        if self._outer is not None:
            self._outer.wait_ends()

    def seconds(self) -> float:
        """Until now."""
        now = monotonic()
        waited = self._waited + (now - self._since if self._waits else 0.0)
        return max(now - self._began - waited, 0.0)


CURRENT: ContextVar[OwnTime | None] = ContextVar("own_time", default=None)
"""The page for which something is being done; None where nobody measures."""


@contextmanager
def not_ours() -> Iterator[None]:
    """What is waited for here is no time of ours for the page that is being made, where one is."""
    page = CURRENT.get()
    if page is not None:
        page.wait_begins()
    try:
        yield
    finally:
        if page is not None:
            page.wait_ends()
