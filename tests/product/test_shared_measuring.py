"""What all runs of a worker process measure together: once, and no longer than one of them is under way."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from besluitbron.shared_measuring import SharedMeasuring
from tests.support.serving import until

pytestmark = pytest.mark.anyio


class Measured:
    """Counts what is open; ``broken`` cannot be opened."""

    def __init__(self, *, broken: bool = False) -> None:
        self.broken = broken
        self.opened = 0
        self.closed = 0

    @asynccontextmanager
    async def __call__(self) -> AsyncIterator[None]:
        self.opened += 1
        if self.broken:
            raise OSError
        yield
        self.closed += 1


async def test_runs_in_loops_of_their_own_share_one_look_that_ends_with_the_last() -> None:
    """Rule L3."""
    measured = Measured()
    shared = SharedMeasuring(measured)
    both = threading.Barrier(3)

    async def run() -> None:
        async with shared.under_way():
            await asyncio.to_thread(both.wait, 30)
            await until(lambda: measured.opened > 0)

    others = [asyncio.to_thread(asyncio.run, run()) for _ in range(2)]
    await asyncio.gather(run(), *others)
    assert (measured.opened, measured.closed) == (1, 1)
    async with shared.under_way():
        await until(lambda: measured.opened == 2)
    assert measured.closed == 2


async def test_what_cannot_be_measured_stops_no_run() -> None:
    measured = Measured(broken=True)
    async with SharedMeasuring(measured).under_way():
        await until(lambda: measured.opened > 0)
