"""What a user would pick instead, in its own environment: ``limiters_peer.py SOCKET`` prints figures as JSON.

`limits` (moving window) and pyrate-limiter wait by asking again; 60 units in 3 seconds, so that a run is short.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from collections.abc import Awaitable, Callable

from limits import RateLimitItemPerSecond  # type: ignore[import-not-found]  # only in its own environment
from limits.aio.storage import RedisStorage  # type: ignore[import-not-found]
from limits.aio.strategies import MovingWindowRateLimiter  # type: ignore[import-not-found]
from pyrate_limiter import Limiter, Rate, RedisBucket
from redis.asyncio import Redis

UNITS, SECONDS, AGAIN = 60, 3, 0.02
Ask = Callable[[], Awaitable[bool]]


async def limits_asker(socket: str) -> Ask:
    """The moving window of `limits`, over the store."""
    limiter = MovingWindowRateLimiter(RedisStorage(f"async+redis+unix://{socket}", implementation="redispy"))
    item = RateLimitItemPerSecond(UNITS, SECONDS)

    async def ask() -> bool:
        return bool(await limiter.hit(item, "bron"))

    return ask


async def pyrate_asker(socket: str) -> Ask:
    """The exact log of pyrate-limiter, over the store."""
    bucket = await RedisBucket.init([Rate(UNITS, SECONDS * 1000)], Redis.from_url(f"unix://{socket}"), "pyrate")
    limiter = Limiter(bucket)

    async def ask() -> bool:
        return bool(await limiter.try_acquire_async("bron", blocking=False))

    return ask


async def measured(ask: Ask) -> dict[str, float]:
    """One asker's p50; then 200 callers and a newcomer who ask again until they may, and what a platform saw of them."""
    times = []
    for _ in range(500):
        began = time.perf_counter()
        await ask()
        times.append(time.perf_counter() - began)
    await asyncio.sleep(SECONDS)
    seen: list[float] = []
    lines = asyncio.Semaphore(50)  # their pools refuse more than 100 connections

    async def may() -> bool:
        async with lines:
            return await ask()

    async def caller(delay: float) -> float:
        await asyncio.sleep(delay)
        began = time.monotonic()
        while not await may():  # noqa: ASYNC110 - asking again is how these wait
            await asyncio.sleep(AGAIN)
        seen.append(time.monotonic())
        return seen[-1] - began

    *_, newcomer = await asyncio.gather(*(caller(0.0) for _ in range(200)), caller(SECONDS * 1.02))
    worst = max(sum(1 for at in seen if first <= at < first + SECONDS) for first in seen)
    minimum = SECONDS / UNITS
    return {
        "decision_p50_us": round(statistics.median(times) * 1e6, 1),
        "worst_window_units": worst,
        "newcomer_wait_over_minimum": round(newcomer / minimum, 2),
    }


async def main(socket: str) -> None:
    """Measure both, and print."""
    found = {}
    for name, made in (("limits", limits_asker), ("pyrate_limiter", pyrate_asker)):
        found[name] = await measured(await made(socket))
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
