"""Workers that come too late, must end, or lose what they know: what that means for who asked, each as a small story."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.support.valkey import PATIENCE, Valkey
from tests.throttling.days import START, Day, started
from throttling.load import Answer, AskState, Event, EventKind, LoadGate, Reason
from throttling.load_rules import LoadRules, Signal
from throttling.load_simulation import storm
from throttling.load_stories import Work
from throttling.store import Store

pytestmark = pytest.mark.anyio


@pytest.fixture
async def store(valkey: Valkey) -> AsyncIterator[Store]:
    async with Store(valkey.address, PATIENCE) as opened:
        yield opened


async def test_after_all_was_down_nobody_is_said_to_be_away_until_a_start_is_left_again(store: Store) -> None:
    """A restart of everything: the store has a start that nobody took, and nobody looked since."""
    day = Day(store, LoadRules(slots=1, lease=20.0))
    ask = await day.ask("a")
    day.later(300)
    seen, events = await day.gate.see(ask.ask)
    assert seen is not None
    assert (seen.unmanned, seen.state, started(events)) == (False, AskState.RUNS, [ask.run])
    day.later(19)
    assert not (await day.see(ask.ask)).unmanned
    day.later(1)
    assert (await day.see(ask.ask)).unmanned


async def test_a_start_that_no_worker_takes_is_said_again_and_fails_nobody(store: Store) -> None:
    """Rules L6, L9 and L10: no death and no time of its requester; after half an hour it is refused, and its slot is free."""
    day = Day(store, LoadRules(slots=1, lease=20.0, per_hour=50))
    ask = await day.ask("a")
    for _ in range(89):
        day.later(20)
        overview, events = await day.gate.overview()
        assert (started(events), overview.used) == ([ask.run], {})
    seen = await day.see(ask.ask)
    assert (seen.state, seen.deaths) == (AskState.RUNS, 0)
    late = await day.ask("b")
    day.later(20)
    assert (await day.gate.overview())[1] == (Event(EventKind.UNMADE, ask.ask), Event(EventKind.START, late.run))
    await day.work(late.run)
    day.later(5)
    await day.end(late.run)
    assert (await day.gate.overview())[0].used == {"b": 5.0}


async def test_where_no_worker_is_at_all_nobody_is_told_a_start_and_the_refusal_says_why(store: Store) -> None:
    """Rules L5, L6 and L11: a slot that was granted is no start."""
    day = Day(store, LoadRules(slots=1, lease=20.0, per_hour=50))
    ask, waits = await day.ask("a"), await day.ask("b")
    assert waits.start_in is not None
    assert not (await day.see(ask.ask)).unmanned
    day.later(20)
    for one in (ask, waits):
        assert (await day.see(one.ask)).unmanned
    seen = await day.see(waits.ask)
    assert (seen.place, seen.start_in) == (1, None)
    late = await day.ask("c")
    assert (late.answer, late.start_in) == (Answer.WAITS, None)
    assert (await day.gate.overview())[0].unmanned
    day.later(1780)
    events = (await day.gate.overview())[1]
    assert {event.id for event in events if event.kind is EventKind.UNMADE} == {ask.ask, waits.ask}
    assert (await day.see(ask.ask)).reason is (await day.see(waits.ask)).reason is Reason.NO_WORKER
    told = (await day.gate.overview())[0].told
    assert [real for *_, real in told] == [None]
    await day.work(late.run)
    assert not (await day.gate.overview())[0].unmanned
    assert not (await day.see(late.ask)).unmanned


async def test_a_worker_with_its_hands_full_is_there_and_a_start_that_waits_for_it_is_not_unmanned(
    store: Store,
) -> None:
    day = Day(store, LoadRules(slots=5, lease=20.0, per_hour=50))
    first, second = await day.ask("a"), await day.ask("b")
    await day.work(first.run)
    for _ in range(5):
        day.later(15)
        assert (await day.gate.renew(first.run, "w", 1, 10))[0] == "on"
    seen = await day.see(second.ask)
    assert (seen.state, seen.unmanned) == (AskState.RUNS, False)
    await day.end(first.run)
    day.later(20)
    assert (await day.see(second.ask)).unmanned
    assert (await day.gate.cancel(second.ask))[0] is AskState.CANCELLED
    day.later(1)
    assert not (await day.gate.overview())[0].unmanned


async def test_a_worker_that_must_end_gives_its_run_back_and_that_is_no_death(store: Store) -> None:
    """Rule L10: it keeps its slot, another takes it at once, and the hour of waiting does not count for what began."""
    day = Day(store, LoadRules(slots=1, lease=20.0, per_hour=50))
    ask = await day.ask("a")
    for number in range(6):
        taken, _ = await day.gate.take(ask.run, f"w{number}")
        assert taken is not None
        assert taken.deaths == 0
        day.later(10)
        assert await day.gate.give_back(ask.run, f"w{number}") == (True, (Event(EventKind.START, ask.run),))
        assert (await day.gate.give_back(ask.run, f"w{number}"))[0] is False
    day.later(1780)
    overview, events = await day.gate.overview()
    assert (started(events), overview.used) == ([ask.run], {"a": 60.0})
    await day.work(ask.run)
    assert (await day.gate.cancel(ask.ask))[0] is AskState.CANCELLED
    assert await day.gate.give_back(ask.run, "w") == (True, ())
    assert (await day.gate.overview())[0].running == 0


async def test_what_began_and_that_no_worker_goes_on_with_is_refused_after_the_longest_wait_with_that_reason(
    store: Store,
) -> None:
    """Rules L6 and L10: counted from when a worker last had it, whether that gave it back or died."""
    day = Day(store, LoadRules(slots=5, lease=20.0, deaths=3, per_hour=50))
    given_back, died = await day.ask("a"), await day.ask("b")
    day.later(15)
    for ask in (given_back, died):
        await day.work(ask.run)
    day.later(15)
    await day.gate.give_back(given_back.run, "w")
    day.later(5)
    assert started((await day.gate.overview())[1]) == [died.run]
    for _ in range(88):
        day.later(20)
        assert {event.kind for event in (await day.gate.overview())[1]} <= {EventKind.START}
    seen = await day.see(given_back.ask)
    assert (seen.state, seen.unmanned) == (AskState.RUNS, True)
    day.later(60)
    events = (await day.gate.overview())[1]
    assert set(events) == {Event(EventKind.UNMADE, given_back.ask), Event(EventKind.UNMADE, died.ask)}
    for ask in (given_back, died):
        seen = await day.see(ask.ask)
        assert (seen.state, seen.reason) == (AskState.REFUSED, Reason.NO_WORKER)
    overview = (await day.gate.overview())[0]
    assert (overview.running, overview.unmanned, overview.told) == (0, False, ())
    assert (await day.ask("a")).answer is Answer.STARTS


async def test_a_machine_that_is_still_warm_of_its_last_run_does_not_count_as_full_without_runs(store: Store) -> None:
    """Rule L8: what was measured beside a run needs a smoothing time to go."""
    day = Day(store, LoadRules(slots=4))
    run = (await day.ask("a")).run
    await day.work(run)
    await day.busy(1.0)
    await day.end(run)
    day.later(9)
    day.gate.rules = LoadRules(slots=4, smoothing=8.0)
    assert (await day.ask("b")).reason is Reason.FULL
    day.gate.rules = LoadRules(slots=4)
    warm = await day.ask("b")
    assert (warm.answer, warm.start_in) == (Answer.WAITS, None)
    assert await day.busy(0.6) == [warm.run]
    await day.gate.cancel(warm.ask)
    await day.busy(1.0)
    day.later(2)
    assert (await day.ask("c")).reason is Reason.FULL


async def test_what_pages_took_beside_the_last_run_is_no_full_machine_while_no_page_comes_after_it(
    store: Store,
) -> None:
    """Rule L8: it fades slowly, for nobody sees how long a page takes now; what is seen anew counts."""
    day = Day(store, LoadRules(slots=4))
    run = (await day.ask("a")).run
    await day.work(run)
    day.later(5)
    await day.end(run)
    day.later(30)
    await day.gate.measure("p", {Signal.PAGE: 1.5}, {Signal.PAGE: 31.0})
    waits = await day.ask("b")
    assert (waits.answer, waits.start_in) == (Answer.WAITS, None)
    await day.gate.measure("p", {Signal.PAGE: 1.2}, {Signal.PAGE: 2.0})
    assert (await day.ask("c")).reason is Reason.FULL
    await day.gate.measure("p", {Signal.PAGE: 1.2}, {Signal.PAGE: 60.0})
    await day.gate.measure("q", {Signal.PAGE: 0.9})
    assert (await day.ask("c")).reason is Reason.FULL
    assert await day.busy(0.1, Signal.PAGE, "q") == []
    assert await day.busy(0.6, Signal.PAGE) == [waits.run]


async def test_a_start_that_was_foretold_and_never_came_is_a_wrong_estimate(store: Store) -> None:
    """Rule L11: also in a storm that is played."""
    day = Day(store, LoadRules(slots=1, lease=10_000.0, pace=60.0, longest_wait=1800.0))
    first = await day.ask("a")
    await day.work(first.run)
    waits = await day.ask("b")
    day.later(1800)
    seen, _ = await day.gate.overview()
    assert (await day.see(waits.ask)).state is AskState.REFUSED
    assert seen.told == ((START, START + 600, None),)
    asks = [Work(at=0, by=f"v{n}", what=f"iets{n}", parts=60, seconds=30.0) for n in range(2)]
    gate = LoadGate(store, LoadRules(slots=1, longest_wait=300.0, fresh=86400.0), "tevergeefs")
    assert (await storm(gate, asks, until=7200)).judged == (False,)


async def test_since_when_what_has_a_slot_has_no_worker_is_seen_however_often_its_start_is_said(store: Store) -> None:
    """Rule L10: never begun, given back or left by who died; a worker that has it ends that."""
    day = Day(store, LoadRules(slots=1, lease=20.0, per_hour=50))
    ask, waits = await day.ask("a"), await day.ask("b")
    for _ in range(3):
        day.later(20)
        assert started((await day.gate.overview())[1]) == [ask.run]
    assert ((await day.see(ask.ask)).left_at, (await day.see(waits.ask)).left_at) == (START, None)
    await day.work(ask.run)
    day.later(5)
    assert (await day.see(ask.ask)).left_at is None
    await day.gate.give_back(ask.run, "w")
    day.later(25)
    assert (await day.see(ask.ask)).left_at == START + 65
    await day.work(ask.run)
    day.later(30)
    await day.gate.overview()
    day.later(30)
    assert (await day.see(ask.ask)).left_at == START + 120


async def test_who_no_longer_wants_what_has_no_worker_does_not_miss_one(store: Store) -> None:
    day = Day(store, LoadRules(slots=1, lease=20.0, per_hour=50))
    one, other = await day.ask("a", "bomen"), await day.ask("b", "bomen")
    await day.gate.cancel(one.ask)
    assert ((await day.see(one.ask)).left_at, (await day.see(other.ask)).left_at) == (None, START)
