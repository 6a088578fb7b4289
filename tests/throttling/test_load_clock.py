"""The server's time of day is set while reports wait and are made: the gate's own clock goes on, by clocks that nobody sets."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.valkey import PATIENCE, Valkey
from tests.throttling.test_clock import BEGIN, SteppedStore, Times
from throttling import load
from throttling.load import Answer, AskState, LoadGate
from throttling.load_rules import LoadRules

pytestmark = pytest.mark.anyio
_NUMBERS = itertools.count()
RULES = LoadRules(slots=1, lease=20.0, longest_wait=600.0)


class World:
    """Processes at one gate, with true time and the server's time of day apart."""

    def __init__(self, store: SteppedStore, times: Times) -> None:
        self._store = store
        self._name = f"klok{next(_NUMBERS)}"
        self.times = times

    def process(self) -> LoadGate:
        return LoadGate(self._store, RULES, self._name)

    async def step(self, seconds: float, set_by: float = 0.0) -> None:
        """True time goes on, and somebody sets the server's clock by so much."""
        self.times.true += seconds
        self.times.set_by += set_by
        await self._store.tell(self.process().key, self.times.true + self.times.set_by)


@pytest.fixture
def times(monkeypatch: pytest.MonkeyPatch) -> Times:
    found = Times()
    monkeypatch.setattr(load, "monotonic", lambda: found.true)
    return found


@pytest.fixture
async def world(valkey: Valkey, times: Times) -> AsyncIterator[World]:
    async with SteppedStore(valkey.address, PATIENCE) as store:
        made = World(store, times)
        await made.step(0)
        yield made


@pytest.mark.parametrize("back", [5.0, 90.0, 100_000.0])
async def test_a_step_back_keeps_nobody_waiting_longer_than_may_be(world: World, back: float) -> None:
    """Rule L6."""
    gate = world.process()
    await gate.ask("a", "een", "een", "werk1", 10)
    assert (await gate.take("werk1", "w"))[0] is not None
    assert (await gate.ask("b", "ander", "twee", "werk2", 10)).answer is Answer.WAITS
    await world.step(10, -back)
    assert (await gate.renew("werk1", "w", 1, 10))[0] == "on"
    for _ in range(59):
        await world.step(10)
        await gate.renew("werk1", "w", 1, 10)
    seen, _ = await gate.see("b")
    assert seen is not None
    assert (seen.state, round(seen.now - seen.asked_at, 3)) == (AskState.REFUSED, 600)


async def test_a_step_back_ends_a_lease_in_time(world: World) -> None:
    """Rule L10."""
    gate = world.process()
    await gate.ask("a", "een", "een", "werk1", 10)
    await gate.take("werk1", "w")
    await world.step(1, -5000)
    await gate.renew("werk1", "w", 1, 10)
    await world.step(19)
    assert (await gate.see("a"))[0].deaths == 0  # type: ignore[union-attr]
    await world.step(2)
    assert (await gate.see("a"))[0].deaths == 1  # type: ignore[union-attr]


@pytest.mark.parametrize("forward", [90.0, 100_000.0])
async def test_a_step_forward_ends_no_lease_and_no_waiting_before_its_time(world: World, forward: float) -> None:
    gate = world.process()
    await gate.ask("a", "een", "een", "werk1", 10)
    await gate.take("werk1", "w")
    await gate.ask("b", "ander", "twee", "werk2", 10)
    await world.step(1, forward)
    assert (await gate.renew("werk1", "w", 1, 10))[0] == "on"
    seen, _ = await gate.see("b")
    assert seen is not None
    assert (seen.state, round(seen.now - seen.asked_at, 3)) == (AskState.WAITS, 1)


async def test_a_process_that_comes_after_the_step_goes_on_from_where_the_clock_was(world: World) -> None:
    """It knows no time of its own yet: it stands on what is written down, and moves."""
    gate = world.process()
    await gate.ask("a", "een", "een", "werk1", 10)
    began = (await gate.overview())[0].now
    await world.step(0, -5000)
    new = world.process()
    await new.take("werk1", "w")
    await world.step(30)
    assert (await new.overview())[0].now == pytest.approx(began + 30)
    assert (await world.process().overview())[0].now == pytest.approx(began + 30)


@given(
    history=st.lists(
        st.tuples(
            st.sampled_from([0.0, 0.5, 3.0, 30.0]),  # passes
            st.sampled_from([0.0, 0.0, 0.0, 90.0, -90.0, 5000.0, -5000.0]),  # the server's clock is set
            st.integers(0, 2),  # which process looks
        ),
        max_size=40,
    )
)
async def test_however_the_clock_is_set_time_goes_on_for_all_as_it_does(
    valkey: Valkey, history: list[tuple[float, float, int]]
) -> None:
    times = Times()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(load, "monotonic", lambda: times.true)
        async with SteppedStore(valkey.address, PATIENCE) as store:
            world = World(store, times)
            await world.step(0)
            processes = [world.process() for _ in range(3)]
            for one in processes:
                await one.measure("p", {})
            for passes, set_by, process in history:
                await world.step(passes, set_by)
                now = (await processes[process].overview())[0].now
                assert now == pytest.approx(times.true, abs=0.5)
    assert times.true >= BEGIN
