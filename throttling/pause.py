"""One short run at a time, and after each a pause that gives back what it used.

A command that starts with a fresh share each time would pass a limit by being started often. It goes when the outgoing
queue counts for all processes.
"""

from __future__ import annotations

import asyncio
import fcntl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from throttling.process_turns import ProcessTurns

MOST_SECONDS: Final = 60.0  # a clock that was set back may not lock anybody out
_LOOK_SECONDS: Final = 0.1


@asynccontextmanager
async def paused_after(
    turns: ProcessTurns, path: Path, clock: Callable[[], float], tell: Callable[[float], None]
) -> AsyncIterator[None]:
    """Run alone among those that share ``path``, and not before the last of them gave back what it used.

    ``clock`` gives seconds since a fixed moment; ``tell`` hears how many seconds there are to wait, once, when there are.
    """
    with path.open("a+", encoding="ascii", errors="replace") as file:
        await _hold(file.fileno())
        file.seek(0)
        left = min(_moment(file.read()) - clock(), MOST_SECONDS)
        if left > 0:
            tell(left)
            await asyncio.sleep(left)
        try:
            yield
        finally:
            file.seek(0)
            file.truncate()
            file.write(f"{clock() + turns.pause():.3f}")


async def _hold(descriptor: int) -> None:
    """Take the lock; closing the file lets go of it, however this process ends."""
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            await asyncio.sleep(_LOOK_SECONDS)
        else:
            return


def _moment(text: str) -> float:
    try:
        return float(text or 0)
    except ValueError:
        return 0.0
