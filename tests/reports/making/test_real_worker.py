"""The whole way with a real worker: the task over the broker, the turns in the store, the stand-ins over HTTP."""

from __future__ import annotations

import asyncio
import signal

import pytest

from besluitbron.running.options import Options
from reports.models import ReportPart
from reports.records import CutReason, ReportStatus
from tests.reports.making.conftest import Bureau, worker
from tests.support.threads import in_thread

pytestmark = pytest.mark.anyio


async def test_a_real_worker_makes_what_is_asked_for(bureau: Bureau, to_worker: Options) -> None:
    with worker(to_worker, bureau.address):
        asked = await bureau.ask()
        assert asked.status is ReportStatus.REQUESTED
        ended = await bureau.ended(asked.token)
    assert ended.status is ReportStatus.READY
    report = await bureau.desk.report(asked.token)
    assert report is not None
    assert 0 < report.overview.number <= 40
    assert report.version == ended.version
    assert (ended.done, await bureau.count(ReportPart)) == (ended.size, 0)


async def test_a_worker_that_is_killed_loses_nothing_but_its_turn(bureau: Bureau, to_worker: Options) -> None:
    """Rule L10: after one lease another goes on from the last part, and asks nothing twice."""
    await in_thread(bureau.rules, lease=12.0)
    await bureau.put("rechtspraak", "traag", 50)
    asked = await bureau.ask()
    with worker(to_worker, bureau.address) as first:
        while await bureau.count(ReportPart) < 6:
            assert first.poll() is None
            await asyncio.sleep(0.05)
        first.send_signal(signal.SIGKILL)
        first.wait()
    await bureau.put("rechtspraak", "goed")
    with worker(to_worker, bureau.address):
        again = await bureau.until(asked.token, lambda standing: standing.status is ReportStatus.READY)
    assert again.size == again.done > 7
    report = await bureau.desk.report(asked.token)
    assert report is not None
    assert not report.cuts or {cut.reason for cut in report.cuts} == {CutReason.MOST_HITS, CutReason.MOST_TEXTS}


async def test_a_worker_that_is_asked_to_end_does_so_at_once_and_leaves_its_report_to_the_next(
    bureau: Bureau, to_worker: Options
) -> None:
    """Rule L10: which is no death."""
    await in_thread(bureau.rules, lease=12.0)
    await bureau.put("rechtspraak", "traag", 50)
    asked = await bureau.ask()
    with worker(to_worker, bureau.address) as first:
        while await bureau.count(ReportPart) < 6:
            assert first.poll() is None
            await asyncio.sleep(0.05)
        first.send_signal(signal.SIGTERM)
        await asyncio.to_thread(first.wait, 30)
    await bureau.put("rechtspraak", "goed")
    with worker(to_worker, bureau.address):
        assert (await bureau.ended(asked.token)).status is ReportStatus.READY
    seen, _ = await bureau.office.gate.overview()
    assert [ask.deaths for ask in seen.asks] == [0]
