"""An origin's answer goes on while its contract holds, and ends soon after, whatever the origin does."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from admission.edge import Reason
from admission.going import while_it_holds

pytestmark = pytest.mark.anyio
BOUND = 30.0
Work = Callable[[], Awaitable[None]]


class Told:
    """Who is told that it was stopped."""

    def __init__(self) -> None:
        self.reasons: list[Reason] = []
        self.heard = asyncio.Event()

    async def __call__(self, reason: Reason) -> None:
        self.reasons.append(reason)
        self.heard.set()


async def never() -> None:
    await asyncio.Event().wait()


async def stopped(work: Work, told: Told, grace: float = 0.0) -> None:
    """Stopped before it begins; what comes after it in the same task is not cancelled."""
    stop: asyncio.Future[Reason] = asyncio.get_running_loop().create_future()
    stop.set_result(Reason.CONTRACT_REVOKED)
    async with asyncio.timeout(BOUND):
        await while_it_holds(work(), stop, told, grace)
        await asyncio.sleep(0)
    task = asyncio.current_task()
    assert task is not None
    assert not task.cancelling()


async def test_an_origin_that_goes_on_is_cancelled_and_its_task_goes_on() -> None:
    told = Told()
    await stopped(never, told)
    assert told.reasons == [Reason.CONTRACT_REVOKED]


async def test_an_origin_that_swallows_a_cancellation_is_asked_again() -> None:
    told, asked = Told(), 0

    async def deaf() -> None:
        nonlocal asked
        try:
            await never()
        except asyncio.CancelledError:
            asked += 1
        await never()

    await stopped(deaf, told)
    assert asked == 1


async def test_an_origin_that_ends_by_itself_once_it_is_told_is_not_cancelled() -> None:
    told = Told()
    ended = False

    async def listens() -> None:
        nonlocal ended
        await told.heard.wait()
        ended = True

    await stopped(listens, told, BOUND)
    assert ended


async def test_what_an_origin_raises_comes_out() -> None:
    async def breaks() -> None:
        await asyncio.sleep(0)
        raise KeyError

    with pytest.raises(KeyError):
        await stopped(breaks, Told(), BOUND)


async def test_a_cancellation_by_somebody_else_comes_out() -> None:
    stop: asyncio.Future[Reason] = asyncio.get_running_loop().create_future()
    began, told = asyncio.Event(), Told()

    async def origin() -> None:
        began.set()
        await never()

    async def request() -> None:
        await while_it_holds(origin(), stop, told)

    task = asyncio.create_task(request())
    async with asyncio.timeout(BOUND):
        await began.wait()
        task.cancel()
        await asyncio.wait({task})
    assert task.cancelled()
    assert not told.reasons


async def test_nobody_is_told_of_a_stop_that_comes_as_the_answer_ends() -> None:
    stop: asyncio.Future[Reason] = asyncio.get_running_loop().create_future()
    told = Told()

    async def ends() -> None:
        stop.set_result(Reason.CONTRACT_REVOKED)

    async with asyncio.timeout(BOUND):
        await while_it_holds(ends(), stop, told)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    assert not told.reasons
