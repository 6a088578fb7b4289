"""A new MCP session begins with the recent use of its address: opening sessions buys no share."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.support.valkey import PATIENCE, Valkey
from tests.throttling.queues import fresh_service
from throttling.decisions import Decisions, Entry
from throttling.limits import SlidingWindow
from throttling.rules import QueueRules
from throttling.snapshot import read_snapshot
from throttling.store import Store

pytestmark = pytest.mark.anyio
ADDRESS = "adres:a"


class Queue(Decisions):
    """A queue in invented time."""

    frozen: float

    async def call(self, call: str, session: str, heir_of: str = ADDRESS, cost: float = 1.0) -> str:
        verdict = await self.enter(Entry(id=call, process="p", session=session, cost=cost, heir_of=heir_of))
        return verdict.word

    async def used(self) -> dict[str, float]:
        return {session.name: session.used / 1000 for session in read_snapshot(await self.look()).sessions}


@pytest.fixture
async def queue(valkey: Valkey) -> AsyncIterator[Queue]:
    async with Store(valkey.address, PATIENCE) as store:
        made = Queue(store, fresh_service(), QueueRules(limit=SlidingWindow(units=60, seconds=60), in_flight=100))
        made.frozen = 0.0
        await made.open("een", 0.0, ())
        await made.permit(1e9)
        yield made


async def test_the_use_of_all_sessions_of_an_address_is_what_the_next_one_begins_with(queue: Queue) -> None:
    await queue.call("a", "mcp:1", cost=10)
    await queue.call("b", "mcp:2", cost=5)
    await queue.call("c", "mcp:1", cost=1)
    await queue.call("d", "mcp:3", cost=1)
    assert await queue.used() == {"mcp:1": 11, "mcp:2": 15, "mcp:3": 17, ADDRESS: 17}


async def test_sessions_opened_beforehand_begin_no_lower(queue: Queue) -> None:
    """What counts is when a session first calls, not when it was opened."""
    for place in range(10):
        await queue.call(f"a{place}", f"mcp:{place}", cost=4)
    used = await queue.used()
    assert [used[f"mcp:{place}"] for place in range(10)] == [4 * (place + 1) for place in range(10)]


async def test_others_are_left_alone(queue: Queue) -> None:
    await queue.call("a", "mcp:1", cost=10)
    await queue.call("b", "mcp:2", heir_of="adres:b")
    await queue.call("c", "contract:c", heir_of="")
    used = await queue.used()
    assert (used["mcp:2"], used["contract:c"], used["adres:b"]) == (1, 1, 1)


async def test_a_call_that_never_left_counts_for_neither(queue: Queue) -> None:
    await queue.call("a", "mcp:1", cost=10)
    await queue.not_sent("a")
    assert await queue.used() == {"mcp:1": 0, ADDRESS: 0}


async def test_a_call_that_the_platform_refused_counts_once(queue: Queue) -> None:
    await queue.call("a", "mcp:1", cost=10)
    await queue.refused("a", 5.0)
    assert await queue.used() == {"mcp:1": 0, ADDRESS: 0}
    queue.frozen = 20.0
    await queue.renew(["a"])
    assert await queue.used() == {"mcp:1": 10, ADDRESS: 10}


async def test_a_call_that_waited_counts_for_the_address_too(queue: Queue) -> None:
    await queue.call("a", "contract:c", heir_of="", cost=60)
    assert await queue.call("b", "mcp:1") == "waits"
    await queue.done("a")
    queue.frozen = 61.0
    await queue.renew(["b"])
    assert (await queue.used())[ADDRESS] == 1


async def test_the_address_is_forgotten_half_an_hour_after_the_last_call_of_any_session(queue: Queue) -> None:
    """Rule R9."""
    await queue.call("a", "mcp:1", cost=10)
    await queue.done("a")
    queue.frozen = 1000.0
    await queue.call("b", "mcp:2", cost=2)
    await queue.done("b")
    queue.frozen = 1900.0
    await queue.renew()
    assert await queue.used() == {"mcp:2": 12, ADDRESS: 12}
    queue.frozen = 2801.0
    await queue.renew()
    assert await queue.used() == {}


async def test_a_session_that_the_store_lost_still_counts_for_its_address(valkey: Valkey) -> None:
    async with Store(valkey.address, PATIENCE) as store:
        queue = Queue(store, fresh_service(), QueueRules(limit=SlidingWindow(units=60, seconds=60), in_flight=100))
        queue.frozen = 0.0
        await queue.open("twee", 0.0, [("mcp:1", 10.0, 5.0), (ADDRESS, 10.0, 5.0)])
        await queue.permit(1e9)
        await queue.call("a", "mcp:1")
        assert await queue.used() == {"mcp:1": 11, ADDRESS: 11}
