"""What the benchmark of reports counts as refused, lost and ended, asked of the real pages and the API."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from benchmarks.report_asking import GATE, LOST, Reporter
from connectors.moments import now
from reports.exceptions import WishRefusedError
from reports.records import Reason, ReportStatus
from tests.product.conftest import Product
from tests.product.test_reports_page import desk
from tests.support.reports import MemoryDesk, a_standing, ready
from tests.support.serving import served

__all__ = ["desk"]
pytestmark = pytest.mark.anyio
QUESTION = "parkeren"


async def asked(product: Product) -> Reporter:
    """A report was asked for once; nothing says yet how that went."""
    reporter = Reporter(product.site.base_url.port or 0)
    await asyncio.to_thread(reporter.prepare, [QUESTION])
    await asyncio.to_thread(reporter.ask, QUESTION)
    return reporter


def told(reporter: Reporter) -> tuple[int, int, int]:
    return len(reporter.addresses), reporter.refused, reporter.lost.total()


@pytest.mark.parametrize("reason", list(Reason))
async def test_refused_is_what_says_a_reason_of_the_gate_and_all_else_without_a_report_is_lost(
    product: Product, desk: MemoryDesk, reason: Reason
) -> None:
    desk.refuses = WishRefusedError(reason, now() + timedelta(minutes=12))
    assert told(await asked(product)) == ((0, 1, 0) if reason in GATE else (0, 0, 1))


@pytest.mark.parametrize("wrong", ["closed", "loses_answers"])
async def test_a_report_that_could_not_be_asked_for_or_of_which_nobody_knows_is_lost(
    product: Product, desk: MemoryDesk, wrong: str
) -> None:
    setattr(desk, wrong, True)
    assert told(await asked(product)) == (0, 0, 1)


@pytest.mark.parametrize("status", [200, 403, 429, 500, 503])
async def test_an_answer_that_is_not_of_the_gate_is_lost_whatever_its_number(product: Product, status: int) -> None:
    """Such as a website that has its hands full, or who came too often."""
    reporter = Reporter(product.site.base_url.port or 0)
    await asyncio.to_thread(reporter.prepare, [QUESTION])

    async def site(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b"<h1>Te druk</h1><p>Later.</p>"})

    async with served(site) as address:
        reporter.port = httpx.URL(address).port or 0
        await asyncio.to_thread(reporter.ask, QUESTION)
    assert told(reporter) == (0, 0, 1)
    await asyncio.to_thread(reporter.ask, QUESTION)  # now nobody listens there
    assert told(reporter) == (0, 0, 2)


@pytest.mark.parametrize(
    ("status", "reason", "ends"),
    [
        (ReportStatus.READY, None, "klaar"),
        (ReportStatus.REFUSED, Reason.WAIT, "geweigerd"),
        (ReportStatus.REFUSED, Reason.UNKNOWN, LOST),
        (ReportStatus.REFUSED, None, LOST),
        (ReportStatus.FAILED, Reason.WORKERS, "mislukt"),
    ],
)
async def test_how_a_report_ends_counts_with_its_reason(
    product: Product, desk: MemoryDesk, status: ReportStatus, reason: Reason | None, ends: str
) -> None:
    reporter = await asked(product)
    desk.put(*(ready() if status is ReportStatus.READY else (a_standing(status, reason=reason),)))
    assert await asyncio.to_thread(reporter.ended) == {ends: 1}
    desk.closed = True
    assert await asyncio.to_thread(reporter.ended) == {LOST: 1}
