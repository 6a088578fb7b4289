"""Real processes, killed with SIGKILL, at a real server that counts for itself what it gets."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

import throttling
from tests.support.valkey import Valkey
from tests.throttling.member import Orders
from tests.throttling.queues import fresh_service
from tests.throttling.standins import WindowPlatform
from throttling.decisions import Decisions
from throttling.snapshot import Snapshot, read_snapshot
from throttling.store import Store

pytestmark = pytest.mark.anyio
ROOT = Path(throttling.__file__).parent.parent
BOUND = 60.0
LEASE = 1.5


@dataclass(slots=True)
class Server:
    """An HTTP server that takes a while before and after it counts a request."""

    platform: WindowPlatform
    port: int = 0
    reached: int = 0
    enough: asyncio.Event | None = None

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        await asyncio.sleep(random.uniform(0, 0.1))
        self.platform.arrives(time.monotonic(), 1.0)
        if self.enough is not None and len(self.platform.seen) >= self.reached:
            self.enough.set()
        await asyncio.sleep(random.uniform(0, 0.1))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        writer.close()


@asynccontextmanager
async def counting(units: float, seconds: float) -> AsyncIterator[Server]:
    server = Server(WindowPlatform(units, seconds))
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    server.port = listening.sockets[0].getsockname()[1]
    async with listening:
        yield server


@asynccontextmanager
async def member(orders: Orders) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(*orders.command(), cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        process._transport.close()  # type: ignore[attr-defined]  # else its pipe outlives the loop


async def hears(process: asyncio.subprocess.Process, word: str) -> None:
    assert process.stdout is not None
    async with asyncio.timeout(BOUND):
        while (line := await process.stdout.readline()) != f"{word}\n".encode():
            assert line, f"it ended before it said {word}"


async def emptied(address: str, orders: Orders) -> Snapshot:
    """The queue once nobody waits and nothing is under way any more."""
    async with Store(address) as store, asyncio.timeout(BOUND):
        queue = Decisions(store, orders.service, orders.rules)
        while True:
            snapshot = read_snapshot(await queue.look())
            if not snapshot.calls:
                return snapshot
            await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    ("seconds", "calls"), [(3.0, 6), pytest.param(60.0, 6, marks=pytest.mark.lang)], ids=["3 s", "60 s"]
)
async def test_eight_processes_of_which_one_is_killed_never_pass_the_limit_and_leave_nothing_behind(
    valkey: Valkey, seconds: float, calls: int
) -> None:
    """Rule R11. The three askers of each make ``calls`` calls: more than two windows of 60 hold."""
    async with counting(60, seconds) as server, AsyncExitStack() as stack:
        server.reached, server.enough = 70, asyncio.Event()
        orders = Orders(
            address=valkey.address,
            service=fresh_service(),
            port=server.port,
            units=60,
            seconds=seconds,
            lease=LEASE,
            name="p",
            sessions=3,
            calls=calls,
        )
        crowd = [await stack.enter_async_context(member(replace(orders, name=f"p{n}"))) for n in range(8)]
        async with asyncio.timeout(BOUND + 3 * seconds):
            await server.enough.wait()
            crowd[0].kill()
            assert [await one.wait() for one in crowd] == [-9, *[0] * 7]
        assert (await emptied(valkey.address, orders)).waiting == 0
        assert server.platform.worst() == 60
        assert len(server.platform.seen) >= 7 * 3 * calls


@pytest.mark.parametrize("what", ["waits", "holds a turn", "makes a shared call"])
async def test_after_a_process_is_killed_the_next_asker_gets_its_turn(valkey: Valkey, what: str) -> None:
    """Rules of the page on turns: its place, its turn and its shared call are free after its lease."""
    flight = "zelfde" if what == "makes a shared call" else ""
    async with counting(60, 60) as server:
        orders = Orders(
            address=valkey.address,
            service=fresh_service(),
            port=server.port,
            units=60,
            seconds=60,
            lease=LEASE,
            name="eerste",
            in_flight=100 if flight else 1,
            flight=flight,
        )
        async with member(replace(orders, hangs=True)) as first, AsyncExitStack() as stack:
            await hears(first, "turn")
            killed = first
            if what == "waits":
                killed = await stack.enter_async_context(member(replace(orders, name="tweede")))
                await hears(killed, "waits")
            async with member(replace(orders, name="laatste")) as last:
                if not flight:
                    await hears(last, "waits")
                killed.kill()
                if what == "waits":
                    await gone(valkey.address, orders, "tweede.0")
                    first.kill()
                async with asyncio.timeout(BOUND):
                    assert await last.wait() == 0
        assert len(server.platform.seen) == 1


async def gone(address: str, orders: Orders, session: str) -> None:
    """Wait until no call of a session stands in the queue."""
    async with Store(address) as store, asyncio.timeout(BOUND):
        queue = Decisions(store, orders.service, orders.rules)
        while any(call.session == session for call in read_snapshot(await queue.look()).calls):
            await asyncio.sleep(0.05)
