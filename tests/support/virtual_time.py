"""An event loop whose clock jumps to the next timer when nothing else is left to do: an hour runs in a moment."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

_T = TypeVar("_T")


class VirtualLoop(asyncio.SelectorEventLoop):
    """A loop in virtual time, for code that waits on timers alone."""

    def __init__(self) -> None:
        self._virtual = 0.0
        super().__init__()

    def time(self) -> float:
        return self._virtual

    def _run_once(self) -> None:
        if not self._ready and self._scheduled:
            self._virtual = max(self._virtual, self._scheduled[0]._when)
        super()._run_once()


def run_virtually(work: Coroutine[Any, Any, _T]) -> _T:
    """Run ``work`` to its end in virtual time."""
    loop = VirtualLoop()
    try:
        return loop.run_until_complete(work)
    finally:
        loop.close()
