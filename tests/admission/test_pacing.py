"""The line before the edge of one process: people first, a few at a time, nobody for ever, and never more than fits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from admission.pacing import Pace, Pacing, Turn
from throttling.own_time import CURRENT, OwnTime
from throttling.people import PageTime, People

pytestmark = pytest.mark.anyio
BOUND = 30.0
PATIENT = Pace(patience=BOUND, longest=BOUND)


def whose(name: str = "een") -> Callable[[], str]:
    return lambda: name


async def turn(pacing: Pacing, name: str = "een") -> Turn | None:
    """A turn in bounded time."""
    async with asyncio.timeout(BOUND):
        return await pacing.turn(whose(name))


async def waiting(pacing: Pacing, name: str = "een") -> asyncio.Task[Turn | None]:
    """Somebody in the line."""
    before = pacing.waiting
    task = asyncio.create_task(pacing.turn(whose(name)))
    async with asyncio.timeout(BOUND):
        while pacing.waiting == before:
            await asyncio.sleep(0)
    return task


async def begun(pacing: Pacing) -> Turn:
    found = await turn(pacing)
    assert found is not None
    return found


async def test_nobody_begins_while_a_page_is_made_and_all_begin_when_it_is_ready() -> None:
    people = People()
    pacing = Pacing(people, PATIENT)
    page = PageTime(people)
    first, second = await waiting(pacing), await waiting(pacing)
    assert not first.done()
    page.over()
    one = await first
    assert one is not None
    assert (pacing.working, second.done()) == (1, False), "one beside people who were here just now"
    one.over()
    assert await second is not None


async def test_a_page_that_waits_for_a_platform_keeps_nobody() -> None:
    people = People()
    pacing, page = Pacing(people, PATIENT), PageTime(people)
    page.wait_begins()
    page.wait_begins()
    (await begun(pacing)).over()
    page.wait_ends()
    (await begun(pacing)).over()
    page.wait_ends()
    late = await waiting(pacing)
    page.over()
    assert await late is not None
    assert people.working == 0


async def test_without_people_so_many_begin_at_once_and_one_more_for_each_that_ends_or_waits() -> None:
    pacing = Pacing(None, replace(PATIENT, at_once=2))
    one, other = await begun(pacing), await begun(pacing)
    third, fourth = await waiting(pacing), await waiting(pacing)
    one.wait_begins()
    assert await third is not None
    assert not fourth.done()
    other.over()
    other.over()
    assert await fourth is not None
    one.wait_ends()
    assert pacing.working == 3, "what had begun goes on"
    one.over()
    assert pacing.working == 2


async def test_what_is_made_for_a_request_waits_whenever_its_part_does() -> None:
    pacing = Pacing(None, PATIENT)
    with await begun(pacing):
        page = OwnTime(CURRENT.get())
        page.wait_begins()
        assert pacing.working == 0
        page.wait_ends()
        page.wait_ends()
        assert pacing.working == 1
    assert CURRENT.get() is None
    assert pacing.working == 0


async def test_the_line_has_an_end_and_nobody_fills_it_alone() -> None:
    """Attack 20 of the study: whoever floods finds no place, and leaves some to others."""
    pacing = Pacing(None, replace(PATIENT, at_once=1, line=5, each=3))
    begins = await begun(pacing)
    mine = [await waiting(pacing, "een") for _ in range(3)]
    assert await turn(pacing, "een") is None
    others = [await waiting(pacing, "ander") for _ in range(2)]
    assert await turn(pacing, "derde") is None
    begins.over()
    for task in (*mine, *others):
        found = await task
        assert found is not None
        found.over()
    assert (pacing.working, pacing.waiting) == (0, 0)
    assert await turn(pacing, "een") is not None


async def test_who_waits_too_long_is_told_so_but_one_begins_now_and_then_whatever_people_do() -> None:
    people = People()
    page = PageTime(people)
    never = Pacing(people, Pace(patience=0.01, least=BOUND, longest=BOUND))
    assert await turn(never) is None
    assert (never.working, never.waiting) == (0, 0)
    sometimes = Pacing(people, Pace(patience=0.01, least=0.0, longest=BOUND))
    assert await turn(sometimes) is not None
    page.over()


async def test_what_goes_on_too_long_keeps_nobody_and_is_counted_once() -> None:
    """A stream, or an origin that hangs."""
    pacing = Pacing(None, Pace(at_once=1, longest=0.01, patience=BOUND))
    hangs = await begun(pacing)
    assert await turn(pacing) is not None
    hangs.wait_begins()
    hangs.wait_ends()
    hangs.over()
    assert pacing.working <= 1


async def test_who_goes_away_from_the_line_leaves_its_turn_to_the_next() -> None:
    pacing = Pacing(None, replace(PATIENT, at_once=1))
    begins = await begun(pacing)
    gone, just_gone, stays = [await waiting(pacing) for _ in range(3)]
    gone.cancel()
    await asyncio.wait({gone})
    begins.over()
    just_gone.cancel()  # its turn had come, and it does not know yet
    assert await stays is not None
    assert (pacing.working, pacing.waiting) == (1, 0)


async def test_beside_people_agents_rest_twice_as_long_as_they_worked(monkeypatch: pytest.MonkeyPatch) -> None:
    people, now = People(), [1000.0]
    for module in ("admission.pacing", "throttling.people", "throttling.own_time"):
        monkeypatch.setattr(f"{module}.monotonic", lambda: now[0])
    pacing = Pacing(people, replace(PATIENT, about=5.0, least=BOUND))
    PageTime(people).over()
    works = await begun(pacing)
    now[0] += 0.5
    works.over()
    late = await waiting(pacing)
    now[0] += 0.99
    people.rested()
    assert not late.done()
    now[0] += 0.02
    people.rested()
    assert await late is not None
