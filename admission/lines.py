"""Lines for operators that nobody waits for: they are written while this process waits for the store anyway.

A line costs a tenth of a decision. Written at once it is paid by its own request, and written right after the answer by the
next; while a decision is under way there is nothing else to do. What they tell of is in the store by then (choice A6).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import Context, copy_context
from typing import Final

LONGEST: Final = 0.05
"""Seconds that a line waits at most: where nobody asks anything more, no better moment comes."""


class Lines:
    """The lines of one process that are still to be written, in their order."""

    def __init__(self, longest: float = LONGEST) -> None:
        self._longest = longest
        self._lines: list[tuple[Context, Callable[[], None]]] = []
        self._timer: asyncio.TimerHandle | None = None

    def add(self, line: Callable[[], None]) -> None:
        """Call ``line`` before long, in the context of now: what it says is of this request."""
        self._lines.append((copy_context(), line))
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._longest, self.write)

    def while_waiting(self) -> None:
        """Whoever calls this is about to ask and to wait: write once that is under way."""
        if self._lines:
            asyncio.get_running_loop().call_soon(self.write)

    def write(self) -> None:
        """Write all of them."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        lines, self._lines = self._lines, []
        for context, line in lines:
            context.run(line)
