"""The figures of hishel with its SQLite storage, in an environment of its own: ``hishel_peer.py ADDRESS COUNT ROUNDS``."""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

import httpx
from hishel import AsyncSqliteStorage  # type: ignore[import-not-found,unused-ignore] # installed in its own environment only
from hishel.httpx import AsyncCacheClient  # type: ignore[import-not-found,unused-ignore] # as above


def bytes_in(folder: Path) -> int:
    """The size of all files in a folder."""
    return sum(one.stat().st_size for one in folder.iterdir())


async def main(address: str, count: int, rounds: int) -> None:
    """Print the figures as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cache.db"
        async with AsyncCacheClient(storage=AsyncSqliteStorage(database_path=file), trust_env=False) as client:
            await asyncio.gather(*(client.get(f"{address}/shared") for _ in range(100)))
            async with httpx.AsyncClient(trust_env=False) as plain:
                calls = (await plain.get(f"{address}/calls")).json()
            for number in range(count):
                (await client.get(f"{address}/body/{number}")).raise_for_status()
            stored = bytes_in(Path(folder))
            times = []
            for number in list(range(count)) * rounds:
                started = time.perf_counter()
                await client.get(f"{address}/body/{number}")
                times.append(time.perf_counter() - started)
    figures = {"hit_p50_ms": statistics.median(times) * 1000, "calls_for_100_identical": calls, "bytes_stored": stored}
    sys.stdout.write(json.dumps(figures))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
