"""What an agent may try at the edge of the whole product, with problem, status and one event (section 4 of the study)."""

from __future__ import annotations

import hashlib
import json
from time import time
from typing import Any

import httpx
import pytest
from pytest_django import Settings

from admission.contracts import Pool, Stop, Tier
from admission.edge import Reason
from admission.gatehouse import Gatehouse
from admission.proofs import strict
from tests.admission.proofs.made import ed25519, proof_header, sign
from tests.product.edge.conftest import EdgeLines, Make
from tests.product.test_incoming import figures
from tests.support.contracts import Job
from tests.support.valkey import Valkey
from throttling.incoming_rules import DoorRules, IncomingRules, Rate
from throttling.work import Access

pytestmark = pytest.mark.anyio
READ = "/api/v1/platforms"
ZOEK = {"name": "zoek", "arguments": {"vraag": "uitkering", "platforms": ["rechtspraak"]}}


async def kinds(job: Job) -> list[tuple[str, str]]:
    """The events of decisions about a contract, with their reasons."""
    found = [event for event in await job.ledger.events() if event.fields.get("contract") == job.contract]
    return [(event.kind, event.fields.get("reason", "")) for event in found if event.kind != "negotiate"]


def refused(answer: httpx.Response, reason: Reason, status: int) -> dict[str, Any]:
    """The problem in an answer, over HTTP or MCP; nobody keeps it, and it has no innards."""
    assert answer.status_code == status, answer.text
    assert answer.headers["cache-control"] == "private, no-store"
    told: dict[str, Any] = answer.json()
    problem: dict[str, Any] = told["error"]["data"] if "jsonrpc" in told else told
    assert (problem["reason"], problem["status"]) == (reason.value, status)
    assert problem["type"] == f"http://localhost:8000/problemen/{reason.value}"
    assert ("www-authenticate" in answer.headers) == (status == 401)
    assert ("retry-after" in answer.headers) == (status in {429, 503})
    if "jsonrpc" in told:
        assert answer.headers["content-type"] == "application/json"
    else:
        assert answer.headers["content-type"] == "application/problem+json"
    return problem


async def test_a_proof_is_used_once_also_in_another_spelling(make: Make) -> None:
    """Attack 1: replay; the key of what is remembered is of the normalised request."""
    job = await make()
    headers = job.headers("GET", "/document/rechtspraak/a~b")
    first = await job.http.get("/document/rechtspraak/a~b", headers=headers)
    assert first.status_code != 401
    refused(await job.http.get("/document/rechtspraak/a%7Eb", headers=headers), Reason.PROOF_INVALID, 401)
    assert [kind for kind, _ in await kinds(job)] == ["allow", "deny"]


async def test_a_stolen_token_is_nothing_without_its_key_and_costs_its_owner_nothing(make: Make) -> None:
    """Attacks 2 and 14: token theft, and burning what is another's."""
    job = await make()
    token = job.mint()
    thief = Job(job.http, job.house, job.contract, ed25519("thief"), job.workload)
    headers = thief.headers("GET", READ, token=token)
    problem = refused(await job.http.get(READ, headers=headers), Reason.PROOF_INVALID, 401)
    assert "contract" not in problem
    bearer = await job.http.get(READ, headers={"Authorization": f"Bearer {token}"})
    refused(bearer, Reason.TOKEN_INVALID, 401)
    assert (await job.left(), await kinds(job)) == ((100, 5, 0), [])


@pytest.mark.parametrize(("skew", "status"), [(-90, 401), (90, 401), (-50, 200), (50, 200)])
async def test_a_clock_that_is_off_by_more_than_a_minute_hears_ours(make: Make, skew: int, status: int) -> None:
    """Attack 4."""
    job = await make()
    token = job.mint()
    told = job.proof("GET", READ, token)
    claims = json.loads(strict.decode(told.split(".")[1]) or b"")
    proof = sign(proof_header(job.own), claims | {"iat": claims["iat"] + skew}, job.own)
    answer = await job.http.get(READ, headers={"Authorization": f"DPoP {token}", "DPoP": proof})
    assert answer.status_code == status
    if status == 401:
        assert refused(answer, Reason.PROOF_INVALID, 401)["serverTime"].endswith("+00:00")
        assert 'error="invalid_dpop_proof"' in answer.headers["www-authenticate"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "DPoP nonsense"},
        {"Authorization": "DPoP a.b.c"},
        {"Authorization": "DPoP " + "a" * 16_000},
        {"Authorization": ""},
        {"Authorization": "Basic YTpi"},
        {"DPoP": "x"},
        {"Authorization": "License x"},
    ],
)
async def test_what_is_shown_but_proves_nothing_is_refused_and_never_served_as_anonymous(
    site: httpx.AsyncClient, house: Gatehouse, headers: dict[str, str]
) -> None:
    """Attacks 9 and 20."""
    answer = await site.get(READ, headers=headers)
    assert answer.status_code == 401
    assert answer.json()["reason"] in {"token-required", "token-invalid", "proof-invalid"}
    assert answer.headers["www-authenticate"].startswith('DPoP algs="Ed25519 ES256"')
    metadata = "http://localhost:8000/.well-known/oauth-protected-resource"
    assert f'resource_metadata="{metadata}"' in answer.headers["www-authenticate"]
    over_mcp = await site.post("/mcp/rechtspraak/v1", json={}, headers=headers)
    assert f'resource_metadata="{metadata}/mcp/rechtspraak/v1"' in over_mcp.headers["www-authenticate"]
    assert over_mcp.json()["error"]["code"] in {4010, 4011, 4012}
    assert [event.kind for event in await house.admissions.events()] == ["open"]


async def test_a_credential_twice_is_no_credential(make: Make) -> None:
    """Attack 10."""
    job = await make()
    one = list(job.headers("GET", READ).items())
    for name in ("Authorization", "DPoP"):
        twice = [*one, (name, dict(one)[name])]
        assert (await job.http.get(READ, headers=twice)).status_code == 401


async def test_a_flood_of_what_proves_nothing_is_looked_at_no_more(site: httpx.AsyncClient) -> None:
    """Attack 20: garbage costs whoever sends it, and nobody is kept from asking without it."""
    said: list[int] = []
    while 429 not in said and len(said) < 600:  # one more is looked at each second that this takes
        answer = await site.get(READ, headers={"Authorization": "DPoP a.b.c"})
        said.append(answer.status_code)
    assert said[:60] == [401] * 60
    refused(answer, Reason.PUBLIC_LIMIT, 429)
    assert answer.headers["link"] == (
        '<http://localhost:8000/.well-known/admission-contract>; rel="service-meta"; type="application/json"'
    )
    assert (await site.get(READ)).status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "headers", "reason"),
    [
        ("GET", "/api/v1/rapporten%2fx", {}, Reason.OUT_OF_SCOPE),
        ("GET", "/api/v1/../v1/platforms", {}, Reason.OUT_OF_SCOPE),
        ("GET", "/api/v1/%2e%2e/platforms", {}, Reason.OUT_OF_SCOPE),
        ("GET", "/api/v1/platforms%00", {}, Reason.OUT_OF_SCOPE),
        ("GET", "//api/v1/platforms", {}, Reason.OUT_OF_SCOPE),
        ("GET", READ, {"X-HTTP-Method-Override": "DELETE"}, Reason.CLASS_MISMATCH),
        ("GET", READ, {"X-Original-URL": "/beheer/"}, Reason.CLASS_MISMATCH),
        ("POST", READ, {}, Reason.CLASS_MISMATCH),
        ("DELETE", "/api/v1/rapporten/abc", {}, Reason.CLASS_MISMATCH),
        ("POST", "/api/v1/rapporten", {}, Reason.CLASS_MISMATCH),
        ("GET", "/api/v1/bestaat-niet", {}, Reason.CLASS_MISMATCH),
        ("POST", "/rapporten", {}, Reason.CLASS_MISMATCH),
        ("GET", "/beheer/", {}, Reason.CLASS_MISMATCH),
        ("GET", "/privacy", {}, Reason.OUT_OF_SCOPE),
    ],
)
async def test_a_token_to_ask_changes_nothing_however_it_is_asked(
    make: Make, method: str, path: str, headers: dict[str, str], reason: Reason
) -> None:
    """Attack 10: class confusion."""
    job = await make()
    request = job.http.build_request(method, READ, headers=job.headers(method, path) | headers)
    request.extensions["target"] = path.encode()
    answer = await job.http.send(request)
    assert (answer.status_code, answer.json()["reason"], answer.json()["retryable"]) == (403, reason.value, False)
    assert (await job.left())[0] == 100


async def test_a_token_to_change_something_asks_nothing(make: Make) -> None:
    """Choice A7: a token names one class."""
    job = await make()
    refused(await job.call("GET", READ, Access.WRITE), Reason.CLASS_MISMATCH, 403)
    assert await kinds(job) == [("deny", "class-mismatch")]


async def test_outside_its_operations_and_prefixes_a_contract_is_nothing(make: Make) -> None:
    job = await make(actions=("lijsten",))
    refused(await job.get("/api/v1/_zoek?vraag=x"), Reason.OUT_OF_SCOPE, 403)
    assert (await job.get("/api/v1/organisaties")).status_code == 200
    refused(await job.message("tools/call", ZOEK), Reason.OUT_OF_SCOPE, 403)
    assert (await job.message("tools/list")).status_code == 200


async def test_what_is_spent_is_spent_and_says_what_helps(make: Make) -> None:
    job = await make(units=1)
    assert (await job.get(READ)).status_code == 200
    answer = await job.get(READ)
    problem = refused(answer, Reason.QUOTA_EXHAUSTED, 403)
    assert (problem["next"], problem["retryable"]) == ("negotiate", False)
    assert answer.headers["ratelimit"] == '"units";r=0, "writes";r=5'
    assert answer.headers["ratelimit-policy"] == ('"inflight";q=5;qu="concurrent-requests", "units";q=1, "writes";q=5')
    assert (await job.message("tools/call", ZOEK)).json()["error"]["code"] == 4033


async def test_many_in_a_pool_get_what_the_pool_has(make: Make) -> None:
    """Attack 13: more keys, the same total."""
    pool = Pool("adhoc", in_flight=100, units=3, seconds=1800)
    jobs = [await make(tier=Tier.AD_HOC, pools=(pool,)) for _ in range(6)]
    jobs[0].ledger.frozen = time() + 1800  # the pool has rested
    answers = [await job.get(READ) for job in jobs]
    assert [answer.status_code for answer in answers] == [200] * 3 + [429] * 3
    refused(answers[-1], Reason.PUBLIC_LIMIT, 429)


@pytest.fixture
def narrow(settings: Settings) -> None:
    """Limits of the connector that are soon reached, and of a session that would be sooner."""
    settings.INCOMING_RULES = IncomingRules(api=DoorRules(Rate(5, 3600, 5), Rate(1, 3600, 1)))


async def test_what_never_reached_the_origin_costs_nothing(narrow: None, make: Make) -> None:
    """The limits of the process and of the connector stay; a contract stands in the place of that of a session alone."""
    job = await make(in_flight=100)
    answers = [await job.get(READ) for _ in range(12)]  # one by one: none finds the line of the process full
    codes = [answer.status_code for answer in answers]
    assert (codes.count(200), codes.count(429)) == (5, 7)
    assert {tuple(answer.json()["violated-policies"]) for answer in answers if answer.status_code == 429} == {
        ("connector",)
    }
    assert (await job.left())[0] == 95
    assert [kind for kind, _ in await kinds(job)].count("refund") == 7


async def test_without_the_store_contracts_wait_and_readers_go_on(make: Make, store: Valkey) -> None:
    """Attack 21, choice A9."""
    job = await make()
    assert (await job.get(READ)).status_code == 200
    store.kill()
    try:
        answer = await job.get(READ)
        refused(answer, Reason.ADMISSION_UNAVAILABLE, 503)
        assert 5 <= int(answer.headers["retry-after"]) <= 10
        assert (await job.http.get("/privacy")).status_code == 200
    finally:
        store.start()


async def test_those_who_wait_for_the_store_do_not_all_come_back_at_once(make: Make, store: Valkey) -> None:
    """Attack 22: what is told after a loss differs from one to the next."""
    job = await make()
    store.kill()
    try:
        told = [int((await job.get(READ)).headers["retry-after"]) for _ in range(12)]
    finally:
        store.start()
    assert len(set(told)) > 1, told


async def test_a_store_that_was_started_again_admits_nobody_before_it_is_loaded(make: Make, store: Valkey) -> None:
    """Attack 21: a cold start forgets budgets and revocations alike."""
    job = await make()
    store.kill()
    store.start()
    refused(await job.get(READ), Reason.ADMISSION_UNAVAILABLE, 503)


async def test_each_contract_stops_alone(make: Make) -> None:
    """Attack 17: a new contract is another one, and the old stays ended."""
    job, other = await make(), await make()
    await job.ledger.revoke(Stop.CONTRACT, job.contract)
    refused(await job.get(READ), Reason.CONTRACT_REVOKED, 403)
    assert (await other.get(READ)).status_code == 200
    problem = refused(await job.message("tools/list"), Reason.CONTRACT_REVOKED, 403)
    assert (problem["contract"], problem["revocationHandle"]) == (job.contract, "r7k3m9q2")


async def test_a_program_may_read_why_in_english(make: Make) -> None:
    job = await make()
    await job.ledger.revoke(Stop.CONTRACT, job.contract)
    for accepted, language in (("en, nl;q=0.5", "en"), ("nl", "nl"), ("", "nl"), ("fr, en;q=0.2", "en")):
        answer = await job.get(READ, headers={"Accept-Language": accepted})
        words = {"en": "This contract has been revoked", "nl": "Dit contract is ingetrokken"}[language]
        assert answer.json()["detail"].startswith(words)


async def test_what_is_logged_and_counted_names_no_question_path_or_token(
    make: Make, caplog: pytest.LogCaptureFixture, edge_lines: EdgeLines
) -> None:
    """Attack 18, choice A6."""
    job = await make(workload="spiffe://bank.example/job/geheim-nee")
    secret = "waaromkreegmijnbuurmandievergunning"
    token = job.mint()
    headers = job.headers("GET", "/api/v1/_zoek", token=token)
    await job.http.get(f"/api/v1/_zoek?vraag={secret}&platform=rechtspraak", headers=headers)
    await job.message("tools/call", {"name": "zoek", "arguments": {"vraag": secret, "platforms": ["rechtspraak"]}})
    await job.http.get(f"/document/rechtspraak/{secret}%0a", headers={"Authorization": f"DPoP {secret}"})
    mine = await edge_lines.first(3)
    told = "\n".join(str(record.msg) for record in caplog.records)
    assert f"'contract': '{job.contract}'" in mine[0]
    assert "'reason': ''" in mine[0]
    number = json.loads(strict.decode(token.split(".")[1]) or b"")["jti"]
    assert f"'token': '{number}'" in mine[0], "an operator stops one token by it"
    digest = hashlib.sha256(token.encode()).hexdigest()
    assert not any(word in told for word in (secret, token, headers["DPoP"], digest))
    metrics = (await job.http.get("/metrics")).text
    found = figures(metrics)
    assert found["besluitbron_admission_requests_total", "read", "contract", "allow", ""] == 2
    assert found["besluitbron_admission_requests_total", "", "unproven", "deny", "out-of-scope"] == 1
    assert not any(word in metrics for word in (job.contract, job.workload, secret))


async def test_a_dry_run_lets_reading_through_and_says_what_it_would_have_refused(
    make: Make, edge_lines: EdgeLines
) -> None:
    job = await make(units=1)
    job.ledger.dry_runs = frozenset({"bronnen", "rapport-aanvragen"})
    assert [(await job.get(READ)).status_code for _ in range(2)] == [200, 200]
    assert await kinds(job) == [("allow", ""), ("deny", "quota-exhausted")]
    _, second = await edge_lines.first(2)
    assert "'dry_run': True" in second
    assert "quota-exhausted" in second
    assert (await job.call("POST", "/api/v1/rapporten", Access.WRITE, json={})).status_code == 403
    await job.ledger.revoke(Stop.CONTRACT, job.contract)
    refused(await job.get(READ), Reason.CONTRACT_REVOKED, 403)


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "127.0.0.1"},
        {"X-Forwarded-Host": "elders.example"},
        {"X-Forwarded-Proto": "https"},
        {"Forwarded": "host=x"},
    ],
)
async def test_what_a_proof_is_about_is_no_matter_of_what_a_proxy_says(make: Make, headers: dict[str, str]) -> None:
    """Attack 3: the address of the site is a setting; a proof for another address is for another site."""
    job = await make()
    assert (await job.get(READ, headers=headers)).status_code == 200
    token = job.mint()
    told = job.proof("GET", READ, token)
    claims = json.loads(strict.decode(told.split(".")[1]) or b"")
    elsewhere = sign(proof_header(job.own), claims | {"htu": f"https://elders.example{READ}"}, job.own)
    shown = {"Authorization": f"DPoP {token}", "DPoP": elsewhere, "X-Forwarded-Host": "elders.example"}
    refused(await job.http.get(READ, headers=shown), Reason.PROOF_INVALID, 401)
