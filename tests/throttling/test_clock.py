"""The server's time of day is set while we run: no step of it, forward or back, lets more through than the limit.

Here true time, the clock that nobody sets, and the server's clock are three things that a test moves apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha1

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.valkey import Valkey
from tests.throttling.queues import fresh_service
from tests.throttling.standins import CountingPlatform, WindowPlatform
from tests.throttling.worlds import platform_for
from throttling import decisions as room
from throttling.decisions import Decisions, Entry
from throttling.limits import Limit, SlidingWindow, TokenBucket
from throttling.rules import QueueRules
from throttling.store import Store

pytestmark = pytest.mark.anyio
BEGIN = 1_000_000.0


class SteppedStore(Store):
    """A store whose server tells the time that stands in a key."""

    def script(self, name: str) -> tuple[str, str]:
        text, _ = super().script(name)
        told = "{ redis.call('GET', key('klok')), '0' }"
        assert "redis.call('TIME')" in text
        text = text.replace("redis.call('TIME')", told)
        return text, sha1(text.encode()).hexdigest()

    async def tell(self, key: str, now: float) -> None:
        await self._open().set(f"{key}klok", repr(now))


@dataclass(slots=True)
class Times:
    """True time, and by how much the server's clock was set away from it."""

    true: float = BEGIN
    set_by: float = 0.0


steps = st.lists(
    st.tuples(
        st.sampled_from([0.0, 0.0, 0.4, 1.0, 3.0]),  # passes
        st.sampled_from([0.0, 0.0, 0.0, 90.0, -90.0, 1.5, -1.5]),  # the server's clock is set
        st.integers(0, 2),  # which process asks
    ),
    min_size=5,
    max_size=60,
)


@settings(max_examples=max(settings().max_examples // 2, 20))
@given(limit=st.sampled_from([SlidingWindow(4, 8), SlidingWindow(5, 60), TokenBucket(5, 1)]), history=steps)
async def test_no_step_of_the_servers_clock_lets_more_through_than_the_limit(
    valkey: Valkey, limit: Limit, history: list[tuple[float, float, int]]
) -> None:
    times, platform = Times(), platform_for(limit)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room, "monotonic", lambda: times.true)
        async with SteppedStore(valkey.address) as store:
            processes = await opened(store, times, limit)
            for number, (passes, set_by, process) in enumerate(history):
                times.true += passes
                times.set_by += set_by
                await store.tell(processes[0].key, times.true + times.set_by)
                await asks(processes[process], f"k{number}", times, platform)
    slack = 0.1 if isinstance(limit, TokenBucket) else 0.0
    assert platform.over() <= slack


async def opened(store: SteppedStore, times: Times, limit: Limit) -> list[Decisions]:
    """Three processes that each have spoken with the queue once."""
    rules = QueueRules(limit=limit, in_flight=None, deadline=5.0, lease=1e6, most=0)
    service = fresh_service()
    processes = [Decisions(store, service, rules) for _ in range(3)]
    await store.tell(processes[0].key, times.true)
    await processes[0].open("e", 0, [])
    for one in processes:
        await one.permit(1e12)
    return processes


async def asks(process: Decisions, name: str, times: Times, platform: CountingPlatform) -> None:
    """One call that is answered at once; whose turn comes later goes off at that moment."""
    verdict = await process.enter(Entry(id=name, process="p", session=name[-1], cost=1.0))
    turns = [name] if verdict.word == "granted" else []
    turns += [message.split("|")[1] for message in await process.messages("p")]
    while turns:
        turn = turns.pop()
        platform.arrives(times.true, 1.0)
        await process.done(turn)
        turns += [message.split("|")[1] for message in await process.messages("p")]


async def test_a_step_back_of_the_servers_clock_stops_nobody(valkey: Valkey) -> None:
    """Time goes on by the processes' own clocks: room comes back when it should, and not 90 seconds later."""
    times, platform = Times(), WindowPlatform(4, 8)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room, "monotonic", lambda: times.true)
        async with SteppedStore(valkey.address) as store:
            (process, *_) = await opened(store, times, SlidingWindow(4, 8))
            for number in range(4):
                await asks(process, f"k{number}", times, platform)
            times.true, times.set_by = times.true + 8.5, -90.0
            await store.tell(process.key, times.true + times.set_by)
            verdict = await process.enter(Entry(id="later", process="p", session="s"))
    assert verdict.word == "granted"


@pytest.mark.parametrize("step", [0.3, 1.5, 90.0])
async def test_a_step_forward_frees_no_charge_before_its_time(valkey: Valkey, step: float) -> None:
    times, platform = Times(), WindowPlatform(4, 8)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room, "monotonic", lambda: times.true)
        async with SteppedStore(valkey.address) as store:
            (process, *_) = await opened(store, times, SlidingWindow(4, 8))
            for number in range(4):
                await asks(process, f"k{number}", times, platform)
            times.true, times.set_by = times.true + 7.8, step
            await store.tell(process.key, times.true + times.set_by)
            verdict = await process.enter(Entry(id="early", process="p", session="s"))
    assert verdict.word == "waits"
