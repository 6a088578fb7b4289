"""What happens to turns when the store fails, as docs/uitleg/beurten.md promises it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis.asyncio import Redis

from tests.support.valkey import Valkey, private_valkey
from tests.throttling.queues import KeptMemory, fresh_service, outgoing
from throttling.callers import Caller
from throttling.decisions import Decisions, Entry, QueueLostError
from throttling.limits import SlidingWindow
from throttling.memory import Used
from throttling.outgoing import Outgoing
from throttling.rules import QueueRules
from throttling.store import Store, StoreLostError
from throttling.turns import TurnsClosedError, Wanted

pytestmark = pytest.mark.anyio
BOUND = 30.0


@pytest.fixture
def own() -> Iterator[Valkey]:
    """A store that keeps what it holds when it is killed, and that no other test uses."""
    with private_valkey(keeps=True) as server:
        yield server


class Asker:
    """One call in a task of its own: ``told`` when it waits, ``begun`` when it has its turn, which it holds until ``end``."""

    def __init__(self, turns: Outgoing, service: str, session: str) -> None:
        self.told, self.begun, self._may_end = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self.task = asyncio.get_running_loop().create_task(self._ask(turns, service, session))

    async def _ask(self, turns: Outgoing, service: str, session: str) -> None:
        async with turns.turn(Wanted(service=service), Caller(session=session), lambda _: self.told.set()):
            self.begun.set()
            await self._may_end.wait()

    async def waits(self) -> None:
        async with asyncio.timeout(BOUND):
            await self.told.wait()

    async def begins(self) -> None:
        async with asyncio.timeout(BOUND):
            await self.begun.wait()

    async def end(self) -> None:
        self._may_end.set()
        async with asyncio.timeout(BOUND):
            await self.task


@asynccontextmanager
async def one_holds_one_waits(
    address: str, service: str, memory: KeptMemory, lease: float = 10.0
) -> AsyncIterator[tuple[Outgoing, Asker, Asker]]:
    async with outgoing(address, service, in_flight=1, memory=memory, lease=lease) as turns:
        holder = Asker(turns, service, "a")
        await holder.begins()
        waiter = Asker(turns, service, "b")
        await waiter.waits()
        try:
            yield turns, holder, waiter
        finally:
            for asker in (holder, waiter):
                asker.task.cancel()
            await asyncio.gather(holder.task, waiter.task, return_exceptions=True)


async def closed(turns: Outgoing, service: str) -> TurnsClosedError:
    """What a new asker hears."""
    async with asyncio.timeout(BOUND):
        with pytest.raises(TurnsClosedError) as failure:
            await Asker(turns, service, "c").task
    return failure.value


async def test_an_emptied_store_closes_the_queue_for_all_that_may_have_been_sent(own: Valkey) -> None:
    """Rule R12: who waits hears it at once, who comes hears until when, and use comes back from the database."""
    service, memory = fresh_service(), KeptMemory(uses=[Used("b", 30.0, 5.0)])
    async with one_holds_one_waits(own.address, service, memory, lease=1.5) as (turns, _, waiter):
        client = Redis.from_url(own.address)
        await client.flushall()
        await client.aclose()
        failure = await closed(turns, service)
        assert failure.retry_after is not None
        assert 60 + 25 < failure.retry_after <= 30 + 60 + 25
        async with asyncio.timeout(BOUND):
            with pytest.raises(TurnsClosedError):
                await waiter.task
        assert [session.used for session in (await turns.snapshot(service)).sessions] == [30_000]


async def test_a_queue_that_was_lost_opens_by_itself_when_its_rest_is_over(valkey: Valkey) -> None:
    async with Store(valkey.address) as store:
        queue = Decisions(store, fresh_service(), QueueRules(limit=SlidingWindow(60, 60), in_flight=None))
        queue.frozen = 1000.0
        await queue.open("e", 85.0, [])
        await queue.permit(1e6)
        queue.frozen = 1084.9
        early = await queue.enter(Entry(id="k1", process="p", session="a"))
        queue.frozen = 1085.0
        late = await queue.enter(Entry(id="k2", process="p", session="a"))
    assert (early.word, early.rests_until, late.word) == ("closed", 1085.0, "granted")


async def test_a_store_that_is_restarted_with_its_file_loses_no_place(own: Valkey) -> None:
    service = fresh_service()
    async with one_holds_one_waits(own.address, service, KeptMemory()) as (turns, holder, waiter):
        own.kill()
        await closed(turns, service)
        own.start()
        await holder.end()
        await waiter.begins()
        await waiter.end()


async def test_a_store_that_hangs_closes_for_who_comes_and_goes_on_for_who_waits(own: Valkey) -> None:
    service = fresh_service()
    async with one_holds_one_waits(own.address, service, KeptMemory()) as (turns, holder, waiter):
        assert own.process is not None
        os.kill(own.process.pid, signal.SIGSTOP)
        try:
            await closed(turns, service)
        finally:
            os.kill(own.process.pid, signal.SIGCONT)
        await holder.end()
        await waiter.begins()
        await waiter.end()


async def test_who_waits_hears_it_when_the_store_stays_away_for_a_lease(own: Valkey) -> None:
    service = fresh_service()
    async with one_holds_one_waits(own.address, service, KeptMemory(), lease=1.0) as (_, _, waiter):
        own.kill()
        async with asyncio.timeout(BOUND):
            with pytest.raises(TurnsClosedError):
                await waiter.task


async def test_a_store_whose_socket_is_gone_is_closed_until_it_is_back(own: Valkey) -> None:
    service, elsewhere = fresh_service(), own.path.with_suffix(".weg")
    own.path.rename(elsewhere)
    async with outgoing(own.address, service) as turns:
        await closed(turns, service)
        elsewhere.rename(own.path)
        asker = Asker(turns, service, "a")
        await asker.begins()
        await asker.end()


@asynccontextmanager
async def slow_way(to: Path, at: Path, seconds: float) -> AsyncIterator[str]:
    """A way to the store on which every answer takes ``seconds`` longer."""

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, wait: float) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65536):
                await asyncio.sleep(wait)
                writer.write(data)
        writer.close()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_unix_connection(str(to))
        await asyncio.gather(carry(reader, back, 0.0), carry(there, writer, seconds))

    server = await asyncio.start_unix_server(connected, str(at))
    async with server:
        yield f"unix://{at}"
        server.close()


async def test_a_store_that_answers_slowly_only_makes_turns_slow(own: Valkey) -> None:
    service = fresh_service()
    async with (
        slow_way(own.path, own.folder / "traag.sock", 0.3) as address,
        one_holds_one_waits(address, service, KeptMemory()) as (turns, holder, waiter),
    ):
        assert not waiter.begun.is_set()
        await holder.end()
        await waiter.begins()
        await waiter.end()
        assert (await turns.snapshot(service)).given == 2000


@given(damage=st.binary(max_size=40))
async def test_a_damaged_state_gives_no_turn(valkey: Valkey, damage: bytes) -> None:
    """Rule R12: whatever stands there, it is closed and never open."""
    async with Store(valkey.address) as store:
        queue = Decisions(store, fresh_service(), QueueRules(limit=SlidingWindow(60, 60), in_flight=1))
        await store._open().set(f"{queue.key}staat", damage)
        with pytest.raises((StoreLostError, QueueLostError)):
            await queue.enter(Entry(id="k", process="p", session="s"))
