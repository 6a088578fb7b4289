"""Turns of one process, against a platform that counts arrivals for itself, in virtual time."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.virtual_time import run_virtually
from throttling.callers import house
from throttling.limits import SlidingWindow, TokenBucket
from throttling.process_turns import ProcessTurns, ServiceLimits
from throttling.turns import TurnRefusedError, Wanted


def unseen(seconds: float) -> None:
    del seconds


@dataclass
class Platform:
    """Counts what arrives, on its own clock."""

    units: float
    seconds: float
    arrivals: list[tuple[float, float]] = field(default_factory=list)
    under_way: int = 0
    most_under_way: int = 0
    worst: float = 0.0

    def arrive(self, moment: float, cost: float) -> None:
        self.arrivals.append((moment, cost))
        inside = sum(c for at, c in self.arrivals if at > moment - self.seconds + 1e-9)
        self.worst = max(self.worst, inside)


async def call(
    turns: ProcessTurns, platform: Platform, *, travel: float = 0.0, takes: float = 0.0, cost: float = 1.0
) -> float:
    loop = asyncio.get_running_loop()
    async with turns.turn(Wanted(service="p/s", cost=cost), house(), unseen):
        platform.under_way += 1
        platform.most_under_way = max(platform.most_under_way, platform.under_way)
        started = loop.time()
        await asyncio.sleep(travel)
        platform.arrive(loop.time(), cost)
        await asyncio.sleep(takes)
        platform.under_way -= 1
    return started


@given(
    calls=st.lists(
        st.tuples(st.floats(0, 30), st.floats(0, 2), st.floats(0, 5), st.sampled_from([0.125, 1.0, 1.304, 3.0])),
        max_size=40,
    ),
    in_flight=st.integers(1, 4),
)
def test_no_more_arrives_in_any_window_than_the_platform_allows(
    calls: list[tuple[float, float, float, float]], in_flight: int
) -> None:
    platform = Platform(units=5, seconds=10)
    turns = ProcessTurns({"p/s": ServiceLimits(in_flight, SlidingWindow(5, 10))})

    async def later(start: float, travel: float, takes: float, cost: float) -> None:
        await asyncio.sleep(start)
        await call(turns, platform, travel=travel, takes=takes, cost=cost)

    async def all_of_them() -> None:
        await asyncio.gather(*(later(*each) for each in calls))

    run_virtually(all_of_them())
    assert len(platform.arrivals) == len(calls)
    assert platform.worst <= 5 + 1e-9
    assert platform.most_under_way <= in_flight


@dataclass
class Bucket:
    """A platform with a bucket of its own, as it publishes: refills all the time, refuses what does not fit."""

    units: float
    per_second: float
    level: float = field(init=False)
    at: float = 0.0
    refused: int = 0

    def __post_init__(self) -> None:
        self.level = self.units

    def arrive(self, moment: float, cost: float) -> None:
        self.level = min(self.units, self.level + (moment - self.at) * self.per_second)
        self.at = moment
        if cost > self.level + 1e-6:
            self.refused += 1
        else:
            self.level -= cost


@given(
    calls=st.lists(st.tuples(st.floats(0, 30), st.floats(0, 4), st.floats(0, 4)), min_size=1, max_size=50),
    in_flight=st.integers(1, 6),
)
def test_a_bucket_over_there_never_refuses_however_late_calls_arrive(
    calls: list[tuple[float, float, float]], in_flight: int
) -> None:
    bucket = Bucket(6, 0.5)
    turns = ProcessTurns({"p/s": ServiceLimits(in_flight, TokenBucket(6, 0.5))})

    async def one(start: float, travel: float, back: float) -> None:
        loop = asyncio.get_running_loop()
        await asyncio.sleep(start)
        async with turns.turn(Wanted(service="p/s", cost=1), house(), unseen):
            await asyncio.sleep(travel)
            bucket.arrive(loop.time(), 1)
            await asyncio.sleep(back)

    async def all_of_them() -> None:
        await asyncio.gather(*(one(*each) for each in calls))

    run_virtually(all_of_them())
    assert bucket.refused == 0


def test_who_waits_at_a_bucket_starts_one_after_another_and_not_all_at_the_end() -> None:
    async def scenario() -> list[float]:
        turns = ProcessTurns({"p/s": ServiceLimits(4, TokenBucket(2, 0.5))})
        platform = Platform(99, 1)
        return list(await asyncio.gather(*(call(turns, platform) for _ in range(5))))

    assert run_virtually(scenario()) == pytest.approx([0, 0, 2, 4, 6], abs=1e-3)


def test_who_came_first_goes_first() -> None:
    async def scenario() -> list[int]:
        turns = ProcessTurns({"p/s": ServiceLimits(1, SlidingWindow(1, 10))})
        order: list[int] = []

        async def one(number: int) -> None:
            async with turns.turn(Wanted(service="p/s", cost=1), house(), unseen):
                order.append(number)

        await asyncio.gather(*(one(number) for number in range(5)))
        return order

    assert run_virtually(scenario()) == [0, 1, 2, 3, 4]


def test_a_call_that_waits_is_told_about_when_it_starts_and_starts_then() -> None:
    told: list[float] = []

    async def scenario() -> float:
        turns = ProcessTurns({"p/s": ServiceLimits(4, TokenBucket(2, 0.5))})
        platform = Platform(2, 4)
        await call(turns, platform)
        await call(turns, platform)
        async with turns.turn(Wanted(service="p/s", cost=1), house(), told.append):
            return asyncio.get_running_loop().time()

    assert run_virtually(scenario()) == pytest.approx(told[0], abs=1e-3)
    assert told[0] == pytest.approx(2.0)


def test_a_call_that_gives_up_while_it_waits_leaves_its_place_and_costs_nothing() -> None:
    async def scenario() -> float:
        turns = ProcessTurns({"p/s": ServiceLimits(1, SlidingWindow(1, 10))})
        platform = Platform(1, 10)
        await call(turns, platform)
        waits = asyncio.get_running_loop().create_task(call(turns, platform))
        behind = asyncio.get_running_loop().create_task(call(turns, platform))
        await asyncio.sleep(1)
        waits.cancel()
        return await behind

    assert run_virtually(scenario()) == pytest.approx(10.0)


def test_a_platform_that_says_too_much_gets_the_rest_it_asks_for_and_the_call_is_not_charged() -> None:
    async def scenario() -> float:
        turns = ProcessTurns({"p/s": ServiceLimits(1, SlidingWindow(1, 100))})
        async with turns.turn(Wanted(service="p/s", cost=1), house(), unseen) as turn:
            turn.refused(7)
        return await call(turns, Platform(1, 100))

    assert run_virtually(scenario()) == pytest.approx(7.0)


def test_a_request_that_never_left_is_not_charged() -> None:
    async def scenario() -> float:
        turns = ProcessTurns({"p/s": ServiceLimits(1, SlidingWindow(1, 100))})
        async with turns.turn(Wanted(service="p/s", cost=1), house(), unseen) as turn:
            turn.not_sent()
        return await call(turns, Platform(1, 100))

    assert run_virtually(scenario()) == 0.0


def test_a_queue_that_would_take_more_than_ten_minutes_is_refused_with_a_time() -> None:
    async def scenario() -> None:
        turns = ProcessTurns({"p/s": ServiceLimits(1, SlidingWindow(1, 400))})
        platform = Platform(1, 400)
        await call(turns, platform)
        waiting = [asyncio.get_running_loop().create_task(call(turns, platform)) for _ in range(1)]
        await asyncio.sleep(0)
        with pytest.raises(TurnRefusedError) as refused:
            await call(turns, platform)
        assert refused.value.retry_after == pytest.approx(800.0)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    run_virtually(scenario())


@pytest.mark.parametrize("share", [0.1, 0.8])
def test_a_process_keeps_to_its_share_of_the_limit(share: float) -> None:
    async def scenario() -> float:
        turns = ProcessTurns({"p/s": ServiceLimits(4, SlidingWindow(60, 60))}, share=share)
        platform = Platform(60, 60)
        await asyncio.gather(*(call(turns, platform) for _ in range(55)))
        return platform.worst

    assert run_virtually(scenario()) == pytest.approx(60 * share)


def test_a_service_without_a_known_limit_still_bears_so_many_at_once() -> None:
    async def scenario() -> int:
        turns = ProcessTurns({"p/s": ServiceLimits(2)})
        platform = Platform(1000, 1)
        await asyncio.gather(*(call(turns, platform, takes=1) for _ in range(10)))
        return platform.most_under_way

    assert run_virtually(scenario()) == 2
