"""``python -m benchmarks.buffer --json``: the buffer beside Django's cache with pickles, and beside hishel.

All three answer the same calls on the same machine in one run: how long a hit takes, how many calls a hundred identical
questions at once make, and how many bytes what is kept takes for each byte of the answers. How to read it: ``README.md``.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "besluitbron.settings")

import django

django.setup(set_prefix=False)

from django.conf import settings
from django.core.cache import caches as django_caches
from django.test import override_settings

from benchmarks.environments import PEERS, python_of
from benchmarks.servers import platform
from besluitbron.caches import caches
from connectors.addresses import Addresses, PlatformMode
from connectors.buffering.cached import CachedBuffer
from connectors.buffering.keys import Keys
from connectors.buffering.rules import MEGABYTE, Rules
from connectors.calls import Answer, Call, CallKind
from connectors.client import Client
from connectors.http import Http
from connectors.journey import Tools
from connectors.moments import now
from connectors.platforms import RECHTSPRAAK
from throttling.breaker import StoreBreaker
from throttling.callers import Caller
from throttling.limits import SlidingWindow
from throttling.memory import ForgetfulMemory
from throttling.outgoing import Outgoing
from throttling.private_store import private_server
from throttling.rules import QueueRules
from throttling.store import Store

Figures = dict[str, float]
_KEY: Final = RECHTSPRAAK.key
_SERVICE: Final = "open-data"
_PREFIX: Final = f"/{_KEY}/{_SERVICE}"
_CORPUS: Final = Path(__file__).parent.parent / "connectors" / "rechtspraak" / "corpus" / "content"
_BODIES, _ROUNDS, _ASKERS = 60, 5, 100
_CLEAR_DATABASE: Final = 9


def whole(answer: Answer) -> bytes:
    """A reading that costs nothing, so that only the buffer is measured."""
    return answer.body


def call(path: str) -> Call:
    """A call to the platform of this benchmark."""
    return Call(platform=_KEY, service=_SERVICE, path=path, kind=CallKind.DOCUMENT)


async def median_ms(hit: Callable[[int], Awaitable[object]]) -> float:
    """The median of one hit after another, in thousandths of a second."""
    times = []
    for number in list(range(_BODIES)) * _ROUNDS:
        started = time.perf_counter()
        await hit(number)
        times.append(time.perf_counter() - started)
    return statistics.median(times) * 1000


def memory() -> int:
    """The bytes that the buffer server uses."""
    server = django_caches[_KEY].client.get_client()  # type: ignore[attr-defined] # of django-redis
    used: int = server.info("memory")["used_memory"]
    return used


async def besluitbron(http: Http, where: Addresses, socket: Path) -> Figures:
    """Our figures, through the client that connectors use."""
    rules = Rules(version="benchmark", shares={_KEY: 60 * MEGABYTE}, patience=5.0)
    queue = {f"{_KEY}/{_SERVICE}": QueueRules(limit=SlidingWindow(units=6000, seconds=60), in_flight=4)}
    async with AsyncExitStack() as stack:
        buffer = await stack.enter_async_context(CachedBuffer(Keys(b"benchmark", where.mode), rules, now))
        store = await stack.enter_async_context(Store(f"unix://{socket}?db=15"))
        turns = await stack.enter_async_context(Outgoing(store, queue, ForgetfulMemory()))
        client = Client(Tools(http=http, buffer=buffer, turns=turns, breaker=StoreBreaker(store), addresses=where))
        stack.push_async_callback(client.aclose)

        async def ask(path: str, session: str = "een") -> bytes:
            bound = client.bind(RECHTSPRAAK, Caller(session=session), document="stuk")
            return (await bound(call(path), whole)).value

        await asyncio.gather(*(ask("/shared", f"sessie {number % 10}") for number in range(_ASKERS)))
        calls = await counted(http)
        before = memory()
        for number in range(_BODIES):
            await ask(f"/body/{number}")
        stored = memory() - before
        return {
            "hit_p50_ms": await median_ms(lambda number: ask(f"/body/{number}")),
            "calls_for_100_identical": calls,
            "bytes_stored": stored,
        }


async def django_with_pickles(http: Http) -> Figures:
    """Django's cache as it comes with django-redis: look, else fetch and keep, without more."""
    cache = django_caches["plain"]

    async def ask(path: str) -> bytes:
        kept = await cache.aget(path)
        if kept is None:
            answer = await http.send(call(path))
            kept = {"status": answer.status, "headers": dict(answer.headers), "body": answer.body}
            await cache.aset(path, kept, 3600)
        body: bytes = kept["body"]
        return body

    await asyncio.gather(*(ask("/shared") for _ in range(_ASKERS)))
    calls = await counted(http)
    before = memory()
    for number in range(_BODIES):
        await ask(f"/body/{number}")
    stored = memory() - before
    return {
        "hit_p50_ms": await median_ms(lambda number: ask(f"/body/{number}")),
        "calls_for_100_identical": calls,
        "bytes_stored": stored,
    }


async def hishel(address: str) -> Figures | None:
    """The figures of hishel, from an environment of its own; None when there is none."""
    python = await asyncio.to_thread(python_of, "hishel", settings.LAYOUT.data / "benchmarks")
    if python is None:
        return None
    script = str(PEERS / "hishel_peer.py")
    process = await asyncio.create_subprocess_exec(
        str(python), script, f"{address}{_PREFIX}", str(_BODIES), str(_ROUNDS), stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    figures: Figures | None = json.loads(out) if process.returncode == 0 else None
    return figures


async def counted(http: Http) -> int:
    """The slow calls that the platform got since this was asked last."""
    calls: int = json.loads((await http.send(call("/calls"))).body)
    return calls


async def measure() -> dict[str, Any]:
    """All figures of one run."""
    bodies = [file.read_bytes() for file in sorted(_CORPUS.glob("*.xml"))[:_BODIES]]
    raw = sum(map(len, bodies))
    async with private_server() as socket, platform(bodies, _PREFIX) as address:
        plain = {"BACKEND": "django_redis.cache.RedisCache", "LOCATION": f"unix://{socket}?db={_CLEAR_DATABASE}"}
        where = Addresses(PlatformMode.STAND_INS, address, address)
        with override_settings(CACHES=caches(socket, 5.0) | {"plain": plain}):
            async with Http([RECHTSPRAAK], where, "benchmark") as http:
                found: dict[str, Figures | None] = {
                    "besluitbron": await besluitbron(http, where, socket),
                    "django_redis_pickle": await django_with_pickles(http),
                    "hishel": await hishel(address),
                }
    for figures in filter(None, found.values()):
        figures["bytes_stored_over_raw"] = figures.pop("bytes_stored") / raw
    return {"bodies": len(bodies), "raw_bytes": raw, **found}


def main(arguments: list[str]) -> None:
    """Print the figures, as JSON or as a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.buffer", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", dest="as_data")
    as_data = parser.parse_args(arguments).as_data
    found = asyncio.run(measure())
    if as_data:
        sys.stdout.write(json.dumps(found, indent=2) + "\n")
        return
    sys.stdout.write(f"{found.pop('bodies')} stukken, {found.pop('raw_bytes')} bytes\n")
    for name, figures in found.items():
        words = ", ".join(f"{key} {value:.3g}" for key, value in (figures or {}).items())
        sys.stdout.write(f"{name}: {words or 'niet gemeten'}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
