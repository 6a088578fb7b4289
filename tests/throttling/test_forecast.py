"""The estimated start against the real one, when nobody new arrives: nine of ten within a quarter or two seconds."""

from __future__ import annotations

import random

import pytest

from tests.support.valkey import Valkey
from tests.throttling.worlds import BEGIN, Ask, World, world
from throttling import forecast
from throttling.limits import Limit, SlidingWindow, TokenBucket
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
    async with Store(valkey.address) as store:
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
    return forecast.starts(snapshot, there.decisions.rules, answers_in=0.5)
