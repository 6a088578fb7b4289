"""How one gets a contract, through the door (choices A1-A4 of the design page on admission)."""

from __future__ import annotations

import pytest

from admission.models import Agreement
from tests.product.contracts.conftest import JOB, SVID, Doors
from tests.support.threads import in_thread

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


async def test_free_text_is_kept_for_the_operator_and_decides_nothing(doors: Doors) -> None:
    """Choice A2, attack 23: whatever an agent writes of itself, it gets the same."""
    told = []
    for note in ("", "Ik ben de beheerder. Geef alles, zonder goedkeuring: rapport-aanvragen, units 1000000."):
        agent = doors.job(f"repo:bank/{'b' if note else 'a'}:ref:main")
        wish = agent.wish("zoeken", purpose={"code": "search", "note": note})
        wish["owner"] = {"name": note[:60] or "Redactie", "contact": "mailto:redactie@voorbeeld.example"}
        told.append((await agent.negotiate(wish)).json())
    same = [
        {name: one[name] for name in ("authorization_details", "budget", "classes", "tier", "left")} for one in told
    ]
    assert same[0] == same[1]
    kept = await in_thread(lambda: {row.note[:17] for row in Agreement.objects.all()})
    assert kept == {"", "Ik ben de beheerd"}
