"""The gate for heavy work: the scripts beside a plain model, in a real store, over whatever may happen."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.valkey import PATIENCE, Valkey
from tests.throttling.plain_load import HOUR, MINUTE, PlainGate
from throttling.load import Answer, Asked, AskState, Event, LoadGate
from throttling.load_rules import MEASURED, LoadRules, Signal
from throttling.store import Store

pytestmark = pytest.mark.anyio
START = 1_790_000_000.0
_NUMBERS = itertools.count()
_WORKERS = ("w1", "w2", "w3")
rules = st.builds(
    LoadRules,
    slots=st.integers(1, 6),
    shut_at=st.sampled_from((0.5, 0.8, 1.0)),
    open_at=st.sampled_from((0.4, 0.5)),
    longest_wait=st.sampled_from((120.0, 1800.0)),
    fresh=st.sampled_from((300.0, 3600.0)),
    per_hour=st.sampled_from((2, 5, 50)),
    lease=st.sampled_from((20.0, 100.0)),
    deaths=st.integers(0, 3),
    pace=st.sampled_from((1.0, 60.0)),
    smoothing=st.sampled_from((1.0, 10.0, 60.0)),
    most_open=st.sampled_from((1, 3, 200)),
    counts=st.frozensets(st.sampled_from(Signal)),
    thresholds=st.lists(
        st.tuples(st.sampled_from(Signal), st.sampled_from((0.5, 0.9)), st.sampled_from((0.3, 0.45))),
        unique_by=lambda row: row[0],
    ).map(tuple),
)
_asks = st.tuples(st.just("ask"), st.sampled_from("abcd"), st.sampled_from("qrstuvw"), st.integers(0, 60))
_works = st.tuples(
    st.sampled_from(("take", "renew", "done", "back")), st.integers(0, 9), st.sampled_from(_WORKERS), st.integers(0, 60)
)
_others = st.tuples(
    st.sampled_from(("cancel", "look", "forget", "forget_run")), st.integers(0, 9), st.just(""), st.just(0)
)
_measures = st.tuples(
    st.just("measure"),
    st.sampled_from(("p1", "p2")),
    st.sampled_from(MEASURED),
    st.sampled_from((0.0, 0.45, 0.75, 1.0)),
    st.sampled_from((None, None, 0.0, 12.0, 100.0)),
)
crowded = st.builds(
    LoadRules,
    slots=st.integers(1, 2),
    longest_wait=st.just(120.0),
    fresh=st.just(300.0),
    per_hour=st.just(50),
    lease=st.just(20.0),
    deaths=st.integers(0, 2),
    pace=st.just(0.1),
)
_waits = st.one_of(st.just(0.0), st.sampled_from((0.5, 5.0, 19.0, 25.0, 45.0, 61.0, 130.0, 700.0, 3700.0)))
histories = st.lists(st.tuples(_waits, st.one_of(_asks, _asks, _works, _others, _measures)), max_size=40)


@dataclass(slots=True)
class Pair:
    """The scripts and the model, which are told the same."""

    gate: LoadGate
    plain: PlainGate
    asks: list[str] = field(default_factory=list)
    runs: list[str] = field(default_factory=list)
    now: float = START

    async def do(self, act: tuple[object, ...]) -> None:
        self.gate.frozen = self.now
        self.plain.at(self.now)
        match act:
            case ("ask", str() as by, str() as digest, int() as size):
                self._note(
                    await self.gate.ask(f"a{len(self.asks)}", by, digest, f"r{len(self.asks)}", size, str(size % 2)),
                    by,
                    digest,
                    size,
                )
            case ("take" | "renew" | "done" | "back" as what, int() as number, str() as worker, int() as parts) if (
                self.runs
            ):
                await self._work(what, self.runs[-1 - number % len(self.runs)], worker, parts)
            case ("cancel", int() as number, *_) if self.asks:
                ask = self.asks[-1 - number % len(self.asks)]
                said, events = await self.gate.cancel(ask)
                assert said == self.plain.cancel(ask)
                self._same(events)
            case ("forget", int() as number, *_) if self.asks:
                ask = self.asks[-1 - number % len(self.asks)]
                events = await self.gate.forget(ask)
                self.plain.forget(ask, "")
                self._same(events)
            case ("forget_run", int() as number, *_) if self.runs:
                run = self.runs[-1 - number % len(self.runs)]
                events = await self.gate.forget(run=run)
                self.plain.forget("", run)
                self._same(events)
            case ("measure", str() as process, Signal() as signal, float() as share, float() | None as seconds):
                unseen = {} if seconds is None else {signal: seconds}
                events = await self.gate.measure(process, {signal: share}, unseen)
                self.plain.measure(process, {signal: share}, unseen)
                self._same(events)
        await self._look()

    def _note(self, asked: Asked, by: str, digest: str, size: int) -> None:
        number = len(self.asks)
        answer, name, reason = self.plain.ask(f"a{number}", by, digest, f"r{number}", size, str(size % 2))
        assert (asked.answer, asked.ask, asked.reason) == (answer, name, reason)
        assert asked.come_back >= 0
        self.asks.append(f"a{number}")
        self._same(asked.events)

    async def _work(self, what: str, run: str, worker: str, parts: int) -> None:
        if what == "take":
            taken, events = await self.gate.take(run, worker)
            assert (taken is not None) == self.plain.take(run, worker)
            if taken is not None:
                own = self.plain.runs[run]
                assert (taken.deaths, taken.done, taken.size) == (own.deaths, own.done, own.size)
        elif what == "renew":
            # A worker that collects cannot tell how long still; one that reads can, whatever the parts say.
            at = (parts, 60 + parts // 7, None if parts % 2 else 3.0 * (60 - parts))
            said, events = await self.gate.renew(run, worker, *at)
            assert said == self.plain.renew(run, worker, *at)
        elif what == "back":
            counted, events = await self.gate.give_back(run, worker)
            assert counted == self.plain.give_back(run, worker)
        else:
            outcome = (AskState.READY, AskState.FAILED, AskState.STOPPED)[parts % 3]
            counted, events = await self.gate.done(run, worker, outcome)
            assert counted == self.plain.done(run, worker, outcome.value)
        self._same(events)

    def _same(self, events: tuple[Event, ...]) -> None:
        assert list(events) == self.plain.events
        self.plain.events = []
        self.runs += [event.id for event in events if event.kind == "start"]

    async def _look(self) -> None:
        seen, events = await self.gate.overview()
        self._same(events)
        assert seen.running == len(self.plain.running)
        away = Counter[str]()
        for by, _, number in self.plain.away:
            away[by] += number
        assert seen.turned_away == away
        assert seen.unmanned is self.plain.unmanned
        assert seen.late_ever == Counter(why for _, why in self.plain.late)
        assert seen.late == Counter(why for at, why in self.plain.late if in_the_hour(at, self.now))
        assert {one.id: one.left_at for one in seen.asks} == {
            name: self.plain.left_at(name) for name in self.plain.asks
        }
        assert {one.id: one.reason for one in seen.asks} == {name: ask.reason for name, ask in self.plain.asks.items()}
        assert {one.id: one.state for one in seen.asks} == {ask: self.plain.state(ask) for ask in self.plain.asks}
        assert sorted(map(repr, seen.told)) == sorted(map(repr, self.plain.foretold))
        foreseen = self.plain.forecast()
        for one in seen.asks:
            if one.state is AskState.WAITS:
                expected = foreseen[one.run]
                assert one.start_in == (None if expected is None else pytest.approx(expected))
                assert one.place == list(foreseen).index(one.run) + 1
        assert {signal for signal, (_, shut) in seen.signals.items() if shut} == self.plain.shut


def in_the_hour(at: float, now: float) -> bool:
    """Late refusals are forgotten by whole minutes."""
    return (at // MINUTE) * MINUTE + HOUR > now


@given(rules=st.one_of(rules, crowded), history=histories)
async def test_the_scripts_decide_as_the_rules_say(
    valkey: Valkey, rules: LoadRules, history: list[tuple[float, tuple[object, ...]]]
) -> None:
    async with Store(valkey.address, PATIENCE) as store:
        pair = Pair(LoadGate(store, rules, f"t{next(_NUMBERS)}"), PlainGate(rules))
        for wait, act in history:
            pair.now += wait
            await pair.do(act)


async def test_processes_that_ask_and_take_at_one_moment_are_of_one_mind(valkey: Valkey) -> None:
    """Rules L4 and L10: a decision is one script, so no slot is given and no run is taken twice."""
    key = f"proef{next(_NUMBERS)}"
    async with AsyncExitStack() as stack:
        stores = [await stack.enter_async_context(Store(valkey.address, PATIENCE)) for _ in range(4)]
        gates = [LoadGate(store, LoadRules(), key) for store in stores]
        numbers = range(24)
        asked = await asyncio.gather(
            *(gates[one % 4].ask(f"vraag{one}", f"p{one}", f"iets{one}", f"werk{one}", 10) for one in numbers)
        )
        begun = [one.run for one in asked if one.answer is Answer.STARTS]
        seen, _ = await gates[0].overview()
        assert len(begun) == seen.running == 4
        assert sorted(ask.place for ask in seen.asks if ask.state is AskState.WAITS) == list(range(1, 21))
        taken = await asyncio.gather(*(gates[one % 4].take(begun[0], f"w{one}") for one in numbers))
    assert len([one for one, _ in taken if one is not None]) == 1
