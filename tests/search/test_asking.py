"""One question with its sources: who has something to do meanwhile begins when they are on their way, never much later."""

from __future__ import annotations

import asyncio

import pytest

from search.answers import PlatformAnswer, State
from search.asking import Asking, SourceAsked, asking
from tests.support.scripted import scripted_platform
from tests.support.serving import BOUND
from tests.support.virtual_time import run_virtually

LONG = 3600.0


def answer(key: str, state: State = State.FAILED) -> PlatformAnswer:
    return PlatformAnswer(platform=scripted_platform(key), state=state)


def a_source(key: str, leaves_after: float | None, answers_after: float = LONG) -> SourceAsked:
    async def asked(here: Asking) -> None:
        if leaves_after is not None:
            await asyncio.sleep(leaves_after)
            here.on_its_way(key)
        await asyncio.sleep(answers_after)
        here.tell(answer(key))

    return asked


async def moment_of_leaving(sources: dict[str, SourceAsked], most: float) -> float:
    async with asking(sources) as here:
        await here.leaves(most)
        return asyncio.get_running_loop().time()


@pytest.mark.parametrize(
    ("sources", "moment"),
    [
        ({"een": a_source("een", 1), "twee": a_source("twee", 3)}, 3),
        ({"een": a_source("een", 1), "hangt": a_source("hangt", None)}, 10),
        ({"een": a_source("een", 9), "bewaard": a_source("bewaard", None, 2)}, 2),
        ({}, 0),
    ],
    ids=["the last one left", "one hangs before it leaves", "one has answered", "nobody is asked"],
)
def test_the_wait_for_sources_to_leave_ends(sources: dict[str, SourceAsked], moment: float) -> None:
    began, ended = run_virtually(_timed(sources))
    assert ended - began == pytest.approx(moment)


async def _timed(sources: dict[str, SourceAsked]) -> tuple[float, float]:
    return asyncio.get_running_loop().time(), await moment_of_leaving(sources, 10)


def test_a_source_that_cannot_answer_has_said_so_but_keeps_nobody_from_waiting_for_the_others() -> None:
    async def cannot(here: Asking) -> None:
        here.tell(answer("kan-niet", State.NOT_SUPPORTED))

    began, ended = run_virtually(_timed({"kan-niet": cannot, "een": a_source("een", 4)}))
    assert ended - began == pytest.approx(4)


@pytest.mark.anyio
async def test_who_leaves_early_gives_up_what_goes_on_and_who_stays_does_not() -> None:
    for stays in (True, False):
        going_on = asyncio.get_running_loop().create_future()

        async def left(here: Asking, work: asyncio.Future[None] = going_on) -> None:
            here.going_on.append(work)

        async with asyncio.timeout(BOUND), asking({"een": left}) as here:
            if stays:
                assert [one async for one in here] == []
            else:
                await here.leaves(BOUND)
        assert going_on.cancelled() is not stays


async def _order(answers: dict[str, tuple[State, float]]) -> list[tuple[str, float]]:
    def a_source_that(key: str, state: State, after: float) -> SourceAsked:
        async def asked(here: Asking) -> None:
            await asyncio.sleep(after)
            here.tell(answer(key, state))

        return asked

    began = asyncio.get_running_loop().time()
    async with asking({key: a_source_that(key, *how) for key, how in answers.items()}) as here:
        return [
            (one.platform.key, round(asyncio.get_running_loop().time() - began, 3))
            async for one in here.results_first(0.7)
        ]


def test_who_found_nothing_comes_after_who_found_something_but_never_much_later() -> None:
    """Who found something comes at once; who did not, when all have answered or a moment after the first of them."""
    quick = run_virtually(
        _order({"leeg": (State.EMPTY, 0.0), "dood": (State.FAILED, 0.1), "klaar": (State.READY, 0.2)})
    )
    assert quick == [("klaar", 0.2), ("leeg", 0.2), ("dood", 0.2)]
    slow = run_virtually(
        _order(
            {
                "leeg": (State.EMPTY, 0.1),
                "traag": (State.READY, 8),
                "ook leeg": (State.EMPTY, 2),
                "wacht": (State.PLANNED, 0.2),
            }
        )
    )
    assert slow == [("wacht", 0.2), ("leeg", 0.8), ("ook leeg", 2), ("traag", 8)]
