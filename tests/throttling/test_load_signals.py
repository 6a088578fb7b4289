"""How busy it is: smoothed, told to the gate, and no reason for trouble when it cannot be seen or told."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator

import pytest

from tests.support.serving import until
from tests.support.valkey import Valkey
from throttling import load_signals
from throttling.load import Answer, Event, EventKind, LoadGate
from throttling.load_rules import LoadRules, Signal
from throttling.load_signals import Measuring, PageTimes, Smoothed, processor_share
from throttling.store import Store

pytestmark = pytest.mark.anyio
_NUMBERS = itertools.count()


@pytest.fixture
async def gate(valkey: Valkey) -> AsyncIterator[LoadGate]:
    async with Store(valkey.address) as store:
        yield LoadGate(store, LoadRules(slots=9), f"signalen{next(_NUMBERS)}")


class Machine:
    """As busy as a test says, with a clock of its own."""

    def __init__(self) -> None:
        self.share = 0.0
        self.now = 0.0
        self.unseen = False
        self.passed_on: list[Event] = []

    async def gauge(self) -> float:
        if self.unseen:
            raise OSError
        return self.share

    async def take(self, events: tuple[Event, ...]) -> None:
        self.passed_on += events

    def measuring(self, gate: LoadGate) -> Measuring:
        gauges = {Signal.PROCESSOR: self.gauge}
        return Measuring(gate, "p", gauges, self.take, clock=lambda: self.now)


def test_a_share_follows_in_ten_seconds_however_often_one_looks() -> None:
    often, seldom = Smoothed(), Smoothed()
    for one in (often, seldom):
        one.follow(0.0, 0)
    for tenth in range(1, 101):
        often.follow(1.0, tenth / 10)
    seldom.follow(1.0, 10)
    assert often.value == pytest.approx(seldom.value) == pytest.approx(0.632, abs=0.001)
    assert Smoothed().follow(0.9, 5) == 0.9
    before = seldom.value
    assert seldom.follow(0.0, 5) == before  # a clock that went back


async def test_a_page_counts_once_against_its_target() -> None:
    pages = PageTimes(0.5)
    for seconds in (0.1, 0.5, 0.3):
        pages.add(seconds)
    assert [await pages.share(), await pages.share()] == [pytest.approx(0.6), 0.0]


async def test_the_share_of_the_processors_is_a_share() -> None:
    assert 0 <= await processor_share() <= 1


async def test_one_peak_shuts_nothing_and_what_lasts_does(gate: LoadGate) -> None:
    machine = Machine()
    measuring = machine.measuring(gate)
    await measuring.look()
    await gate.ask("vraag0", "a", "iets0", "werk0", 5)
    machine.share, machine.now = 1.0, 1.0
    await measuring.look()
    assert (await gate.ask("vraag1", "a", "iets1", "werk1", 5)).answer is Answer.STARTS
    machine.now = 30.0
    await measuring.look()
    assert (await gate.ask("vraag2", "a", "iets2", "werk2", 5)).answer is Answer.WAITS
    machine.share, machine.now = 0.0, 60.0
    await measuring.look()
    assert machine.passed_on == [Event(EventKind.START, "werk2")]


async def test_what_cannot_be_seen_counts_as_before(gate: LoadGate) -> None:
    machine = Machine()
    machine.share = 0.9
    measuring = machine.measuring(gate)
    await measuring.look()
    machine.unseen = True
    await measuring.look()
    assert measuring.shares == {Signal.PROCESSOR: 0.9}
    assert (await gate.overview())[0].signals[Signal.PROCESSOR] == (0.9, True)


async def test_a_lost_store_is_told_nothing_and_again_when_it_is_back(
    valkey: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load_signals, "EVERY", 0.001)
    machine = Machine()
    machine.share = 0.5
    nowhere = LoadGate(Store("unix:///nergens"), LoadRules())
    await machine.measuring(nowhere).look()
    async with Store(valkey.address) as store:
        gate = LoadGate(store, LoadRules(), f"signalen{next(_NUMBERS)}")
        async with machine.measuring(gate) as measuring:
            await until(lambda: bool(measuring.shares[Signal.PROCESSOR]))
            async with asyncio.timeout(10):
                while not (await gate.overview())[0].signals[Signal.PROCESSOR][0]:
                    await asyncio.sleep(0.001)
