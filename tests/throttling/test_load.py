"""The gate for heavy work: the scripts beside a plain model, in a real store, over whatever may happen."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.valkey import Valkey
from tests.throttling.plain_load import PlainGate
from throttling.load import Asked, AskState, Event, LoadGate
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
    counts=st.frozensets(st.sampled_from(Signal)),
)
_asks = st.tuples(st.just("ask"), st.sampled_from("abcd"), st.sampled_from("qrstuvw"), st.integers(0, 60))
_works = st.tuples(
    st.sampled_from(("take", "renew", "done")), st.integers(0, 9), st.sampled_from(_WORKERS), st.integers(0, 60)
)
_others = st.tuples(st.sampled_from(("cancel", "look")), st.integers(0, 9), st.just(""), st.just(0))
_measures = st.tuples(
    st.just("measure"),
    st.sampled_from(("p1", "p2")),
    st.sampled_from(MEASURED),
    st.sampled_from((0.0, 0.45, 0.75, 1.0)),
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
                    await self.gate.ask(f"a{len(self.asks)}", by, digest, f"r{len(self.asks)}", size), by, digest, size
                )
            case ("take" | "renew" | "done" as what, int() as number, str() as worker, int() as parts) if self.runs:
                await self._work(what, self.runs[-1 - number % len(self.runs)], worker, parts)
            case ("cancel", int() as number, *_) if self.asks:
                ask = self.asks[-1 - number % len(self.asks)]
                said, events = await self.gate.cancel(ask)
                assert said == self.plain.cancel(ask)
                self._same(events)
            case ("measure", str() as process, Signal() as signal, float() as share):
                events = await self.gate.measure(process, {signal: share})
                self.plain.measure(process, {signal: share})
                self._same(events)
        await self._look()

    def _note(self, asked: Asked, by: str, digest: str, size: int) -> None:
        number = len(self.asks)
        answer, name, reason = self.plain.ask(f"a{number}", by, digest, f"r{number}", size)
        assert (asked.answer, asked.ask, asked.reason) == (answer, name, reason)
        assert asked.come_back >= 0
        self.asks.append(f"a{number}")
        self._same(asked.events)

    async def _work(self, what: str, run: str, worker: str, parts: int) -> None:
        if what == "take":
            deaths, events = await self.gate.take(run, worker)
            assert (deaths is not None) == self.plain.take(run, worker)
        elif what == "renew":
            said, events = await self.gate.renew(run, worker, parts, 60)
            assert said == self.plain.renew(run, worker, parts, 60)
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
        assert {one.id: one.state for one in seen.asks} == {ask: self.plain.state(ask) for ask in self.plain.asks}
        foreseen = self.plain.forecast()
        for one in seen.asks:
            if one.state is AskState.WAITS:
                expected = foreseen[one.run]
                assert one.start_in == (None if expected is None else pytest.approx(expected))
                assert one.place == list(foreseen).index(one.run) + 1
        assert {signal for signal, (_, shut) in seen.signals.items() if shut} == self.plain.shut


@given(rules=st.one_of(rules, crowded), history=histories)
async def test_the_scripts_decide_as_the_rules_say(
    valkey: Valkey, rules: LoadRules, history: list[tuple[float, tuple[object, ...]]]
) -> None:
    async with Store(valkey.address) as store:
        pair = Pair(LoadGate(store, rules, f"t{next(_NUMBERS)}"), PlainGate(rules))
        for wait, act in history:
            pair.now += wait
            await pair.do(act)
