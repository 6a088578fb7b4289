"""How a task that never ends by itself is ended."""

from __future__ import annotations

import asyncio
from typing import Any, Final

_AGAIN_SECONDS: Final = 1.0


async def end(task: asyncio.Task[Any]) -> None:
    """Cancel ``task`` and wait for its end; what it raised at last is raised here, its cancellation is not.

    Asked again every second: on Python 3.11 ``asyncio.wait_for`` inside a library may lose a cancellation that comes just as
    what it waited for is done, and a process that waits for such a task would never stop.
    """
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=_AGAIN_SECONDS)
    if not task.cancelled():
        task.result()
