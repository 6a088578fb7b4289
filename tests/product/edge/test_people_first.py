"""Requests under contracts wait for people, and are refused cheaply when there is no moment for them (decision record 0032)."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from admission.edge import Reason
from admission.proofs import calls
from besluitbron.asgi import Pages
from tests.product.edge.conftest import Make
from tests.product.edge.test_attacks import READ, ZOEK, kinds, refused

pytestmark = pytest.mark.anyio
BOUND = 60.0
_FLOOD = 40
PAGE = "/privacy"


class Held:
    """A page that is being made for as long as a test wants."""

    def __init__(self, site: httpx.AsyncClient) -> None:
        self.begun, self.may_end = asyncio.Event(), asyncio.Event()
        self._site = site

    async def begin(self, path: str = PAGE) -> asyncio.Task[httpx.Response]:
        task = asyncio.create_task(self._site.get(path))
        async with asyncio.timeout(BOUND):
            await self.begun.wait()
        return task


@pytest.fixture
def held(site: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> Held:
    one, handle = Held(site), Pages.handle

    async def slow(self: Pages, scope: Any, receive: Any, send: Any) -> None:
        if "authorization" not in dict(scope["headers"]) and scope["path"] == PAGE:
            one.begun.set()
            await one.may_end.wait()
        await handle(self, scope, receive, send)

    monkeypatch.setattr(Pages, "handle", slow)
    return one


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What of a proof was looked at."""
    found: list[object] = []
    prove = calls.prove

    def counted(call: Any, *rest: Any) -> Any:
        found.append(call)
        return prove(call, *rest)

    monkeypatch.setattr("admission.middleware.prove", counted)
    return found


async def test_a_flood_of_requests_under_contracts_waits_for_a_page_and_costs_no_signature(
    make: Make, held: Held, looked_at: list[object]
) -> None:
    """Attacks 13 and 20: people notice nothing of how many agents there are, or of how much each may ask."""
    jobs = [await make(in_flight=100) for _ in range(4)]
    page = await held.begin()
    answers = await asyncio.gather(*(jobs[number % 4].get(READ) for number in range(_FLOOD)))
    told = [answer for answer in answers if answer.status_code == 429]
    assert not page.done()
    assert len(told) >= _FLOOD - 3, "now and then one is let through, so that nobody waits for ever"
    assert len(looked_at) == _FLOOD - len(told)
    for answer in told:
        problem = refused(answer, Reason.PUBLIC_LIMIT, 429)
        assert 1 <= int(answer.headers["retry-after"]) <= 3
        assert problem["retryable"] is True
        assert "contract" not in problem
    assert sum([len(await kinds(job)) for job in jobs]) == len(looked_at), (
        "nothing is written of what was not looked at"
    )
    held.may_end.set()
    assert (await page).status_code == 200
    assert (await jobs[0].get(READ)).status_code == 200


async def test_over_mcp_it_is_an_error_of_json_rpc(make: Make, held: Held) -> None:
    job = await make(in_flight=100)
    page = await held.begin()
    answers = await asyncio.gather(*(job.message("tools/call", ZOEK) for _ in range(12)))
    told = [answer for answer in answers if answer.status_code == 429]
    assert told
    for answer in told:
        refused(answer, Reason.PUBLIC_LIMIT, 429)
        assert answer.json()["error"]["code"] == 4292
    held.may_end.set()
    await page


async def test_people_and_whoever_shows_nothing_wait_for_no_page(
    make: Make, held: Held, site: httpx.AsyncClient
) -> None:
    await make()
    page = await held.begin()
    assert (await site.get(READ)).status_code == 200
    assert (await site.get("/zoeken")).status_code == 200
    held.may_end.set()
    assert (await page).status_code == 200


async def test_what_was_not_looked_at_is_counted(make: Make, held: Held, site: httpx.AsyncClient) -> None:
    job = await make(in_flight=100)
    page = await held.begin()
    told = [answer.status_code for answer in await asyncio.gather(*(job.get(READ) for _ in range(12)))].count(429)
    held.may_end.set()
    await page
    metrics = (await site.get("/metrics")).text
    label = 'class="",lane="unproven",outcome="throttle",reason="public-limit"'
    assert f"besluitbron_admission_requests_total{{{label}}} {float(told)}" in metrics
