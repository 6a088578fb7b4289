"""The estimated start against the real one, when nobody new arrives: nine of ten within a quarter or two seconds."""

from __future__ import annotations

import random

import pytest

from tests.support.valkey import PATIENCE, Valkey
from tests.throttling.worlds import BEGIN, Ask, World, world
from throttling import forecast
from throttling.decisions import Decisions, Entry
from throttling.limits import Limit, SlidingWindow, TokenBucket
from throttling.rules import QueueRules
from throttling.snapshot import read_snapshot
from throttling.store import Store

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("limit", [SlidingWindow(60, 60), SlidingWindow(6, 60), TokenBucket(60, 1)], ids=str)
@pytest.mark.parametrize("seed", [1, 2])
async def test_nine_of_ten_start_when_they_were_told(valkey: Valkey, limit: Limit, seed: int) -> None:
    chance = random.Random(seed)
    size = int(world_units(limit) * 2.5)
    asks = [
        Ask(
            chance.uniform(0, 0.1),
            chance.choice("abcdefg"),
            takes=chance.uniform(0.1, 0.9),
            cost=chance.choice([1, 1, 2]),
        )
        for _ in range(size)
    ]
    async with Store(valkey.address, PATIENCE) as store:
        there = world(store, limit, lease=1e9)
        await there.begin([("a", 300.0, 0.0), ("b", 60.0, 0.0)])
        await there.play(asks, until=size / 10)
        told = await estimated(there, size / 10)
        await there.play([])
    began = dict(there.grants)
    errors = [(abs(began[call] - BEGIN - size / 10 - told[call]), told[call]) for call in told]
    right = sum(error <= max(2.0, 0.25 * seconds) for error, seconds in errors)
    assert len(told) > size / 3
    assert right >= 0.9 * len(told)


def world_units(limit: Limit) -> float:
    return limit.capacity if isinstance(limit, TokenBucket) else limit.units


async def estimated(there: World, at: float) -> dict[str, float]:
    there.decisions.frozen = there.now = BEGIN + at
    snapshot = read_snapshot(await there.decisions.look())
    return forecast.starts(snapshot, there.decisions.rules)


@pytest.mark.parametrize(("answered", "at_least"), [(0, 3.9), (3, 5.0)])
async def test_a_slow_service_is_foretold_by_those_under_way_and_by_its_answers_also_where_nobody_saw_them(
    valkey: Valkey, answered: int, at_least: float
) -> None:
    """One call at a time, five seconds each: the tenth who waits starts after some fifty seconds."""
    rules = QueueRules(limit=None, in_flight=1, lease=1e9)
    async with Store(valkey.address, PATIENCE) as store:
        decisions = Decisions(store, f"traag{answered}", rules)
        decisions.frozen = BEGIN
        await decisions.open("e", 0, [])
        await decisions.permit(1e12)
        for number in range(10 + answered + 1):
            await decisions.enter(Entry(id=str(number), process="p", session="a"))
        for number in range(answered):
            decisions.frozen = BEGIN + 5.0 * (number + 1)
            await decisions.done(str(number))
        decisions.frozen += 4.0
        told = forecast.starts(read_snapshot(await decisions.look()), rules)
    assert list(told) == [str(number) for number in range(answered + 1, answered + 11)]
    assert list(told.values())[-1] >= at_least * 9
    assert list(told.values())[-1] <= 50
