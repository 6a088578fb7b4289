"""A process that cannot keep up says so at once, with when to come back, to whoever comes in (rule L8)."""

from __future__ import annotations

import asyncio
import json
import time

import pytest

from besluitbron import overload
from besluitbron.overload import Lateness
from tests.product.conftest import Product
from tests.support.serving import BOUND

pytestmark = pytest.mark.anyio


async def test_while_the_process_is_late_people_and_programs_are_told_when_to_come_back_and_nobody_waits(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Lateness, "seconds", lambda _: 60.0)
    page = await product.site.get("/zoeken?vraag=kanarie", headers={"accept": "text/html"})
    assert (page.status_code, page.headers["retry-after"]) == (503, "5")
    assert "Wacht 5 seconden en ververs dan deze pagina." in page.text
    assert "strict-transport-security" in page.headers or "content-security-policy" in page.headers
    told = await product.site.get("/api/v1/zoek?vraag=kanarie")
    assert (told.status_code, told.headers["content-type"]) == (503, "application/problem+json")
    assert (told.json()["retryAfter"], told.json()["retryable"]) == (5, True)
    sent = await product.site.post("/rapporten", data={"zoekvraag": "vraag=kanarie"}, headers={"accept": "text/html"})
    assert "Wacht 5 seconden, ga terug naar de vorige pagina en verstuur het opnieuw." in sent.text
    assert "staat nog in het adres" not in sent.text
    called = await product.site.post("/mcp/unified/v1", json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert called.status_code == 503
    assert json.loads(called.text)["error"]["data"]["retryAfter"] == 5
    assert (await product.site.get("/gezondheid/leeft")).status_code == 200
    assert "kanarie" not in page.text + told.text
    monkeypatch.undo()
    assert (await product.site.get("/")).status_code == 200


async def test_who_stood_still_once_is_not_overloaded_and_who_did_twice_is_until_it_is_on_time() -> None:
    lateness, seen = Lateness(), []
    for late in (9.0, 0.0, 9.0, 7.0, 8.0, -0.1):
        lateness.saw(late)
        seen.append(lateness.seconds())
    assert seen == [0.0, 0.0, 0.0, 7.0, 7.0, 0.0]


async def test_an_event_loop_with_too_much_to_do_is_seen_to_be_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overload, "_EVERY", 0.01)
    async with Lateness() as lateness, asyncio.timeout(BOUND):
        while lateness.seconds() < 0.02:
            time.sleep(0.1)  # noqa: ASYNC251 - a loop that stands still is what is tested
            await asyncio.sleep(0)
