"""What goes on under a contract ends when the contract does, with a last word where the protocol has one (choice A4)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from admission.contracts import Stop
from tests.product.conftest import Product
from tests.product.edge.conftest import Make
from tests.support.contracts import Job
from tests.support.serving import BOUND
from throttling.work import Access

pytestmark = pytest.mark.anyio
SLOW = "rechtspraak"
QUESTION = f"vraag=subsidie&platform={SLOW}"
SEARCH = {"name": "zoek", "arguments": {"vraag": "subsidie", "platforms": [SLOW]}}


@pytest.fixture(autouse=True)
async def slow(edge: Product, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """A source that answers later than any test waits; streams show soon that they live."""
    monkeypatch.setattr("assistants.exchange.PING_SECONDS", 0.05)
    await edge.put(SLOW, "traag", 600)
    yield
    await edge.put(SLOW, "goed")


async def ended(job: Job, path: str, stop: Any, headers: dict[str, str] | None = None, **request: Any) -> str:
    """All that a stream says when ``stop`` is done as soon as it began."""
    method = "POST" if "json" in request else "GET"
    given = job.headers(method, path) | (headers or {})
    text = ""
    async with asyncio.timeout(BOUND), job.http.stream(method, path, headers=given, **request) as answer:
        assert answer.status_code == 200
        async for piece in answer.aiter_text():
            text, before = text + piece, text
            if not before:
                await stop()
    return text


def last_event(text: str) -> tuple[str, dict[str, Any]]:
    lines = text.strip().replace("\r\n", "\n").rpartition("\n\n")[2].split("\n")
    fields = dict(line.split(": ", 1) for line in lines)
    return fields["event"], json.loads(fields["data"])


async def test_a_stream_of_the_api_ends_with_the_reason_when_its_contract_is_revoked(make: Make) -> None:
    job = await make()
    text = await ended(
        job,
        f"/api/v1/_zoek?{QUESTION}",
        lambda: job.ledger.revoke(Stop.CONTRACT, job.contract),
        {"Accept": "text/event-stream"},
    )
    name, problem = last_event(text)
    assert (name, problem["reason"], problem["retryable"]) == ("geweigerd", "contract-revoked", False)
    assert (await job.left())[2] == 0


@pytest.mark.parametrize("what", [Stop.WORKLOAD, Stop.ISSUER, Stop.TOKEN])
async def test_a_stream_ends_by_whatever_stops_it_and_those_of_others_go_on(make: Make, what: Stop) -> None:
    job = await make(issuer="een.example")
    token = job.tokens[Access.READ] = job.mint(jti="tok-die-weg-moet")
    names = {Stop.WORKLOAD: job.workload, Stop.ISSUER: "een.example", Stop.TOKEN: "tok-die-weg-moet"}
    other = await make(issuer="ander.example")
    path = f"/zoeken/stroom?{QUESTION}&wacht={SLOW}"
    async with other.http.stream("GET", path, headers=other.headers("GET", path)) as goes_on:
        text = await ended(job, path, lambda: job.ledger.revoke(what, names[what], seconds=300))
        told = goes_on.aiter_text()
        assert (await anext(told)).startswith("retry:")
        assert (await other.left())[2] == 1
    name, problem = last_event(text)
    reason = "token-invalid" if what is Stop.TOKEN else "contract-revoked"
    assert (name, problem["reason"]) == ("geweigerd", reason)
    assert token not in text


async def test_over_mcp_the_last_event_is_the_error_of_the_request(make: Make) -> None:
    """A stream of an older revision, in a session of its own."""
    job = await make()
    path = "/mcp/unified/v1"
    begin = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    hello = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": begin}
    accepts = {"Accept": "application/json, text/event-stream"}
    opened = await job.call("POST", path, json=hello, headers=accepts)
    session = {**accepts, "Mcp-Session-Id": opened.headers["mcp-session-id"], "MCP-Protocol-Version": "2025-11-25"}
    asked = {"jsonrpc": "2.0", "id": 41, "method": "tools/call", "params": SEARCH}
    text = await ended(job, path, lambda: job.ledger.revoke(Stop.CONTRACT, job.contract), session, json=asked)
    name, error = last_event(text)
    assert (name, error["id"], error["error"]["code"]) == ("message", 41, 4031)
    assert error["error"]["data"]["retryable"] is False


async def test_what_had_said_nothing_yet_is_refused_as_if_it_had_just_come(make: Make) -> None:
    job = await make()
    asking = asyncio.ensure_future(job.get(f"/api/v1/_zoek?{QUESTION}"))
    async with asyncio.timeout(BOUND):
        while (await job.left())[2] == 0:
            await asyncio.sleep(0.01)
        await job.ledger.revoke(Stop.CONTRACT, job.contract)
        refused = await asking
    assert (refused.status_code, refused.json()["reason"]) == (403, "contract-revoked")


async def test_a_page_that_is_cut_short_does_not_look_whole(make: Make) -> None:
    job = await make()
    with pytest.raises(httpx.RemoteProtocolError):
        await ended(job, f"/zoeken?{QUESTION}", lambda: job.ledger.revoke(Stop.CONTRACT, job.contract))
    assert (await job.left())[2] == 0


async def test_a_stream_ends_when_its_contract_does(make: Make) -> None:
    job = await make(seconds=1.5)

    async def nothing() -> None:
        return

    text = await ended(job, f"/api/v1/_zoek?{QUESTION}", nothing, {"Accept": "text/event-stream"})
    assert last_event(text)[1]["reason"] == "contract-expired"


async def test_who_goes_away_gives_the_slot_back(make: Make) -> None:
    """Attack 12 of the study."""
    job = await make(in_flight=1)
    path = f"/api/v1/_zoek?{QUESTION}"
    given = job.headers("GET", path) | {"Accept": "text/event-stream"}
    async with job.http.stream("GET", path, headers=given) as answer:
        await anext(answer.aiter_text())
        full = await job.get("/api/v1/platforms")
        assert (full.status_code, full.headers["retry-after"]) == (429, "1")
        assert full.json()["reason"] == "in-flight-exceeded"
    async with asyncio.timeout(BOUND):
        while (await job.left())[2]:
            await asyncio.sleep(0.01)
    assert (await job.get("/api/v1/platforms")).status_code == 200
