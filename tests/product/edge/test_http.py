"""Every request under a contract is decided at the edge, in the whole product over real HTTP (choices A5, A7, A9)."""

from __future__ import annotations

import httpx
import pytest

from admission.contracts import Stop
from admission.ledger import Ledger
from tests.product.edge.conftest import Make
from tests.support.contracts import message

pytestmark = pytest.mark.anyio
ONE = {"vraag": "uitkering", "platforms": ["rechtspraak"]}


async def test_a_read_under_a_contract_is_answered_counted_and_kept_by_nobody(make: Make) -> None:
    agent = await make(units=100)
    answer = await agent.get("/api/v1/_zoek?vraag=uitkering&platform=rechtspraak&platform=tweede-kamer")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "private, no-store"
    assert answer.headers["admission-cost"] == "2"
    assert answer.headers["ratelimit"].endswith('"units";r=98, "writes";r=5')
    assert '"session"' not in answer.headers["ratelimit"]
    assert await agent.left() == (98, 5, 0)
    events = await agent.ledger.events()
    assert [event.kind for event in events] == ["open", "negotiate", "allow"]


async def test_a_revoked_contract_is_refused_at_the_very_next_request_with_what_it_means(make: Make) -> None:
    agent = await make()
    assert (await agent.get("/api/v1/platforms")).status_code == 200
    await agent.ledger.revoke(Stop.CONTRACT, agent.contract)
    refused = await agent.get("/api/v1/platforms")
    assert refused.status_code == 403
    assert refused.headers["content-type"] == "application/problem+json"
    assert "www-authenticate" not in refused.headers
    problem = refused.json()
    assert (problem["reason"], problem["retryable"], problem["contract"]) == (
        "contract-revoked",
        False,
        agent.contract,
    )
    assert problem["detail"].startswith("Dit contract is ingetrokken.")


async def test_over_mcp_a_refusal_is_an_error_of_its_request(make: Make) -> None:
    agent = await make()
    assert (await agent.message("tools/list")).json()["result"]["tools"]
    called = await agent.message("tools/call", {"name": "zoek", "arguments": ONE})
    assert called.json()["result"]["structuredContent"]
    assert (await agent.left())[0] == 100 - 1 - 1
    await agent.ledger.revoke(Stop.CONTRACT, agent.contract)
    refused = await agent.message("tools/call", {"name": "zoek", "arguments": {"vraag": "x"}}, id="q-1")
    assert (refused.status_code, refused.headers["content-type"]) == (403, "application/json")
    error = refused.json()
    assert (error["id"], error["error"]["code"]) == ("q-1", 4031)
    assert error["error"]["data"]["retryable"] is False


async def test_who_shows_nothing_is_served_as_before(site: httpx.AsyncClient) -> None:
    answer = await site.get("/api/v1/platforms", headers={"Host": "localhost"})
    assert answer.status_code == 200
    assert "admission-cost" not in answer.headers


async def test_who_shows_nothing_is_counted_here_and_costs_the_store_nothing_of_ours(
    make: Make, site: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Choice A5: anonymous reads at each door are classified in the process, with no event and no call of their own."""
    job = await make()
    before = len(await job.ledger.events())

    def never(*asked: object, **more: object) -> None:
        raise AssertionError(asked, more)

    with monkeypatch.context() as patch:
        for name in ("decide", "look", "note", "earn", "_run"):
            patch.setattr(Ledger, name, never)
        body, headers = message("tools/call", {"name": "organisaties", "arguments": {"naam": "ede"}})
        assert (await site.post("/mcp/unified/v1", json=body, headers=headers)).json()["result"]["structuredContent"]
        for path in ("/api/v1/platforms", "/zoeken?vraag=uitkering&platform=rechtspraak"):
            assert (await site.get(path, headers={"Host": "localhost"})).status_code == 200
    assert len(await job.ledger.events()) == before
    label = 'class="read",lane="anonymous",outcome="allow",reason=""'
    assert f"besluitbron_admission_requests_total{{{label}}} 3.0" in (await site.get("/metrics")).text
