"""However many ask, what the gate keeps stays within bounds, and looking at it writes nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.support.valkey import PATIENCE, Valkey
from tests.throttling.days import Day, rules
from throttling.load import Answer, AskState, Reason
from throttling.store import Store

pytestmark = pytest.mark.anyio


class WatchedStore(Store):
    """A store of which a test sees how often anything in it was written."""

    async def writes(self) -> int:
        seen: dict[str, Any] = await self._open().info("persistence")
        return int(seen["rdb_changes_since_last_save"])


@pytest.fixture
async def store(valkey: Valkey) -> AsyncIterator[WatchedStore]:
    async with WatchedStore(valkey.address, PATIENCE) as opened:
        yield opened


async def test_when_as_many_are_open_as_may_be_the_next_hears_so_and_when_there_is_room(store: Store) -> None:
    day = Day(store, rules(most_open=3))
    first, second, _ = [await day.ask(name) for name in "abc"]
    refused = await day.ask("d")
    assert (refused.answer, refused.reason, refused.come_back) == (Answer.REFUSED, Reason.QUEUE, 600)
    assert (await day.gate.see("vraag3"))[0] is None
    assert (await day.ask("b", "iets1")).ask == second.ask
    await day.work(first.run)
    await day.end(first.run)
    assert (await day.ask("d")).answer is Answer.WAITS


async def test_who_asks_for_what_another_asked_counts_too_and_for_what_is_ready_not(store: Store) -> None:
    day = Day(store, rules(slots=5, most_open=2))
    ask = await day.ask("a", "bomen")
    assert (await day.ask("b", "bomen")).answer is Answer.JOINS
    refused = await day.ask("c", "bomen")
    assert (refused.reason, refused.come_back) == (Reason.QUEUE, 600)  # as what is under way ends
    await day.work(ask.run)
    await day.end(ask.run)
    for number in range(2):
        await day.ask(f"vol{number}")
    assert (await day.ask("c", "bomen")).answer is Answer.READY
    assert (await day.ask("c", "bomen")).answer is Answer.SAME


async def test_a_refused_ask_is_none_of_the_hour_of_its_requester(store: Store) -> None:
    """Rule L12."""
    day = Day(store, rules(most_open=1, per_hour=1))
    first = await day.ask("a")
    for _ in range(3):
        assert (await day.ask("b")).reason is Reason.QUEUE
    assert (await day.gate.cancel(first.ask))[0] is AskState.CANCELLED
    assert (await day.ask("b")).answer is Answer.STARTS


async def test_three_thousand_asked_in_one_second_leave_no_more_than_may_be_open(store: Store) -> None:
    day = Day(store, rules(slots=5, pace=0.01, most_open=40))
    answers = [await day.ask(f"p{number}") for number in range(3000)]
    assert [one.reason for one in answers[40:]] == [Reason.QUEUE] * 2960
    assert len((await day.gate.overview())[0].asks) == 40


async def test_of_what_ended_so_much_is_kept_and_the_oldest_goes_first(store: Store) -> None:
    """Fifty for each that may be open: a report that thousands ask for again is none that the store runs full of."""
    day = Day(store, rules(slots=5, most_open=1))
    for what in ("oud", "nieuw"):
        ask = await day.ask("a", what)
        await day.work(ask.run)
        await day.end(ask.run)
        day.later(1)
    for number in range(50):
        assert (await day.ask(f"p{number}", "nieuw")).answer is Answer.READY
    seen = {one.id for one in (await day.gate.overview())[0].asks}
    assert len(seen) == 51
    assert "vraag0" not in seen
    assert (await day.ask("b", "nieuw")).answer is Answer.STARTS
    assert len((await day.gate.overview())[0].asks) == 1


async def test_looking_writes_nothing_while_nothing_changes(store: WatchedStore) -> None:
    day = Day(store, rules())
    runs, waits = await day.ask("a"), await day.ask("b")
    await day.work(runs.run)
    await day.busy(0.9)
    day.later(5)
    before = await store.writes()
    for ask in (runs, waits):
        await day.see(ask.ask)
    await day.gate.overview()
    assert await store.writes() == before
    day.later(1800)
    assert (await day.see(waits.ask)).state is AskState.REFUSED
    assert await store.writes() > before


async def test_a_worker_that_goes_on_writes_as_much_as_is_under_way_whatever_ended_before(store: WatchedStore) -> None:
    day = Day(store, rules(slots=5))
    for number in range(20):
        ask = await day.ask(f"p{number}")
        await day.work(ask.run)
        await day.end(ask.run)
    ask = await day.ask("a")
    await day.work(ask.run)
    before = await store.writes()
    assert (await day.gate.renew(ask.run, "w", 1, 10))[0] == "on"
    assert await store.writes() - before == 2
