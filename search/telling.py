"""Work that tells how it fares while its call waits, as one sequence: what it told, and then what it made."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from typing import Any, TypeVar

from search.answers import PlatformAnswer

_T = TypeVar("_T")
Tell = Callable[[PlatformAnswer], None]
"""Told the state of a platform whenever it changes."""


async def telling(work: Callable[[Tell], Coroutine[Any, Any, _T]]) -> AsyncGenerator[PlatformAnswer | _T, None]:
    """What ``work`` tells, and what it made as the last item. Raises what it raises.

    Closing the iterator before its end ends the work: a call that waits gives its place up.
    """
    told: asyncio.Queue[PlatformAnswer | None] = asyncio.Queue()
    task = asyncio.get_running_loop().create_task(work(told.put_nowait))
    task.add_done_callback(lambda _: told.put_nowait(None))
    try:
        while (answer := await told.get()) is not None:
            yield answer
        yield task.result()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
