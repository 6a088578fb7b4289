"""A worker that comes late: starts do not pile up in the broker meanwhile, and none is missed."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest
from celery import Celery

from besluitbron.celery import MOST_STARTS, REPORTS, QueueFullError, room, waiting
from besluitbron.running.options import Options
from reports.exceptions import DeskClosedError
from reports.records import ReportStatus
from tests.reports.making.conftest import BROKERS, PATIENCE, Bureau, send, worker
from tests.support.threads import in_thread

pytestmark = pytest.mark.anyio
BUILD = "reports.tasks.build"


def say(run: str, times: int) -> int:
    """Say a start so often; gives how often there was no room."""
    refused = 0
    for _ in range(times):
        try:
            send(BUILD, run)
        except QueueFullError:
            refused += 1
    return refused


async def ready(bureau: Bureau, token: str) -> None:
    """Wait until it is ready; a store that is slow on a busy machine is asked again."""
    async with asyncio.timeout(PATIENCE):
        while True:
            with suppress(DeskClosedError):
                if (await bureau.standing(token)).status is ReportStatus.READY:
                    return
            await asyncio.sleep(0.2)


async def empty() -> None:
    async with asyncio.timeout(PATIENCE):
        while await asyncio.to_thread(waiting, BROKERS[0], REPORTS):
            await asyncio.sleep(0.1)


async def test_starts_that_no_worker_hears_do_not_pile_up_and_a_late_worker_makes_the_report_once(
    bureau: Bureau, to_worker: Options
) -> None:
    asked = await bureau.ask()
    seen, _ = await bureau.office.gate.overview()
    (run,) = {ask.run for ask in seen.asks}
    assert await asyncio.to_thread(say, run, 3 * MOST_STARTS) == 2 * MOST_STARTS + 1
    assert await asyncio.to_thread(waiting, BROKERS[0], REPORTS) == MOST_STARTS
    with worker(to_worker, bureau.address):
        await ready(bureau, asked.token)
        await empty()
    seen, _ = await bureau.office.gate.overview()
    assert [ask.deaths for ask in seen.asks] == [0]


async def test_a_start_for_which_there_was_no_room_is_said_again_and_heard(bureau: Bureau, to_worker: Options) -> None:
    """Rule L10: a start that nobody took is said again after a lease."""
    await in_thread(bureau.rules, lease=3.0)
    await asyncio.to_thread(say, "van-vroeger", MOST_STARTS)
    asked = await bureau.ask()
    with worker(to_worker, bureau.address):
        await ready(bureau, asked.token)


def test_without_a_broker_there_is_an_error_of_the_kind_that_pages_know() -> None:
    with (
        Celery(broker="redis+socket:///er/is/niets.sock", set_as_current=False) as broker,
        pytest.raises(ConnectionError),
    ):
        room(broker, REPORTS, 1)
