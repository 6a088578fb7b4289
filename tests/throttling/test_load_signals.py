"""How busy it is: smoothed, told to the gate, and no reason for trouble when it cannot be seen or told."""

from __future__ import annotations

import asyncio
import itertools
import math
from collections.abc import AsyncIterator
from dataclasses import replace

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
        self.step = 0.0
        self.unseen = False
        self.passed_on: list[Event] = []

    async def gauge(self, _: LoadRules) -> float:
        self.now += self.step
        if self.unseen:
            raise OSError
        return self.share

    async def take(self, events: tuple[Event, ...]) -> None:
        self.passed_on += events

    def measuring(self, gate: LoadGate) -> Measuring:
        gauges = {Signal.PROCESSOR: self.gauge}
        return Measuring(gate, "p", gauges, self.take, clock=lambda: self.now)


def test_a_share_follows_in_ten_seconds_however_often_one_looks() -> None:
    """Rule L4."""
    often, seldom = Smoothed(), Smoothed()
    for one in (often, seldom):
        one.follow(0.0, 0, 10.0)
    for tenth in range(1, 101):
        often.follow(1.0, tenth / 10, 10.0)
    seldom.follow(1.0, 10, 10.0)
    assert often.value == pytest.approx(seldom.value) == pytest.approx(0.632, abs=0.001)
    assert Smoothed().follow(0.9, 5, 10.0) == 0.0
    before = seldom.value
    assert seldom.follow(0.0, 5, 10.0) == before  # a clock that went back


async def test_a_page_counts_once_against_its_target() -> None:
    pages = PageTimes()
    for seconds in (0.1, 0.5, 0.3):
        pages.add(seconds)
    assert [await pages.share(LoadRules()), await pages.share(LoadRules())] == [pytest.approx(0.6), None]


async def test_a_target_and_a_smoothing_that_are_changed_count_from_the_next_look(gate: LoadGate) -> None:
    """Rule L12: in a process that goes on measuring."""
    pages, times, passed_on = PageTimes(), iter(range(100)), Machine()
    measuring = Measuring(gate, "p", {Signal.PAGE: pages.share}, passed_on.take, clock=lambda: float(next(times)))

    async def look() -> float:
        pages.add(0.25)
        await measuring.look()
        return measuring.shares[Signal.PAGE]

    assert [await look(), await look()] == [0.0, pytest.approx(0.5 * (1 - math.exp(-0.1)))]
    gate.rules = replace(gate.rules, smoothing=0.01)
    assert await look() == pytest.approx(0.5)
    gate.rules = replace(gate.rules, page_target=0.2)
    assert await look() == pytest.approx(1.25)
    share, shut = (await gate.overview())[0].signals[Signal.PAGE]
    assert (round(share, 3), shut) == (1.25, True)


async def test_one_page_that_took_a_minute_counts_as_twice_the_target() -> None:
    pages = PageTimes()
    pages.add(60.0)
    assert await pages.share(LoadRules()) == 2.0


def test_slow_pages_are_seen_with_few_readers_too_and_one_after_silence_is_no_load() -> None:
    """Rule L3, signal d: a second without a page says nothing about how long pages take."""
    seldom, silent = Smoothed(), Smoothed()
    for second in range(300):
        for one, period in ((seldom, 5), (silent, 299)):
            if second % period:
                one.fade(second)
            else:
                one.follow(1.2, second, 10.0)
    assert seldom.value > 0.8
    assert 0 < silent.value < 0.7
    for second in range(300, 420):
        seldom.fade(second)
    assert seldom.value < 0.5


async def test_the_gate_is_told_how_long_ago_a_page_was_seen(gate: LoadGate, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rule L8."""
    told: list[object] = []

    async def measure(process: str, shares: object, unseen: object) -> tuple[Event, ...]:
        told.append(unseen)
        return ()

    monkeypatch.setattr(gate, "measure", measure)
    pages, machine = PageTimes(), Machine()
    measuring = Measuring(gate, "p", {Signal.PAGE: pages.share}, machine.take, clock=lambda: machine.now)
    await measuring.look()
    for moment in (10.0, 40.0):
        pages.add(1.0)
        for machine.now in (moment, moment + 1, moment + 7):
            await measuring.look()
    assert told == [{}, *[{}, {Signal.PAGE: 1.0}, {Signal.PAGE: 7.0}] * 2]


async def test_the_share_of_the_processors_is_a_share() -> None:
    assert 0 <= await processor_share(LoadRules()) <= 1


async def test_one_peak_shuts_nothing_and_what_lasts_does(gate: LoadGate) -> None:
    """Rule L4."""
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
    measuring = machine.measuring(gate)
    await measuring.look()
    machine.share, machine.now = 0.9, 1000.0
    await measuring.look()
    machine.unseen = True
    await measuring.look()
    assert measuring.shares == {Signal.PROCESSOR: pytest.approx(0.9)}
    share, shut = (await gate.overview())[0].signals[Signal.PROCESSOR]
    assert (round(share, 3), shut) == (0.9, True)


async def test_a_machine_is_not_busy_by_the_first_look_and_not_by_a_process_that_ended(gate: LoadGate) -> None:
    """Rule L8: neither is what the machine is like without runs."""
    machine = Machine()
    machine.share = 1.0
    measuring = machine.measuring(gate)
    await measuring.look()
    assert (await gate.overview())[0].signals[Signal.PROCESSOR] == (0.0, False)
    async with measuring:
        machine.now = 1000.0
        await measuring.look()
        share, shut = (await gate.overview())[0].signals[Signal.PROCESSOR]
        assert (round(share, 3), shut) == (1.0, True)
    assert (await gate.overview())[0].signals[Signal.PROCESSOR] == (0.0, False)


async def test_a_lost_store_is_told_nothing_and_again_when_it_is_back(
    valkey: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load_signals, "EVERY", 0.001)
    machine = Machine()
    machine.share, machine.step = 0.5, 1.0
    nowhere = LoadGate(Store("unix:///nergens"), LoadRules())
    await machine.measuring(nowhere).look()
    async with Store(valkey.address) as store:
        gate = LoadGate(store, LoadRules(), f"signalen{next(_NUMBERS)}")
        async with machine.measuring(gate) as measuring:
            await until(lambda: bool(measuring.shares[Signal.PROCESSOR]))
            async with asyncio.timeout(10):
                while not (await gate.overview())[0].signals[Signal.PROCESSOR][0]:
                    await asyncio.sleep(0.001)
