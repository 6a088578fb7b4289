"""Nobody gets a contract by a trick: every refusal has its kind, its status, and says whether asking again helps."""

from __future__ import annotations

import asyncio
import secrets
import time
from typing import Any

import httpx
import pytest

from admission.arriving import MOST_BODY
from admission.models import AdmissionEvent, Agreement
from admission.upkeep import keep_events
from tests.product.contracts.conftest import JOB, Doors
from tests.support.agent import SITE, Agent, Platform, key, public, signed
from tests.support.threads import in_thread

pytestmark = pytest.mark.anyio
PATH = "/admission/contracts"


def reason(answer: httpx.Response) -> tuple[int, str, bool]:
    told = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert "no-store" in answer.headers["cache-control"]
    return answer.status_code, told["type"].rpartition("/")[2], told["retryable"]


PROOF = (401, "proof-invalid", True)
IDENTITY = (401, "identity-invalid", False)
INPUT = (400, "ongeldige-invoer", False)


async def test_a_proof_is_good_for_one_request_and_for_nothing_else(doors: Doors) -> None:
    """Attacks 1, 2, 3 and 4: replayed, of another key, address, method or moment, or not there."""
    agent, other = doors.ad_hoc(), doors.ad_hoc()
    used = agent.proof("POST", PATH)
    assert (await agent.negotiate(DPoP=used)).status_code == 201
    assert reason(await agent.negotiate(DPoP=used)) == PROOF
    now = int(time.time())
    for changed in (
        {"htm": "GET"},
        {"htu": f"{SITE}/admission/token"},
        {"htu": "http://elders.example/admission/contracts"},
    ):
        assert reason(await agent.negotiate(DPoP=agent.proof("POST", PATH, **changed))) == PROOF
    for moment in (now - 90, now + 90):
        answer = await agent.negotiate(DPoP=agent.proof("POST", PATH, iat=moment))
        assert reason(answer) == PROOF
        assert answer.json()["serverTime"].endswith("Z")
        assert 'error="invalid_dpop_proof"' in answer.headers["www-authenticate"]
    claims = {"jti": "x" * 20, "htm": "POST", "htu": f"{SITE}{PATH}", "iat": now}
    stolen = signed({"typ": "dpop+jwt", "jwk": public(other.own)}, claims, agent.own)
    assert reason(await agent.negotiate(DPoP=stolen)) == PROOF
    answer = await agent.http.post(PATH, json=agent.wish(), headers={"Idempotency-Key": "k" * 10})
    assert reason(answer) == PROOF


async def test_clocks_that_differ_by_less_than_a_minute_are_no_matter(doors: Doors) -> None:
    """Attack 4."""
    for moment in (int(time.time()) - 50, int(time.time()) + 50):
        agent = doors.ad_hoc()
        assert (await agent.negotiate(DPoP=agent.proof("POST", PATH, iat=moment))).status_code == 201


async def test_only_whom_the_operator_trusts_vouches_for_a_job(doors: Doors) -> None:
    """Attacks 7 and 9: another issuer, another key with the same name, another subject, audience or life, no signature."""
    now = int(time.time())
    stranger = Platform("https://vreemd.example")
    double = Platform(doors.platform.name)
    by = doors.platform
    tokens = [
        stranger.vouch(JOB),
        double.vouch(JOB),
        by.vouch("repo:ander/agents:ref:main"),
        by.vouch("repo:bank/agents:ref:main/extra"),
        by.vouch(JOB, aud=SITE),
        by.vouch(JOB, aud=[f"{SITE}/admission", "https://elders.example"]),
        by.vouch(JOB, iat=now - 7200, exp=now - 3600),
        by.vouch(JOB, exp=now + 7200),
        by.vouch(JOB).rpartition(".")[0] + ".",
        by.vouch(JOB) + "x",
        "a.b.c",
        "",
        "x" * 9_000,
    ]
    for token in tokens:
        agent = Agent(doors.http, identity=lambda token=token: {"method": "platform-jwt", "token": token})
        assert reason(await agent.negotiate())[:2] in {IDENTITY[:2], INPUT[:2]}, token[:60]
    svid = doors.domain.vouch("spiffe://ander.example/agent/x")
    agent = Agent(doors.http, identity=lambda: {"method": "jwt-svid", "token": svid})
    assert reason(await agent.negotiate()) == IDENTITY
    assert await in_thread(Agreement.objects.count) == 0


async def test_who_is_not_known_here_is_not_fetched(doors: Doors) -> None:
    """Attack 6, attack 8: no client is asked that the operator did not name; and signatures of agents are not taken yet."""
    claims = {"iss": "https://127.0.0.1/a", "sub": "https://127.0.0.1/a", "aud": SITE, "jti": "1"}
    token = signed({"kid": "k"}, claims | {"iat": int(time.time()), "exp": int(time.time()) + 60}, key())
    told = {"method": "private-key-jwt", "token": token, "client_id": "https://127.0.0.1/a"}
    assert reason(await Agent(doors.http, identity=lambda: told).negotiate()) == IDENTITY
    told = {"method": "web-bot-auth", "token": token}
    assert reason(await Agent(doors.http, identity=lambda: told).negotiate()) == INPUT


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b"{",
        b'{"purpose":1,"purpose":2}',
        b'{"a":' * 30 + b"1" + b"}" * 30,
        b"\xff\xfe",
        b'{"a":NaN}',
        b'{"a":"\\ud800"}',
        b'{"purpose":"' + b"\\u202e" * 2_000 + b'"}',
    ],
)
async def test_what_is_no_plain_json_object_is_not_read(doors: Doors, body: bytes) -> None:
    """Attack 18, and bad input: a name twice, too deep, no text, signs that are none."""
    agent = doors.ad_hoc()
    headers = {
        "DPoP": agent.proof("POST", PATH),
        "Idempotency-Key": secrets.token_hex(8),
        "Content-Type": "application/json",
    }
    answer = await agent.http.post(PATH, content=body, headers=headers)
    assert reason(answer) == INPUT
    assert "\u202e" not in answer.text


async def test_a_request_that_is_too_large_is_not_read_to_its_end(doors: Doors) -> None:
    """Attack 20: size first."""
    agent = doors.ad_hoc()
    headers = {"DPoP": agent.proof("POST", PATH), "Idempotency-Key": secrets.token_hex(8)}
    answer = await agent.http.post(PATH, content=b"x" * (MOST_BODY + 1), headers=headers)
    assert (answer.status_code, answer.json()["type"].rpartition("/")[2]) == (413, "verzoek-te-groot")
    headers["DPoP"] = "x" * 5_000
    answer = await agent.http.post(PATH, content=b"{}", headers=headers)
    assert reason(answer) == PROOF


async def test_all_that_is_wrong_is_told_at_once_and_nothing_of_it_is_repeated(doors: Doors) -> None:
    """Bad input, attack 18."""
    agent = doors.ad_hoc()
    junk = "\u202e<script>\n" + "q" * 600
    wish = agent.wish("bestaat-niet", purpose={"code": junk, "note": junk}, budget={"in_flight": 0, "units": -1})
    answer = await agent.negotiate(wish)
    assert reason(answer) == INPUT
    assert {one["name"] for one in answer.json()["invalidParams"]} == {
        *("purpose.code", "purpose.note", "budget.in_flight", "budget.units", "authorization_details.0.actions.0")
    }
    assert "script" not in answer.text


async def test_the_same_request_again_is_the_same_contract_and_another_under_its_number_is_refused(
    doors: Doors,
) -> None:
    agent = doors.job()
    first = (await agent.negotiate(**{"Idempotency-Key": "nummer-een"})).json()
    again = (await agent.negotiate(**{"Idempotency-Key": "nummer-een"})).json()
    assert again["contract"] == first["contract"]
    other = await agent.negotiate(agent.wish("lezen"), **{"Idempotency-Key": "nummer-een"})
    assert reason(other) == (409, "idempotency-key-reused", False)
    assert (await doors.job().negotiate(**{"Idempotency-Key": "nummer-een"})).json()["contract"] != first["contract"]
    for bad in ("", "kort", "x" * 65, "met spatie erin"):
        assert reason(await agent.negotiate(**{"Idempotency-Key": bad})) == INPUT


async def test_asked_many_times_at_once_under_one_number_there_is_one_contract(doors: Doors) -> None:
    """Attack 11."""
    agent = doors.job()
    headers = {"Idempotency-Key": "nummer-een"}
    answers = await asyncio.gather(*(agent.negotiate(**headers) for _ in range(8)))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["contract"] for answer in answers}) == 1
    assert await in_thread(Agreement.objects.count) == 1


async def test_a_workload_has_three_contracts_and_the_fourth_is_refused_with_an_event(doors: Doors) -> None:
    """Attack 13: one job cannot add up budgets; the refusal of somebody known leaves an event."""
    for _ in range(3):
        assert (await doors.job().negotiate()).status_code == 201
    answer = await doors.job().negotiate()
    assert reason(answer) == (403, "contract-refused", False)
    await keep_events(doors.house)
    found = await in_thread(
        lambda: list(AdmissionEvent.objects.filter(kind="deny").values("workload", "reason", "more"))
    )
    assert [(one["workload"], one["reason"], one["more"]["said"]) for one in found] == [
        (f"https://bouw.example#{JOB}", "contract-refused", "many")
    ]


async def test_one_network_cannot_negotiate_without_end(doors: Doors) -> None:
    """Attack 20: contract creation is limited by where it comes from, before anything is checked."""
    answers = [await doors.http.post(PATH, content=b"{}") for _ in range(21)]
    assert [reason(answer)[1] for answer in answers].count("public-limit") >= 1
    assert reason(answers[-1]) == (429, "public-limit", True)
    assert int(answers[-1].headers["retry-after"]) >= 1


async def test_a_reader_only_asks_to_change_and_is_told_so(doors: Doors) -> None:
    """Choice A1: whoever is known by a key alone changes nothing."""
    agent = doors.ad_hoc()
    both = await agent.negotiate(agent.wish("zoeken", write=("rapport-aanvragen",)))
    assert [one["class"] for one in both.json()["authorization_details"]] == ["read"]
    assert both.json()["budget"]["writes"] == 0
    only = agent.wish("zoeken", write=("rapport-aanvragen",))
    only["authorization_details"] = only["authorization_details"][1:]
    assert reason(await doors.ad_hoc().negotiate(only)) == INPUT


async def test_a_contract_is_not_there_for_who_has_another_key(doors: Doors) -> None:
    """Attack 19: whether it exists is told to its holder alone."""
    agent, other = doors.job(), doors.job()
    path = (await agent.negotiate()).json()["status_uri"]
    for where in (path, "/admission/contracts/ctr_NIETER"):
        answer = await other.http.get(where, headers={"DPoP": other.proof("GET", where)})
        assert reason(answer) == (404, "niet-gevonden", False)
    assert reason(await agent.http.get(path)) == PROOF
    answer = await agent.http.get(path, headers={"DPoP": agent.proof("GET", path), "Authorization": "Bearer x.y.z"})
    assert reason(answer)[:2] == (401, "token-invalid")


async def test_a_store_that_is_away_is_said_to_be_and_the_next_try_is_the_same_contract(
    doors: Doors, store: Any
) -> None:
    """Attack 21: no contract without the store; what was written down is gone on with."""
    agent = doors.job()
    store.kill()
    try:
        answer = await agent.negotiate(**{"Idempotency-Key": "nummer-een"})
        assert reason(answer) == (503, "admission-unavailable", True)
        assert int(answer.headers["retry-after"]) >= 1
    finally:
        store.start()
    await doors.house.admissions.open(0.0)
    assert (await agent.negotiate(**{"Idempotency-Key": "nummer-een"})).status_code == 201


async def test_methods_that_are_not_there_are_refused(doors: Doors) -> None:
    for path in (PATH, "/admission/token", "/admission/revoke"):
        assert (await doors.http.get(path)).status_code == 405
    assert (await doors.http.post("/admission/contracts/ctr_X", content=b"{}")).status_code == 405


@pytest.mark.parametrize("subject", ["repo:bank/a|b:ref:main", "repo:bank/" + "x" * 500 + ":ref:main"])
async def test_a_subject_that_fits_in_no_contract_names_nobody(doors: Doors, subject: str) -> None:
    """Bad input: what a platform may write in ``sub`` and we cannot keep."""
    assert reason(await doors.job(subject).negotiate()) == IDENTITY


@pytest.mark.parametrize("name", ["ctr_%00", "x" * 600, "%2e%2e", "ctr_A%27--", "é"])
async def test_a_name_that_is_none_is_not_there(doors: Doors, name: str) -> None:
    agent = doors.ad_hoc()
    for where in ("/admission/contracts/", "/admission/approvals/"):
        answer = await agent.http.get(where + name, headers={"DPoP": agent.proof("GET", where + name)})
        assert answer.status_code in {401, 403, 404}, answer.text
