"""The seats of reports at PostgreSQL, for threads that open connections: a seat first, then the connection (rule L2).

Seats are decided on in the store, by all processes and machines together; one thread with a loop of its own asks for those of
this process and keeps the leases of what is held.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
import uuid
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, Final, TypeVar

import structlog
from django.conf import settings

from throttling.load_rules import LoadRules
from throttling.seats import LEASE, Seats
from throttling.store import Store, StoreLostError, monotonic

log = structlog.get_logger(__name__)
_T = TypeVar("_T")
_NAME: Final = "rapporten"
_AGAIN: Final = 0.05
_STORE_SECONDS: Final = 5.0
_COUNTED: ContextVar[bool] = ContextVar("counted", default=False)


class NoSeatError(Exception):
    """All seats stayed taken for as long as somebody waits, or the store is away."""


@contextmanager
def counted() -> Iterator[None]:
    """Whatever connections are opened within, also in threads that it starts, need a seat of reports."""
    before = _COUNTED.set(True)
    try:
        yield
    finally:
        _COUNTED.reset(before)


def is_counted() -> bool:
    """Whether who asks works for reports."""
    return _COUNTED.get()


class Places:
    """The seats that this process holds.

    ``patience``: seconds that a thread waits for one, as long as SQLite lets it wait for its writer.
    """

    def __init__(self, patience: float = 10.0, lease: float = LEASE) -> None:
        self._most: Callable[[], int] = lambda: 1  # before the rules are known: not more than they can say
        self._patience = patience
        self._lease = lease
        self._guard = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._held: set[str] = set()
        self._store: Store | None = None
        self._keeping: asyncio.Task[None] | None = None

    @property
    def most(self) -> int:
        """How many seats there are, as far as is known."""
        return self._most()

    def follow(self, rules: Callable[[], LoadRules]) -> None:
        """Let there be as many seats as ``rules`` says from now on, once it says anything else than it does now."""
        usual, before = rules(), self.most
        self._most = lambda: before if rules() is usual else rules().report_connections

    def take(self) -> str:
        """Wait for a seat; gives the name under which it is held. Raises ``NoSeatError``. Blocks: for threads alone."""
        holder = uuid.uuid4().hex
        asked = self._start(self._take(holder))
        try:
            got = asked.result(self._patience + _STORE_SECONDS)
        except (StoreLostError, TimeoutError, concurrent.futures.CancelledError) as failure:
            asked.cancel()
            raise NoSeatError from failure
        if not got:
            raise NoSeatError
        return holder

    def leave(self, holder: str) -> None:
        """Give a seat back, once its connection is gone. Waits for nothing; what the store does not hear, ends by its lease."""
        with suppress(RuntimeError):  # the process ends
            self._start(self._leave(holder))

    def close(self) -> None:
        """Give all back and end the thread; the next who takes a seat begins anew."""
        with self._guard:
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop is not None and thread is not None:
            loop.call_soon_threadsafe(loop.stop)
            thread.join()

    def _start(self, work: Coroutine[Any, Any, _T]) -> concurrent.futures.Future[_T]:
        """Begin work in the loop of the seats, which is started when there is none."""
        with self._guard:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=self._run, args=(self._loop,), name="plaatsen van rapporten", daemon=True
                )
                self._thread.start()
            return asyncio.run_coroutine_threadsafe(work, self._loop)

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        try:
            loop.run_forever()
        finally:
            loop.run_until_complete(self._end())
            loop.close()

    async def _end(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        with suppress(StoreLostError):
            if self._held:
                await (await self._asked()).leave(*self._held)
        self._held.clear()
        store, self._store = self._store, None
        if store is not None:
            await store.__aexit__(None, None, None)

    async def _take(self, holder: str) -> bool:
        """Whether a seat came free in time."""
        ends = monotonic() + self._patience
        while not await (await self._asked()).take(holder, self.most):
            if monotonic() > ends:
                return False
            await asyncio.sleep(_AGAIN)
        self._held.add(holder)
        if self._keeping is None or self._keeping.done():
            self._keeping = asyncio.get_running_loop().create_task(self._keep())
        return True

    async def _leave(self, holder: str) -> None:
        self._held.discard(holder)
        with suppress(StoreLostError):
            await (await self._asked()).leave(holder)

    async def _keep(self) -> None:
        """Hold what is held, for as long as anything is."""
        while self._held:
            await asyncio.sleep(self._lease / 3)
            if not self._held:
                return
            held = tuple(self._held)
            with suppress(StoreLostError):
                if await (await self._asked()).keep(held) < len(self._held.intersection(held)):
                    log.warning("report_seats_lost")

    async def _asked(self) -> Seats:
        """The seats, in a store that is opened at the first question."""
        if self._store is None:
            self._store = await Store(settings.STATE_STORE).__aenter__()
        return Seats(self._store, _NAME, self._lease)


PLACES: Final = Places()
"""Of this process."""
