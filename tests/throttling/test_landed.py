"""Whoever comes in just after an answer to the same came, hears so: what it saw in the buffer may be old by now."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.support.valkey import PATIENCE, Valkey
from tests.throttling.queues import fresh_service
from throttling.decisions import Decisions, Entry
from throttling.limits import SlidingWindow
from throttling.rules import QueueRules
from throttling.store import Store

pytestmark = pytest.mark.anyio
BEGIN = 1000.0


@pytest.fixture
async def queue(valkey: Valkey) -> AsyncIterator[Decisions]:
    rules = QueueRules(limit=SlidingWindow(60, 60), in_flight=100)
    async with Store(valkey.address, PATIENCE) as store:
        one = Decisions(store, fresh_service(), rules)
        one.frozen = BEGIN
        await one.open("tijdperk", 0.0, ())
        await one.permit(1e6)
        yield one


async def comes(queue: Decisions, number: int, flight: str = "f") -> str:
    return (await queue.enter(Entry(id=f"p.{number}", process="p", session="s", flight=flight))).word


async def flown(queue: Decisions, failure: str = "") -> None:
    assert await comes(queue, 1) == "granted"
    await queue.done("p.1")
    assert (await queue.land("f", "p.1", failure)).word == "done"


@pytest.mark.parametrize(("later", "word"), [(0.0, "landed"), (4.9, "landed"), (5.0, "granted"), (60.0, "granted")])
async def test_an_answer_counts_as_just_come_for_five_seconds(queue: Decisions, later: float, word: str) -> None:
    await flown(queue)
    queue.frozen = BEGIN + later
    assert await comes(queue, 2) == word


async def test_it_does_so_for_the_same_question_only(queue: Decisions) -> None:
    await flown(queue)
    assert await comes(queue, 2, "g") == await comes(queue, 3, "") == "granted"


async def test_a_failure_brought_nothing(queue: Decisions) -> None:
    await flown(queue, "stuk")
    assert await comes(queue, 2) == "granted"


async def test_a_turn_after_it_is_a_turn_as_any_other(queue: Decisions) -> None:
    await flown(queue)
    assert await comes(queue, 2) == "landed"
    assert await comes(queue, 3) == "follows"
    assert (await queue.land("f", "p.2", "")).word == "done"
