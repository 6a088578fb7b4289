"""Stopping calls through the store: what a process does when the store is away, and when it is back."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable
from dataclasses import dataclass, field

import pytest
from redis.asyncio.client import PubSub

from assistants import stopping
from assistants.stopping import Stopping
from tests.support.serving import BOUND, until
from tests.support.valkey import Valkey, private_valkey
from throttling import ending
from throttling import store as store_module
from throttling.store import Store, StoreLostError

pytestmark = pytest.mark.anyio


@dataclass(slots=True)
class Channels:
    """A store that is lost until it is found."""

    lost: bool = False
    said: list[tuple[str, str]] = field(default_factory=list)
    tries: int = 0

    async def publish(self, channel: str, message: str) -> None:
        if self.lost:
            raise StoreLostError
        self.said.append((channel, message))

    async def listen(self, channel: str) -> AsyncIterator[str]:
        self.tries += 1
        yield ""
        raise StoreLostError


def _waiting() -> asyncio.Task[bool]:
    return asyncio.get_running_loop().create_task(asyncio.Event().wait())


async def test_a_call_of_the_same_process_is_stopped_without_a_store() -> None:
    here, task, other = Stopping(Channels(lost=True)), _waiting(), _waiting()
    here.know("mcp:a", 1, task)
    here.know("mcp:a", "1", other)
    await here.stop("mcp:a", 1)
    await asyncio.wait([task], timeout=BOUND)
    assert task.cancelled()
    assert not other.done()
    other.cancel()


async def test_what_is_not_known_here_is_said_to_others_as_a_digest() -> None:
    channels = Channels()
    here, task = Stopping(channels), _waiting()
    here.know("mcp:a", "een vraag", task)
    for session, about in (("mcp:b", "een vraag"), ("mcp:a", "een andere vraag")):
        await here.stop(session, about)
    assert not task.done()
    assert len({key for _, key in channels.said}) == 2
    assert not [key for _, key in channels.said if "vraag" in key or "mcp" in key]
    task.cancel()
    await asyncio.wait([task])
    await here.stop("mcp:a", "een vraag")  # it is over, so it is known no more
    assert len(channels.said) == 3


async def test_a_store_that_is_lost_makes_no_fuss() -> None:
    await Stopping(Channels(lost=True)).stop("mcp:a", 1)


async def test_a_process_listens_again_when_the_store_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopping, "_AGAIN_SECONDS", 0.01)
    channels = Channels()
    async with Stopping(channels):
        await until(lambda: channels.tries > 2)


async def test_a_store_that_answers_nothing_is_lost_and_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopping, "_AGAIN_SECONDS", 0.01)
    monkeypatch.setattr(store_module, "_SILENCE", 0.1)
    with private_valkey() as server:
        async with Store(server.address) as store, Stopping(store) as here:
            await until(here.listening.is_set)
            assert server.process is not None
            server.process.send_signal(signal.SIGSTOP)
            await until(lambda: not here.listening.is_set())
            server.process.send_signal(signal.SIGCONT)
            await until(here.listening.is_set)


async def test_a_silent_channel_is_no_reason_to_think_that_the_store_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "_SILENCE", 0.2)
    with private_valkey() as server:
        async with Store(server.address) as store:
            heard = store.listen("stil")
            assert await anext(heard) == ""
            waiting = asyncio.ensure_future(anext(heard))
            async with asyncio.timeout(BOUND):
                while await _pings(store) < 3:
                    await asyncio.sleep(0.01)
                await store.publish("stil", "iets")
                assert await waiting == "iets"
            await heard.aclose()


async def _pings(store: Store) -> int:
    """How often anybody asked the store whether it is there."""
    counted: dict[str, dict[str, int]] = await store._open().info("commandstats")
    return counted.get("cmdstat_ping", {}).get("calls", 0)


async def test_a_restarted_store_carries_what_is_said_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopping, "_AGAIN_SECONDS", 0.01)
    with private_valkey() as server:
        async with Store(server.address) as store, Stopping(store) as here, Stopping(store) as there:
            await until(lambda: here.listening.is_set() and there.listening.is_set())
            server.kill()
            await until(lambda: not here.listening.is_set())
            server.start()
            await until(here.listening.is_set)
            task = _waiting()
            here.know("mcp:a", 1, task)
            await there.stop("mcp:a", 1)
            await asyncio.wait([task], timeout=BOUND)
            assert task.cancelled()


@pytest.mark.parametrize("steps", range(10))
async def test_whoever_listens_stops_at_whichever_step_of_a_ping(
    valkey: Valkey, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    """A cancellation that comes just as a ping is sent is not lost: a process that waits for its ear would never stop."""
    pinged, ping = asyncio.Event(), PubSub.ping

    def noted(ear: PubSub) -> Awaitable[bool]:
        pinged.set()
        return ping(ear)

    monkeypatch.setattr(PubSub, "ping", noted)
    monkeypatch.setattr(store_module, "_SILENCE", 0.1)
    async with Store(valkey.address) as store:
        ear = asyncio.ensure_future(_hear(store))
        async with asyncio.timeout(BOUND):
            await pinged.wait()
        for _ in range(steps):
            await asyncio.sleep(0)
        ear.cancel()
        await asyncio.wait({ear}, timeout=BOUND)
        assert ear.cancelled()


async def _hear(store: Store) -> None:
    async for _ in store.listen("stil"):
        pass


async def test_a_task_that_loses_a_cancellation_is_ended_still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ending, "_AGAIN_SECONDS", 0.001)
    lost: list[None] = []

    async def deaf() -> None:
        while len(lost) < 3:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                lost.append(None)
        await asyncio.Event().wait()

    task = asyncio.ensure_future(deaf())
    await asyncio.sleep(0)
    await ending.end(task)
    assert task.cancelled()
    assert len(lost) == 3
