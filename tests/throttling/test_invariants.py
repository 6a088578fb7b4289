"""The invariants of the design page on turns, on the real scripts, whatever is asked and whatever becomes of it.

The platform counts for itself: requests arrive at any moment between grant and answer, and answers come out of order.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.support.valkey import PATIENCE, Valkey
from tests.throttling.worlds import BEGIN, Ask, World, world
from throttling.limits import Limit, SlidingWindow, TokenBucket
from throttling.store import Store

pytestmark = pytest.mark.anyio
FEW = settings(max_examples=max(settings().max_examples // 4, 10))
LIMITS: list[Limit] = [
    TokenBucket(5, 1),
    TokenBucket(6, 0.5),
    SlidingWindow(4, 8),
    SlidingWindow(6, 6),
    SlidingWindow(5, 60),
]
WINDOWS: list[Limit] = [limit for limit in LIMITS if isinstance(limit, SlidingWindow)]

waits = st.sampled_from([0.0, 0.0, 0.0, 0.0, 0.1, 0.7, 3.0, 11.0])
asks = st.builds(
    Ask,
    waits,
    session=st.sampled_from(["a", "b", "c", "d"]),
    cost=st.sampled_from([1.0, 1.0, 1.0, 0.5, 2.0]),
    takes=st.sampled_from([0.0, 0.1, 0.9, 4.0]),
    travels=st.sampled_from([0.0, 0.5, 1.0]),
)
fates = st.builds(
    Ask,
    waits,
    session=st.sampled_from(["a", "b", "c", "huis"]),
    cost=st.sampled_from([1.0, 1.0, 2.5, 9.0]),
    takes=st.sampled_from([0.0, 0.1, 0.9, 4.0, 10.0]),
    travels=st.sampled_from([0.0, 0.5, 1.0]),
    sent_after=st.sampled_from([0.0, 0.0, 4.9]),
    fate=st.sampled_from(["answered", "answered", "leaves", "dies", "unsent", "refused"]),
)
quiet = st.lists(asks, min_size=1, max_size=30)
wild = st.lists(fates, min_size=1, max_size=30)
heavy = st.sampled_from([0.0, 0.0, 5.0, 60.0, 6000.0])


DEAD_TOGETHER = [
    Ask(0.0, "a", takes=0.0, fate="dies"),
    Ask(0.0, "a", cost=9.0, takes=0.0, fate="dies"),
    Ask(0.0, "a", takes=0.0),
]


@given(limit=st.sampled_from(LIMITS), history=wild)
@example(limit=LIMITS[0], history=DEAD_TOGETHER)
async def test_the_platform_never_counts_more_than_its_limit_whatever_becomes_of_the_calls(
    valkey: Valkey, limit: Limit, history: list[Ask]
) -> None:
    """Invariants 1, 2, 3 and 5, with calls that are cancelled, die, are not sent, are refused, or are answered late."""
    async with Store(valkey.address, PATIENCE) as store:
        there = world(store, limit, deadline=10.0, lease=8.0)
        await there.begin()
        await there.play(history)


@given(limit=st.sampled_from(LIMITS), used=st.tuples(heavy, heavy), history=quiet)
async def test_every_session_gets_a_call_in_each_refill_time_while_their_calls_fit(
    valkey: Valkey, limit: Limit, used: tuple[float, float], history: list[Ask]
) -> None:
    """Invariants 2, 4 and 5, however much was used before."""
    async with Store(valkey.address, PATIENCE) as store:
        there = world(store, limit, deadline=10.0, lease=1e9)
        await there.begin([("a", used[0], 0.0), ("b", used[1], 0.0)])
        await there.play(history)


@FEW
@given(limit=st.sampled_from(WINDOWS), history=quiet)
async def test_no_room_is_left_unused_while_somebody_waits_when_grants_are_not_spaced(
    valkey: Valkey, limit: Limit, history: list[Ask]
) -> None:
    """Invariant 3, for the window; a bucket is never spaced and is watched in all other tests."""
    async with Store(valkey.address, PATIENCE) as store:
        there = world(store, limit, deadline=10.0, lease=1e9, spaced=False)
        await there.begin()
        await there.play(history)


def weigh(used: float, limit: float) -> float:
    return (1 + used / limit) ** 2


@FEW
@given(used=st.tuples(st.integers(0, 300), st.integers(0, 300)), bucket=st.booleans())
async def test_shares_by_use_stay_within_one_call_of_what_they_should_be(
    valkey: Valkey, used: tuple[int, int], bucket: bool
) -> None:
    """Invariant 6."""
    limit = 60
    async with Store(valkey.address, PATIENCE) as store:
        there = world(store, TokenBucket(limit, 1) if bucket else SlidingWindow(limit, limit), lease=1e9)
        await there.begin([("a", used[0], 0.0), ("b", used[1], 0.0), ("vol", 0.0, 0.0)])
        full = [Ask(0.0, "vol") for _ in range(limit)]
        await there.play([*full, *(Ask(0.0, name) for _ in range(70) for name in ("a", "b"))], until=90.0)
        now = {"a": float(used[0]), "b": float(used[1])}
        start = weigh(now["a"], limit) - weigh(now["b"], limit)
        served = [there.calls[call].watched.session for call, _ in there.grants]
        for session in [name for name in served if name != "vol"]:
            now[session] += 1
            given = now["a"] + now["b"] - sum(used)
            one_call = 2 * (1 + (max(now.values()) + 1) / limit) / limit
            # The squares run ahead of the sum of strides by 1/L² a call.
            assert abs(weigh(now["a"], limit) - weigh(now["b"], limit) - start) <= one_call + given / limit**2 + 1e-9


@FEW
@given(limit=st.sampled_from(LIMITS), takes=st.sampled_from([0.0, 0.3, 1.0]), used=heavy)
async def test_a_lone_session_gets_the_whole_limit(valkey: Valkey, limit: Limit, takes: float, used: float) -> None:
    """Invariant 7: all of it at once, and then as fast as the platform gives it back."""
    async with Store(valkey.address, PATIENCE) as store:
        there = world(store, limit, lease=1e9)
        await there.begin([("a", used, 0.0)])
        units, seconds = there.watch.units, there.watch.seconds
        calls = int(units) * 5
        await there.play([Ask(0.0, "a", takes=takes) for _ in range(calls)])
        moments = [at - BEGIN for _, at in there.grants]
        assert moments[int(units) - 1] == 0.0
        rounds = 4 if isinstance(limit, SlidingWindow) else (calls - units) / units
        assert moments[-1] <= rounds * (seconds + takes) + takes + 1e-6


@FEW
@given(limit=st.sampled_from(LIMITS), history=wild)
async def test_nothing_is_left_after_the_last_lease_but_the_epoch_and_young_use(
    valkey: Valkey, limit: Limit, history: list[Ask]
) -> None:
    """Invariant 8."""
    async with Store(valkey.address, PATIENCE) as store:
        there = world(store, limit, deadline=10.0, lease=8.0)
        await there.begin()
        await there.play(history)
        await later(there, there.watch.longest + there.watch.seconds + 8.0)
        assert await keys(store, there) <= {"staat", "sessies", "gezien"}
        await later(there, 1801.0)
        assert await keys(store, there) == {"staat"}


async def later(there: World, seconds: float) -> None:
    there.now += seconds
    there.decisions.frozen = there.now
    await there.decisions.renew()


async def keys(store: Store, there: World) -> set[str]:
    found: Any = await store._open().keys(f"{there.decisions.key}*".replace("{", "[{]").replace("}", "[}]"))
    return {name.decode().removeprefix(there.decisions.key) for name in found}
