"""How one gets a contract, through the door (choices A1-A4 of the design page on admission)."""

from __future__ import annotations

import pytest

from tests.product.contracts.conftest import JOB, SVID, Doors

pytestmark = pytest.mark.anyio


async def test_a_job_that_its_platform_vouches_for_gets_what_it_asked(doors: Doors) -> None:
    agent = doors.job()
    answer = await agent.negotiate(agent.wish("zoeken", "mcp:lees", write=("rapport-aanvragen",)))
    assert answer.status_code == 201, answer.text
    told = answer.json()
    assert (told["status"], told["tier"], told["jkt"]) == ("active", "federated", agent.jkt)
    assert told["workload"] == f"https://bouw.example#{JOB}"
    assert told["budget"] == {"in_flight": 2, "units": 100, "writes": 2, "unit": "unit"}
    assert [(one["class"], one["actions"]) for one in told["authorization_details"]] == [
        ("read", ["zoeken", "lezen"]),
        ("write", ["rapport-aanvragen"]),
    ]
    assert told["classes"] == {"read": {"token_ttl": 300}, "write": {"token_ttl": 120, "approval": "required"}}
    assert answer.headers["location"] == told["status_uri"]
    assert answer.headers["cache-control"] == "private, no-store"
    assert 8 <= len(told["revocation_handle"]) <= 10


async def test_a_workload_of_a_trust_domain_gets_a_contract_under_its_own_name(doors: Doors) -> None:
    answer = await doors.svid().negotiate()
    assert answer.status_code == 201, answer.text
    assert answer.json()["workload"] == SVID


async def test_a_token_of_the_contract_opens_reading_and_the_status_says_what_is_left(doors: Doors) -> None:
    agent = doors.job()
    await agent.negotiate()
    answer = await agent.token()
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert (told["token_type"], told["expires_in"], told["scope"]) == ("DPoP", 300, "admission:read")
    path = agent.contract["status_uri"]
    status = await agent.http.get(path, headers={"DPoP": agent.proof("GET", path)})
    assert status.json()["left"] == {"units": 100, "writes": 0, "in_flight": 0}
