"""A program finds by itself that there are contracts, and all that it needs to ask for one."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import pytest
from pytest_django import Settings

from admission.problems import Refusals
from admission.rules import PURPOSES
from besluitbron.work import WORK
from connectors.language import Language, catalogue
from tests.product.contracts.conftest import Doors
from tests.support.agent import SITE
from throttling.bodies import MOST_BYTES
from throttling.incoming_rules import DoorRules, IncomingRules, Rate
from throttling.problems import Kinds
from throttling.work import Access

pytestmark = pytest.mark.anyio
DISCOVERY = "/.well-known/admission-contract"
DISCOVER = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "server/discover",
    "params": {
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        }
    },
}


async def test_the_document_says_what_can_be_asked_and_by_whom(doors: Doors) -> None:
    answer = await doors.http.get(DISCOVERY)
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "public, max-age=300")
    told = answer.json()
    assert told["issuer"] == SITE
    assert {one["code"] for one in told["purposes"]} == set(PURPOSES)
    listed = {one["id"]: one["class"] for one in told["operations"]}
    assert listed == {
        work.operation: "write" if work.access is Access.WRITE else "read" for work in WORK if work.operation
    }
    assert [one["tier"] for one in told["tiers"]] == ["federated", "cimd", "ad-hoc"]
    assert [one["classes"] for one in told["tiers"]] == [["read", "write"], ["read"], ["read"]]
    methods = [(one["method"], one.get("issuer")) for one in told["identity_methods"]]
    assert methods == [("jwt-svid", "bank.example"), ("platform-jwt", "https://bouw.example"), ("dpop", None)]
    assert "niet betrouwbaar" in told["honesty"], "choice A10: accountable and stoppable, not trustworthy"
    for name in ("negotiation_endpoint", "token_endpoint", "revocation_endpoint", "jwks_uri"):
        assert told[name].startswith(f"{SITE}/admission/")


async def test_the_document_names_the_endpoints_that_have_a_tool(doors: Doors) -> None:
    """A tool that the document promises at an endpoint is there: it asks each what it has."""
    told = (await doors.http.get(DISCOVERY)).json()
    promised: dict[str, set[str]] = {}
    for one in told["operations"]:
        for endpoint in one.get("mcp_endpoints", ()):
            promised.setdefault(endpoint, set()).update(one["mcp_tools"])
    assert {"/mcp/unified/v1", "/mcp/rechtspraak/v1"} <= set(promised)
    for endpoint, tools in promised.items():
        method = {"method": "tools/list"}
        headers = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list", "Accept": "application/json"}
        answer = await doors.http.post(endpoint, json=DISCOVER | method, headers=headers)
        assert {one["name"] for one in answer.json()["result"]["tools"]} == tools, endpoint


async def test_who_has_the_document_already_gets_no_second_one(doors: Doors) -> None:
    tag = (await doors.http.get(DISCOVERY)).headers["etag"]
    again = await doors.http.get(DISCOVERY, headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["", "/mcp/unified/v1", "/mcp/rechtspraak/v1", "/mcp"])
async def test_metadata_of_the_resource_lead_to_the_server_and_the_contract(doors: Doors, path: str) -> None:
    told = (await doors.http.get(f"/.well-known/oauth-protected-resource{path}")).json()
    assert (told["resource"], told["authorization_servers"]) == (f"{SITE}{path}", [SITE])
    assert told["bearer_methods_supported"] == []
    assert told["admission_contract"] == f"{SITE}{DISCOVERY}"


async def test_what_is_no_resource_has_no_metadata(doors: Doors) -> None:
    assert (await doors.http.get("/.well-known/oauth-protected-resource/beheer")).status_code == 404


async def test_metadata_of_the_server_say_what_a_client_of_oauth_must_do(doors: Doors) -> None:
    told = (await doors.http.get("/.well-known/oauth-authorization-server")).json()
    assert told["issuer"] == SITE
    assert told["grant_types_supported"] == ["client_credentials", "urn:ietf:params:oauth:grant-type:jwt-bearer"]
    assert told["dpop_signing_alg_values_supported"] == ["Ed25519", "ES256"]
    assert told["client_id_metadata_document_supported"] is False


async def test_our_tokens_are_signed_with_a_key_that_is_told_and_the_next_one_is_told_already(doors: Doors) -> None:
    """Attack 5: a key that follows another is known before it signs."""
    keys = (await doors.http.get("/admission/jwks.json")).json()["keys"]
    signer = doors.house.issuer.keys.signer(doors.house.clock())
    assert signer is not None
    assert signer.kid in {key["kid"] for key in keys}
    assert len(keys) in {2, 3}
    assert not [key for key in keys if "d" in key]


async def test_an_assistant_hears_of_contracts_when_it_discovers_the_server(doors: Doors) -> None:
    headers = {
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "server/discover",
    }
    answer = await doors.http.post("/mcp/unified/v1", json=DISCOVER, headers=headers)
    told = answer.json()["result"]["capabilities"]["extensions"]["nl.besluitbron/admission-contract"]
    assert told == {"version": "1", "discovery": f"{SITE}{DISCOVERY}", "required": False}


@pytest.mark.parametrize("path", ["/robots.txt", "/llms.txt"])
async def test_robots_and_assistants_find_the_pointer_where_they_look_first(doors: Doors, path: str) -> None:
    answer = await doors.http.get(path)
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert f"{SITE}{DISCOVERY}" in answer.text


ONE = Rate(1, 60, 1)
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
}


@pytest.fixture
def one_at_a_time(settings: Settings) -> None:
    door = DoorRules(Rate(60), ONE)
    settings.INCOMING_RULES = IncomingRules(api=door, page=door, mcp=DoorRules(Rate(60), Rate(60)), opening=ONE)


LIMITED: dict[str, dict[str, Any]] = {
    "api": {"method": "GET", "url": "/api/v1/platforms"},
    "api-too-large": {"method": "POST", "url": "/api/v1/rapporten", "content": b"x" * (MOST_BYTES + 1)},
    "page": {"method": "GET", "url": "/zoeken.json?vraag=x", "headers": {"Accept": "application/json"}},
    "session": {
        "method": "POST",
        "url": "/mcp/unified/v1",
        "json": INITIALIZE,
        "headers": {"Accept": "application/json"},
    },
    "contract": {"method": "POST", "url": "/admission/contracts", "content": b"{}"},
}


@pytest.mark.parametrize("door", LIMITED)
async def test_whoever_meets_a_public_limit_is_told_how_to_get_more(
    one_at_a_time: None, doors: Doors, door: str
) -> None:
    """At each door, also where what was sent was not read, and where the origin itself says that it is too much."""
    for _ in range(25):
        answer = await doors.http.request(**LIMITED[door])
        if answer.status_code == HTTPStatus.TOO_MANY_REQUESTS:
            break
    assert answer.status_code == HTTPStatus.TOO_MANY_REQUESTS
    assert f"<{SITE}{DISCOVERY}>" in answer.headers["link"]
    assert int(answer.headers["retry-after"]) >= 1


@pytest.mark.parametrize("door", LIMITED)
async def test_a_public_limit_is_told_in_the_language_that_was_asked_for(
    one_at_a_time: None, doors: Doors, door: str
) -> None:
    """As all else that is told of contracts; of a page its address says which language it is."""
    request = LIMITED[door] | {"headers": LIMITED[door].get("headers", {}) | {"Accept-Language": "en"}}
    if door == "page":
        request["url"] = f"/en{request['url']}"
    for _ in range(25):
        answer = await doors.http.request(**request)
        if answer.status_code == HTTPStatus.TOO_MANY_REQUESTS:
            break
    told = answer.json()
    problem = told["error"]["data"] if "error" in told else told
    kinds = (Kinds.TOO_MANY.value, Refusals.PUBLIC_LIMIT.value)
    assert problem["title"] in {catalogue(Language.ENGLISH).gettext(kind.title) for kind in kinds}
    assert not set(problem["detail"].split()) & {"De", "grens", "het", "ruimte", "Wacht"}, problem["detail"]
    if "error" in told:
        assert told["error"]["message"] == problem["detail"]
