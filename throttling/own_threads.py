"""Threads of their own for work that blocks, such as the database: what else a process does in threads cannot hold it up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import ParamSpec, TypeVar

_T = TypeVar("_T")
_P = ParamSpec("_P")


class OwnThreads:
    """Does work in one of ``count`` threads. ``after`` runs there when work is done or failed, as for closing connections."""

    def __init__(self, count: int, name: str, after: Callable[[], None]) -> None:
        self._threads = ThreadPoolExecutor(max_workers=count, thread_name_prefix=name)
        self._after = after

    async def __call__(self, work: Callable[_P, _T], *given: _P.args, **named: _P.kwargs) -> _T:
        """What ``work`` gives, in the context of who asks. Raises what ``work`` raises."""

        def alone() -> _T:
            try:
                return work(*given, **named)
            finally:
                self._after()

        return await asyncio.get_running_loop().run_in_executor(self._threads, copy_context().run, alone)

    def close(self) -> None:
        """Wait until the threads are done, and end them."""
        self._threads.shutdown()
