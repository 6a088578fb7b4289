"""Work that never ends by itself: how it goes on beside whoever opened it, and how it is ended."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any, Final, Self

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


class Alongside:
    """Goes on in a task of its own, for as long as its context lasts. Whoever derives from it says how, in ``_go_on``."""

    _work: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._work = asyncio.get_running_loop().create_task(self._go_on())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._work is not None:
            await end(self._work)

    async def _go_on(self) -> None:
        raise NotImplementedError
