"""Messages of MCP under a contract: what headers, body and registry say of them must be one thing (attacks 10 and 20)."""

from __future__ import annotations

import httpx
import pytest

from admission.edge import Reason
from tests.product.edge.conftest import Make
from tests.product.edge.test_attacks import ZOEK, kinds, refused
from tests.support.contracts import message

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b'{"jsonrpc":"2.0","id":7,"method":"tools/list","method":"tools/call"}', {"Mcp-Method": "tools/list"}),
        (b"[]", {}),
        (b'[{"jsonrpc":"2.0","id":7,"method":"tools/list"}]', {}),
        (b"{", {}),
        (b"\xff", {}),
        (b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"wis_alles"}}', {"Mcp-Name": "wis_alles"}),
        (b'{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen"}', {"Mcp-Method": "subscriptions/listen"}),
        (b'{"jsonrpc":"2.0","id":7,"result":{}}', {"MCP-Protocol-Version": "2025-11-25"}),
        (b"[" * 100_000, {}),
        (b'{"a":' * 50_000, {}),
    ],
)
async def test_a_message_that_is_not_one_known_thing_changes_state(
    make: Make, body: bytes, headers: dict[str, str]
) -> None:
    """Attack 10: batches, unknown tools, and what two readers read in two ways."""
    job = await make()
    told = {"Content-Type": "application/json", "MCP-Protocol-Version": "2026-07-28", **headers}
    if b"tools/call" in body and "Mcp-Method" not in told:
        told["Mcp-Method"] = "tools/call"
    answer = await job.call("POST", "/mcp/unified/v1", content=body, headers=told)
    refused(answer, Reason.CLASS_MISMATCH, 403)
    assert (await job.left())[0] == 100


@pytest.mark.parametrize(
    "told",
    [
        {"Mcp-Method": "tools/list"},
        {"Mcp-Name": "lees"},
        {"Mcp-Name": "=?base64?bGVlcw==?="},
        {"Mcp-Name": "=?base64?%%?="},
        {"MCP-Protocol-Version": "2025-11-25", "Mcp-Method": "tools/list"},
    ],
)
async def test_headers_and_body_that_disagree_are_refused_as_the_protocol_says(
    make: Make, told: dict[str, str]
) -> None:
    """Attack 10: one is sorted by the headers, the other is done."""
    job = await make()
    answer = await job.message("tools/call", ZOEK, headers=told)
    assert (answer.status_code, answer.json()["error"]["code"], answer.json()["id"]) == (400, -32020, 7)
    assert answer.json()["error"]["data"]["reason"] == "class-mismatch"
    assert await kinds(job) == [("deny", "class-mismatch")]


async def test_an_encoded_header_says_what_it_says(make: Make) -> None:
    job = await make()
    answer = await job.message("tools/call", ZOEK, headers={"Mcp-Name": "=?base64?em9law==?="})
    assert answer.status_code == 200


async def test_messages_of_the_protocol_cost_a_unit_under_a_contract_and_nothing_without(
    make: Make, site: httpx.AsyncClient
) -> None:
    job = await make()
    for method in ("tools/list", "server/discover", "prompts/list"):
        assert (await job.message(method)).status_code == 200
    assert (await job.left())[0] == 97
    body, headers = message("tools/list")
    answer = await site.post("/mcp/unified/v1", json=body, headers=headers)
    assert (answer.status_code, "admission-cost" in answer.headers) == (200, False)


async def test_reading_a_resource_is_reading(make: Make) -> None:
    """A document may be asked for as a resource too: it is in no other scope."""
    job = await make(actions=("lijsten",))
    answer = await job.message(
        "resources/read", {"uri": "besluitbron://woorden"}, headers={"Mcp-Name": "besluitbron://woorden"}
    )
    refused(answer, Reason.OUT_OF_SCOPE, 403)


async def test_over_mcp_a_body_is_bounded_and_read_of_nobody_who_proves_nothing(
    make: Make, site: httpx.AsyncClient
) -> None:
    """Attack 20. It names no operation, so nothing is decided: it is counted, and told in the language that is read."""
    job = await make()
    huge = await job.call("POST", "/mcp/unified/v1", content=b"x" * 1_100_000, headers={"Accept-Language": "en"})
    assert (huge.status_code, huge.json()["error"]["code"]) == (413, 4130)
    assert "We read at most" in huge.json()["error"]["message"]
    assert (await job.left(), await kinds(job)) == ((100, 5, 0), [])
    label = 'class="write",lane="contract",outcome="deny",reason="class-mismatch"'
    assert f"besluitbron_admission_requests_total{{{label}}} 1.0" in (await site.get("/metrics")).text
