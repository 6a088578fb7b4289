"""What the rules on heavy work (design page on load, L1-L12) mean for who asks, each as a small story in a real store."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.support.valkey import PATIENCE, Valkey
from tests.throttling.days import MINUTE, Day, rules, started
from throttling.load import Answer, AskState, Event, EventKind, LoadGate, Reason, Taken
from throttling.load_rules import BadLoadRulesError, LoadRules, Signal
from throttling.store import Store, StoreLostError

pytestmark = pytest.mark.anyio


@pytest.fixture
async def store(valkey: Valkey) -> AsyncIterator[Store]:
    async with Store(valkey.address, PATIENCE) as opened:
        yield opened


async def test_under_the_threshold_a_run_starts_at_once_and_from_it_on_only_when_one_ends(store: Store) -> None:
    """Rule L4, slots: four of five are 80 %."""
    day = Day(store, rules(slots=5))
    first = [await day.ask(f"p{number}") for number in range(5)]
    assert [one.answer for one in first] == [*[Answer.STARTS] * 4, Answer.WAITS]
    await day.work(first[0].run)
    assert await day.end(first[0].run) == [first[4].run]


async def test_a_signal_shuts_at_one_threshold_and_opens_at_a_lower_one(store: Store) -> None:
    """Rule L4, the other signals: between the thresholds all stays as it is."""
    day = Day(store, rules(slots=10))
    await day.ask("a")
    await day.busy(0.79)
    assert (await day.ask("b")).answer is Answer.STARTS
    await day.busy(0.8)
    waits = await day.ask("c")
    assert waits.answer is Answer.WAITS
    assert await day.busy(0.71) == []
    assert await day.busy(0.7) == [waits.run]


def test_the_rules_as_they_come_are_those_of_the_design() -> None:
    """Rules L3, L4, L6, L7, L10 and L12: what an operator finds, and need not set first."""
    usual = LoadRules()
    assert usual.counts == frozenset(Signal)
    assert {usual.threshold(signal) for signal in Signal} == {(0.8, 0.7)}
    assert (usual.smoothing, usual.page_target, usual.write_target) == (10.0, 0.5, 0.05)
    assert (usual.longest_wait, usual.fresh, usual.per_hour, usual.deaths) == (30 * MINUTE, 60 * MINUTE, 5, 3)


async def test_one_huge_run_that_takes_one_slot_and_all_processors_holds_the_others(store: Store) -> None:
    """Rule L3: the largest signal counts, whichever machine measures it; and what is not counted shuts nothing."""
    for counted, answer in ((frozenset(Signal), Answer.WAITS), (frozenset({Signal.SLOTS}), Answer.STARTS)):
        day = Day(store, LoadRules(slots=10, counts=counted))
        await day.ask("a", size=1_000)
        await day.busy(0.1, process="deze")
        await day.busy(0.97, process="die")
        assert (await day.ask("b")).answer is answer


async def test_with_a_shut_signal_an_end_lets_one_start_and_no_more(store: Store) -> None:
    """Rule L4."""
    day = Day(store, rules(slots=10))
    runs = [await day.ask(f"p{number}") for number in range(2)]
    await day.busy(0.9)
    waits = [await day.ask(f"q{number}") for number in range(3)]
    await day.work(runs[0].run)
    assert await day.end(runs[0].run) == [waits[0].run]


async def test_a_process_that_fell_silent_keeps_shut_what_it_shut_for_a_minute_and_no_longer(store: Store) -> None:
    """It may be too busy to speak."""
    day = Day(store, rules(slots=10))
    await day.ask("a")
    await day.busy(1.0)
    await day.busy(0.75, process="q")
    day.later(59)
    waits = await day.ask("b")
    assert waits.answer is Answer.WAITS
    day.later(1)
    assert started((await day.gate.overview())[1]) == [waits.run]


async def test_who_would_wait_longer_than_may_be_hears_so_at_once_and_when_to_come_back(store: Store) -> None:
    """Rule L6: by the low end of the estimate."""
    day = Day(store, rules(longest_wait=1800.0))
    answers = [await day.ask(f"p{number}") for number in range(6)]
    assert [one.answer for one in answers] == [Answer.STARTS, *[Answer.WAITS] * 4, Answer.REFUSED]
    assert (answers[5].reason, answers[5].come_back) == (Reason.WAIT, 3000 - 1800 / 0.75)
    seen, _ = await day.gate.see("vraag5")
    assert seen is None
    await day.work(answers[0].run)
    for seconds, left, answer in ((599, 1.0, Answer.REFUSED), (1, 0.0, Answer.WAITS)):
        day.later(seconds)
        await day.gate.renew(answers[0].run, "w", 9, 10, left=left)
        assert (await day.ask("p6")).answer is answer  # not before what was said, and not after it


async def test_who_waits_half_an_hour_is_refused_then_and_leaves_the_queue(store: Store) -> None:
    """Rule L6: whatever was estimated."""
    day = Day(store, rules(longest_wait=1800.0))
    await day.ask("a")
    waits, other = await day.ask("b"), await day.ask("c")
    day.later(1799)
    assert (await day.see(waits.ask)).state is AskState.WAITS
    day.later(1)
    events = (await day.gate.overview())[1]
    assert events == (Event(EventKind.REFUSED, waits.ask), Event(EventKind.REFUSED, other.ask))
    seen = await day.see(waits.ask)
    assert (seen.state, seen.place) == (AskState.REFUSED, 0)


async def test_the_same_asked_again_is_the_same_while_it_waits_runs_or_is_fresh(store: Store) -> None:
    """Rule L7, one requester."""
    day = Day(store, rules())
    busy = await day.ask("z")
    ask = await day.ask("a", "bomen")
    assert (await day.ask("a", "bomen")).ask == ask.ask
    await day.work(busy.run)
    await day.end(busy.run)
    assert (await day.ask("a", "bomen")).answer is Answer.SAME
    await day.work(ask.run)
    await day.end(ask.run)
    day.later(3599)
    assert (await day.ask("a", "bomen")).ask == ask.ask
    day.later(1)
    assert (await day.ask("a", "bomen")).answer is Answer.STARTS


async def test_others_who_ask_the_same_have_their_own_address_and_share_the_work(store: Store) -> None:
    """Rule L7, several requesters: one leaves, and the work goes on for the other."""
    day = Day(store, rules())
    one, other = await day.ask("a", "bomen"), await day.ask("b", "bomen")
    assert other.answer is Answer.JOINS
    assert (one.run, one.ask != other.ask) == (other.run, True)
    await day.work(one.run)
    assert (await day.gate.cancel(one.ask))[0] is AskState.CANCELLED
    assert (await day.gate.renew(one.run, "w", 1, 10))[0] == "on"
    await day.end(one.run)
    assert (await day.see(other.ask)).state is AskState.READY
    assert (await day.see(one.ask)).state is AskState.CANCELLED
    assert (await day.ask("c", "bomen")).answer is Answer.READY


async def test_a_machine_that_is_full_without_runs_refuses_at_once(store: Store) -> None:
    """Rule L8."""
    day = Day(store, rules(slots=4))
    await day.busy(0.8)
    assert (await day.ask("a")).reason is Reason.FULL
    await day.busy(0.2)
    assert (await day.ask("a")).answer is Answer.STARTS


async def test_between_the_thresholds_nothing_runs_and_nothing_is_full_so_an_ask_waits_until_it_opens(
    store: Store,
) -> None:
    """Rules L4 and L8: a signal that shut the gate is on its way down, and refusing is for a machine that is full."""
    day = Day(store, rules(slots=4))
    await day.busy(0.8)
    assert (await day.ask("a")).reason is Reason.FULL
    for share in (0.79, 0.71):
        await day.busy(share)
        waits = await day.ask(f"b{share}")
        assert (waits.answer, waits.start_in) == (Answer.WAITS, None)
    await day.busy(0.75, process="q")
    await day.busy(0.8)
    assert (await day.ask("c")).reason is Reason.FULL  # one that is full is enough, whatever the others are
    await day.busy(0.7, process="q")
    assert len(await day.busy(0.7)) == 2


async def test_a_worker_that_dies_gives_its_slot_back_and_its_run_goes_on_where_it_was(store: Store) -> None:
    """Rule L10: at most three times; it goes before whoever waits."""
    day = Day(store, LoadRules(slots=1, lease=20.0, per_hour=50))
    ask, other = await day.ask("a"), await day.ask("b")
    for dead in range(4):
        taken, _ = await day.gate.take(ask.run, f"w{dead}")
        assert taken == Taken(dead, 1 + dead if dead else 0, 10)
        assert (await day.gate.renew(ask.run, f"w{dead}", 2 + dead, 10))[0] == "on"
        day.later(20)
        events = (await day.gate.overview())[1]
        if dead < 3:
            assert started(events) == [ask.run]
            assert (await day.see(ask.ask)).done == 2 + dead
    assert events == (Event(EventKind.FAILED, ask.run), Event(EventKind.START, other.run))
    assert (await day.see(ask.ask)).state is AskState.FAILED


async def test_a_worker_that_was_given_up_cannot_end_what_another_goes_on_with(store: Store) -> None:
    day = Day(store, LoadRules(slots=1, lease=20.0))
    ask = await day.ask("a")
    await day.work(ask.run, "oud")
    day.later(20)
    await day.work(ask.run, "nieuw")
    assert (await day.gate.renew(ask.run, "oud", 9, 10))[0] == "lost"
    assert not (await day.gate.done(ask.run, "oud", AskState.READY))[0]
    assert (await day.gate.take(ask.run, "derde"))[0] is None
    await day.end(ask.run, "nieuw")


async def test_cancelled_work_is_told_to_stop_and_gives_all_back(store: Store) -> None:
    """Rule L10; cancelled again it stays so, and what is ready cannot be cancelled."""
    day = Day(store, rules())
    ask, waits = await day.ask("a"), await day.ask("b")
    await day.work(ask.run)
    for _ in range(2):
        assert (await day.gate.cancel(ask.ask))[0] is AskState.CANCELLED
    assert (await day.gate.renew(ask.run, "w", 3, 10))[0] == "stop"
    assert await day.end(ask.run, how=AskState.STOPPED) == [waits.run]
    assert (await day.gate.cancel("nooit"))[0] is None
    await day.work(waits.run)
    await day.end(waits.run)
    assert (await day.gate.cancel(waits.ask))[0] is AskState.READY


async def test_nobody_asks_for_more_than_some_in_an_hour_whatever_the_load(store: Store) -> None:
    """Rule L12: with the time at which one more may be asked for."""
    day = Day(store, LoadRules(slots=50))
    for _ in range(5):
        assert (await day.ask("a")).answer is Answer.STARTS
        day.later(MINUTE)
    refused = await day.ask("a")
    assert (refused.reason, refused.come_back) == (Reason.HOUR, 3300)
    assert (await day.ask("b")).answer is Answer.STARTS
    day.later(3300)
    assert (await day.ask("a")).answer is Answer.STARTS


async def test_what_failed_or_waited_in_vain_leaves_room_for_another_but_not_without_end(store: Store) -> None:
    """Rule L12: no fault of who asked counts, and whoever asks for what always fails is stopped all the same."""
    day = Day(store, rules(slots=1, per_hour=2))
    for _ in range(3):
        asked = await day.ask("a")
        assert asked.answer is Answer.STARTS
        await day.work(asked.run)
        await day.end(asked.run, how=AskState.FAILED)
        day.later(MINUTE)
    blocks = await day.ask("b")
    await day.work(blocks.run)
    waits = await day.ask("a")
    day.later(31 * MINUTE)
    assert (await day.see(waits.ask)).state is AskState.REFUSED
    refused = await day.ask("a")
    assert refused.reason is Reason.HOUR, "four were asked for, twice as many as may be"
    day.later(refused.come_back)
    await day.end(blocks.run)
    assert (await day.ask("a")).answer is Answer.STARTS


async def test_what_was_cancelled_counts_for_its_hour(store: Store) -> None:
    """Rule L12: else asking and cancelling would cost nothing."""
    day = Day(store, rules(per_hour=2))
    for _ in range(2):
        await day.gate.cancel((await day.ask("a")).ask)
    assert (await day.ask("a")).reason is Reason.HOUR


async def test_a_threshold_that_is_changed_counts_from_the_next_decision(store: Store) -> None:
    """Rule L12."""
    day = Day(store, rules(slots=5))
    for number in range(4):
        await day.ask(f"p{number}")
    waits = await day.ask("e")
    assert waits.answer is Answer.WAITS
    day.gate.rules = rules(slots=5, shut_at=1.0)
    assert started(await day.gate.measure("p", {})) == [waits.run]


async def test_a_clock_that_is_set_back_ends_nothing_and_frees_nothing(store: Store) -> None:
    day = Day(store, LoadRules(slots=1, lease=20.0))
    ask, _ = await day.ask("a"), await day.ask("b")
    await day.work(ask.run)
    day.later(-5000)
    assert (await day.gate.renew(ask.run, "w", 1, 10))[0] == "on"
    assert (await day.see(ask.ask)).state is AskState.RUNS


async def test_an_answer_that_is_not_one_of_ours_is_a_lost_store(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    async def nonsense(*_: object) -> bytes:
        return b"OK"

    monkeypatch.setattr(store, "run", nonsense)
    with pytest.raises(StoreLostError):
        await LoadGate(store, LoadRules()).overview()


@pytest.mark.parametrize(
    "wrong",
    [
        {"slots": 0},
        {"shut_at": 1.2},
        {"shut_at": 0.5, "open_at": 0.6},
        {"open_at": 0.0},
        {"longest_wait": 0.0},
        {"lease": float("inf")},
        {"per_hour": 0},
        {"deaths": -1},
        {"smoothing": 0.0},
        {"most_open": 0},
        {"most_open": 501},
        {"page_target": 0.0},
        {"write_target": -0.1},
        {"report_connections": 0},
    ],
)
def test_rules_that_cannot_be_kept_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(BadLoadRulesError) as refused:
        LoadRules(**wrong).check()  # type: ignore[arg-type]
    assert refused.value.wrong
