"""The way from the event loop to the caches: what is asked in one turn of the loop goes in one hop to a thread.

Seven platforms asked at once are seven short exchanges in one thread, each handed back as soon as it is there. Nobody waits
longer than the patience: a cache that fails or is slow counts as one that holds nothing, and is left alone for a while.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, TypeVar

import structlog

from connectors.buffering.frames import Damage, DamagedItemError
from connectors.buffering.fuse import Fuse
from connectors.buffering.graves import Grave, unpack_grave
from connectors.buffering.items import Item, unpack
from connectors.buffering.rules import Rules
from connectors.buffering.shelf import Shelf, Wanted

log = structlog.get_logger(__name__)
_T = TypeVar("_T")
_THREADS: Final = 4

Found = Item | Grave | DamagedItemError | None
"""What lay under a name; None for nothing."""


@dataclass(slots=True)
class _Load:
    """What goes to one platform's cache in one hop. ``began``: when the thread came to this cache, by the clock of the loop."""

    began: float | None = None
    items: dict[str, list[asyncio.Future[Found]]] = field(default_factory=lambda: defaultdict(list))
    graves: dict[str, list[asyncio.Future[Found]]] = field(default_factory=lambda: defaultdict(list))


class Hop:
    """Threads and fuses between one event loop and the shelves."""

    def __init__(self, shelves: Mapping[str, Shelf], rules: Rules, clock: Callable[[], datetime]) -> None:
        self._shelves = shelves
        self._rules = rules
        self._clock = clock
        self._threads = ThreadPoolExecutor(_THREADS, "buffer")
        self._fuses: dict[str, Fuse] = {}
        self._loads: dict[str, _Load] = defaultdict(_Load)
        self._counted: dict[str, Counter[str]] = defaultdict(Counter)

    def count(self, platform: str, name: str) -> None:
        """Add one to a figure; it travels with the next exchange."""
        self._counted[platform][name] += 1

    async def item(self, platform: str, digest: str) -> Found:
        """What lies under the digest of a call."""
        return await self._ask(platform, lambda load: load.items[digest])

    async def grave(self, platform: str, digest: str) -> Found:
        """What lies under the digest of a document."""
        return await self._ask(platform, lambda load: load.graves[digest])

    async def work(self, platform: str, name: str, work: Callable[[Shelf, Mapping[str, int]], _T]) -> _T | None:
        """Have ``work`` done on a shelf; None when that did not come off within the patience."""
        if platform not in self._shelves or not self._fuse(platform).lets_through():
            return None
        shelf, counted = self._shelves[platform], self._take_counts(platform)
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._rules.patience):
                done = await loop.run_in_executor(self._threads, work, shelf, counted)
        except Exception as error:  # noqa: BLE001 - whatever a cache does, the platform is asked
            self._failed(platform, name, error)
            return None
        self._answered(platform)
        return done

    async def beside(self, work: Callable[[], _T]) -> _T:
        """Have ``work`` done in a thread, however long it takes."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def close(self) -> None:
        """Let the threads end after what they are doing."""
        self._threads.shutdown(wait=False)

    async def _ask(self, platform: str, place: Callable[[_Load], list[asyncio.Future[Found]]]) -> Found:
        loop = asyncio.get_running_loop()
        fresh = platform not in self._loads  # all that is asked in this turn of the loop passes the fuse together
        if platform not in self._shelves or (fresh and not self._fuse(platform).lets_through()):
            return None
        if not self._loads:
            loop.call_soon(self._leave, loop)
        future: asyncio.Future[Found] = loop.create_future()
        load = self._loads[platform]
        place(load).append(future)
        if not await _within(self._rules.patience, future) and load.began is not None:
            await _within(load.began + self._rules.patience - loop.time(), future)
        if future.done():  # also when it came in time and this loop was too busy to see it
            return future.result()
        if load.began is not None:  # else it is another cache that keeps the thread
            self._failed(platform, "read", TimeoutError())
        return None

    def _leave(self, loop: asyncio.AbstractEventLoop) -> None:
        loads, self._loads = self._loads, defaultdict(_Load)
        counts = {platform: self._take_counts(platform) for platform in loads}
        self._threads.submit(self._fetch, loop, loads, counts)

    def _fetch(
        self, loop: asyncio.AbstractEventLoop, loads: Mapping[str, _Load], counts: Mapping[str, Mapping[str, int]]
    ) -> None:
        """In a thread: one exchange a platform, each handed back at once."""
        with contextlib.suppress(RuntimeError):  # the loop has ended, and with it everybody who waited
            for platform, load in loads.items():
                load.began = loop.time()
                wanted = Wanted(tuple(load.items), tuple(load.graves))
                try:
                    items, graves = self._shelves[platform].fetch(wanted, self._clock(), counts[platform])
                except Exception as error:  # noqa: BLE001 - whatever a cache does, the platform is asked
                    loop.call_soon_threadsafe(self._failed, platform, "read", error, load)
                    continue
                found = [
                    *(opened(unpack, value) for value in items),
                    *(opened(unpack_grave, value) for value in graves),
                ]
                loop.call_soon_threadsafe(self._arrived, platform, load, found)

    def _arrived(self, platform: str, load: _Load, found: list[Found]) -> None:
        self._answered(platform)
        for futures, value in zip([*load.items.values(), *load.graves.values()], found, strict=True):
            for future in futures:
                if not future.done():
                    future.set_result(value)

    def _answered(self, platform: str) -> None:
        if self._fuse(platform).mend():
            log.info("buffer_back", platform=platform)

    def _failed(self, platform: str, work: str, error: Exception, load: _Load | None = None) -> None:
        if self._fuse(platform).blow():
            log.warning("buffer_unreachable", platform=platform, work=work, failure=type(error).__name__)
        if load is not None:
            for futures in (*load.items.values(), *load.graves.values()):
                for future in futures:
                    if not future.done():
                        future.set_result(None)

    def _fuse(self, platform: str) -> Fuse:
        if platform not in self._fuses:
            self._fuses[platform] = Fuse(self._rules.pause, asyncio.get_running_loop().time)
        return self._fuses[platform]

    def _take_counts(self, platform: str) -> Mapping[str, int]:
        return self._counted.pop(platform, Counter())


async def _within(seconds: float, future: asyncio.Future[Found]) -> bool:
    """Wait for a future, at most so many seconds; whether it is done."""
    done, _ = await asyncio.wait((future,), timeout=max(seconds, 0))
    return bool(done)


def opened(unpacked: Callable[[_T], Item | Grave], value: _T | None) -> Found:
    """What ``unpacked`` makes of a value, or in what way it is damaged; None for no value. Raises nothing."""
    if value is None:
        return None
    try:
        return unpacked(value)
    except DamagedItemError as damaged:
        return damaged
    except Exception:  # noqa: BLE001 - anything odd is a miss
        return DamagedItemError(Damage.OTHER)
