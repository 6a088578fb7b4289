"""Tokens of a contract: short, of one key and one class, and for a change only after an operator said yes (choices A7, A8)."""

from __future__ import annotations

import json
import time
from datetime import timedelta
from typing import Any

import httpx
import pytest

from admission import approvals, storage
from admission.approvals import Change, Taking, arguments_body, body_hash
from admission.contracts import Stop
from admission.models import Agreement, Approval
from admission.stopping import stop
from admission.storage import Order
from tests.admission.asking import search
from tests.product.contracts.conftest import JOB, Doors
from tests.support.agent import BEARER, SITE, TYPE, Agent, signed
from tests.support.threads import in_thread
from throttling.work import Access

pytestmark = pytest.mark.anyio
BODY = '{"zoekopdracht":"vraag=warmtenet"}'
ASK = {"operation": "rapport-aanvragen", "path": "/api/v1/rapporten", "body": BODY}


def failed(answer: httpx.Response) -> tuple[int, str, str, bool]:
    told = answer.json()
    assert "no-store" in answer.headers["cache-control"]
    return answer.status_code, told["error"], told["type"].rpartition("/")[2], told["retryable"]


async def writer(doors: Doors, **changed: Any) -> Agent:
    agent = doors.job()
    wish = agent.wish("zoeken", "mcp:lees", write=("rapport-aanvragen",), **changed)
    assert (await agent.negotiate(wish)).status_code == 201
    return agent


async def test_a_token_names_one_contract_one_class_and_one_key(doors: Doors) -> None:
    """Attack 2: what is stolen alone opens nothing, for the key is not in it."""
    agent = doors.job()
    await agent.negotiate()
    await agent.token()
    token = doors.house.issuer.read(agent.tokens["read"], time.time())
    grant = token.grant
    assert (grant.contract, grant.jkt, grant.token_class) == (agent.contract["contract"], agent.jkt, Access.READ)
    assert grant.handle == agent.contract["revocation_handle"]
    assert token.expires - token.issued == 300


async def test_whoever_has_another_key_gets_no_token_of_a_contract(doors: Doors) -> None:
    """Attack 2, attack 19: and hears no more than who invents a contract."""
    agent, thief = doors.job(), doors.job()
    await agent.negotiate()
    thief.contract = agent.contract
    stolen = await thief.token()
    thief.contract = {"contract": "ctr_NIETER"}
    invented = await thief.token()
    assert failed(stolen) == failed(invented) == (400, "invalid_grant", "contract-expired", False)
    assert stolen.json()["detail"] == invented.json()["detail"]


async def test_a_job_of_the_same_platform_gets_no_token_of_another_jobs_contract(doors: Doors) -> None:
    agent = doors.job()
    await agent.negotiate()
    agent.identity = lambda: {"method": "platform-jwt", "token": doors.platform.vouch("repo:bank/ander:ref:main")}
    assert failed(await agent.token()) == (400, "invalid_grant", "identity-invalid", False)


@pytest.mark.parametrize(
    ("form", "error"),
    [
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"grant_type": ""}, "unsupported_grant_type"),
        ({"scope": "admission:read admission:write"}, "invalid_scope"),
        ({"scope": "admission:admin"}, "invalid_scope"),
        ({"scope": ""}, "invalid_scope"),
        ({"resource": "https://elders.example"}, "invalid_target"),
        ({"resource": f"{SITE}.elders.example"}, "invalid_target"),
        ({"resource": ""}, "invalid_target"),
        ({"client_assertion_type": "iets"}, "invalid_request"),
        ({"grant_type": BEARER}, "invalid_request"),
        ({"contract": ""}, "invalid_request"),
    ],
)
async def test_what_a_request_for_a_token_must_say(doors: Doors, form: dict[str, str], error: str) -> None:
    agent = doors.job()
    await agent.negotiate()
    if form.get("grant_type") == BEARER:
        agent.identity = None
    answer = await agent.token(**form)
    assert failed(answer)[:2] == (400, error)


async def test_a_form_with_a_field_twice_or_a_replayed_proof_is_refused(doors: Doors) -> None:
    """Attacks 1 and 10: what two readers could read differently is not read."""
    agent = doors.job()
    await agent.negotiate()
    form = f"grant_type=client_credentials&scope=admission:read&scope=admission:write&resource={SITE}"
    headers = {"DPoP": agent.proof("POST", "/admission/token"), "Content-Type": "application/x-www-form-urlencoded"}
    answer = await agent.http.post("/admission/token", content=form, headers=headers)
    assert failed(answer)[:2] == (400, "invalid_request")
    headers["DPoP"] = agent.proof("POST", "/admission/token")
    assert (await agent.token(headers=headers)).status_code == 200
    assert failed(await agent.token(headers=headers)) == (400, "invalid_dpop_proof", "proof-invalid", True)


async def test_a_revoked_contract_gives_no_token_and_says_not_to_try_again(doors: Doors) -> None:
    """Attack 17: a refresh hides no revocation."""
    agent = doors.job()
    await agent.negotiate()
    assert (await agent.token()).status_code == 200
    name = agent.contract["contract"]
    await stop(doors.house, Order(what=Stop.CONTRACT, name=name, by="beheerder", why="te druk"))
    answer = await agent.token()
    assert failed(answer) == (400, "invalid_grant", "contract-revoked", False)
    assert (answer.json()["contract"], answer.json()["revokedAt"][:2]) == (name, "20")
    assert "www-authenticate" not in answer.headers
    path = agent.contract["status_uri"]
    seen = (await agent.http.get(path, headers={"DPoP": agent.proof("GET", path)})).json()
    assert (seen["status"], seen["revoked_at"]) == ("revoked", answer.json()["revokedAt"])


async def test_a_contract_of_which_no_token_is_asked_for_five_minutes_gives_none_after_that(doors: Doors) -> None:
    agent = doors.job()
    await agent.negotiate()
    long_ago = doors.house.now() - timedelta(minutes=5)
    await in_thread(lambda: Agreement.objects.update(asked_at=long_ago))
    assert failed(await agent.token()) == (400, "invalid_grant", "contract-expired", False)
    assert (await doors.house.admissions.look(agent.contract["contract"])).stopped == "contract-revoked"  # type: ignore[union-attr]


async def test_a_spent_contract_gives_no_token(doors: Doors) -> None:
    agent = doors.job()
    await agent.negotiate(agent.wish(budget={"in_flight": 1, "units": 1}))
    ask = search(agent.contract["contract"])
    assert (await doors.house.admissions.decide(ask)).allowed
    assert failed(await agent.token()) == (400, "invalid_grant", "quota-exhausted", False)


async def test_an_ad_hoc_contract_reads_with_its_key_alone_and_never_writes(doors: Doors) -> None:
    agent = doors.ad_hoc()
    await agent.negotiate()
    assert (await agent.token()).status_code == 200
    assert failed(await agent.token("write", **ASK)) == (400, "invalid_scope", "class-mismatch", False)


async def test_without_a_change_in_the_contract_there_is_no_token_for_one(doors: Doors) -> None:
    agent = doors.job()
    await agent.negotiate()
    assert failed(await agent.token("write", **ASK)) == (400, "invalid_scope", "class-mismatch", False)


async def test_a_change_waits_for_an_operator_and_then_has_a_token_for_exactly_that(doors: Doors) -> None:
    """Choice A8: bound to contract, operation, address and body; attack 15."""
    agent = await writer(doors)
    waits = await agent.token("write", note="graag <b>snel</b>", **ASK)
    assert waits.status_code == 202, waits.text
    told = waits.json()
    assert (told["status"], told["operation"], told["path"]) == ("pending", "rapport-aanvragen", "/api/v1/rapporten")
    assert int(waits.headers["retry-after"]) >= 1
    again = await agent.token("write", **ASK)
    assert again.json()["approval"] == told["approval"]
    seen = await agent.http.get(told["task_uri"], headers={"DPoP": agent.proof("GET", told["task_uri"])})
    assert seen.json()["status"] == "pending"
    await in_thread(approvals.decide, told["approval"], approved=True, by="beheerder", at=doors.house.now())
    answer = await agent.token("write", **ASK)
    assert (answer.status_code, answer.json()["expires_in"]) == (200, 120)
    grant = doors.house.issuer.read(agent.tokens["write"], time.time()).grant
    assert grant.approval is not None
    assert (grant.approval.operation, grant.approval.body_sha256) == ("rapport-aanvragen", body_hash(BODY.encode()))
    other = await agent.token("write", **(ASK | {"body": BODY.replace("warmtenet", "wegen")}))
    assert other.status_code == 202
    change = Change(
        contract=agent.contract["contract"],
        operation="rapport-aanvragen",
        resource="/api/v1/rapporten",
        body_sha256=body_hash(BODY.encode()),
    )
    take = lambda: approvals.take(told["approval"], change, doors.house.now())  # noqa: E731
    assert [await in_thread(take), await in_thread(take)] == [Taking.TAKEN, Taking.USED]
    assert (await agent.token("write", **ASK)).status_code == 202


async def test_a_denial_is_final_and_says_so(doors: Doors) -> None:
    agent = await writer(doors)
    told = (await agent.token("write", **ASK)).json()
    await in_thread(approvals.decide, told["approval"], approved=False, by="beheerder", at=doors.house.now())
    answer = await agent.token("write", **ASK)
    assert failed(answer) == (400, "access_denied", "approval-denied", False)
    assert answer.json()["task_uri"] == told["task_uri"]


async def test_a_change_needs_a_fresh_proof_of_who_asks(doors: Doors) -> None:
    """Choice A8."""
    agent = await writer(doors)
    agent.identity = None
    assert failed(await agent.token("write", **ASK)) == (401, "invalid_client", "identity-invalid", False)
    assert (await agent.token()).status_code == 200


@pytest.mark.parametrize(
    "changed",
    [
        {"operation": "rapport-annuleren"},
        {"operation": "zoeken"},
        {"operation": ""},
        {"path": "/zoeken"},
        {"path": "/beheer/"},
        {"path": "/rapporten"},
        {"path": "/api/v1/rapporten/../beheer"},
        {"path": "/api/v1/rapporten%2f"},
        {"path": ""},
        {"path": "/mcp/unified/v2x"},
        {"path": "/mcp/rechtspraak/v1"},
    ],
)
async def test_an_operator_is_only_asked_about_what_the_contract_has(doors: Doors, changed: dict[str, str]) -> None:
    """Attack 10: an address that is not of the operation, that has no tool for it, or that can be read in two ways."""
    agent = await writer(doors)
    answer = await agent.token("write", **(ASK | changed))
    assert failed(answer) == (400, "invalid_scope", "out-of-scope", False)
    assert await in_thread(Approval.objects.count) == 0


async def test_what_an_operator_is_asked_has_bounds(doors: Doors) -> None:
    """Attack 20, attack 23: a body nobody reads, and words that would bury one."""
    agent = await writer(doors)
    assert failed(await agent.token("write", **(ASK | {"body": "x" * 9_000})))[1] == "invalid_request"
    assert failed(await agent.token("write", note="x" * 501, **ASK))[1] == "invalid_request"
    for number in range(5):
        asked = await agent.token("write", note="\u202eniets\n\x1b[2J", **(ASK | {"body": f"{number}"}))
        assert asked.status_code == 202
    slow = await agent.token("write", **(ASK | {"body": "nog een"}))
    assert (slow.status_code, slow.json()["error"]) == (429, "slow_down")
    notes = await in_thread(lambda: {approvals.note_of(one) for one in Approval.objects.all()})
    assert notes == {"niets [2J"}


async def test_of_a_tool_its_arguments_are_bound(doors: Doors) -> None:
    agent = await writer(doors)
    ask = ASK | {"path": "/mcp/unified/v1", "body": '{"b": 1, "a": [1, 2]}'}
    assert (await agent.token("write", **ask)).status_code == 202
    kept = await in_thread(lambda: Approval.objects.get().body_sha256)
    assert kept == body_hash(arguments_body({"a": [1, 2], "b": 1}))


def details(**changed: Any) -> str:
    detail = {
        "type": TYPE,
        "class": "read",
        "actions": ["zoeken"],
        "purpose": {"code": "search"},
        "owner": {"name": "A", "contact": "mailto:a@voorbeeld.nl"},
        "expected_use": {"units": 10},
        "expires_in": 600,
    }
    return json.dumps([detail | changed])


async def test_a_grant_of_oauth_that_says_what_for_makes_a_contract_and_keeps_it(doors: Doors) -> None:
    """A client of OAuth that knows nothing of ours: an assertion of its platform, and ``authorization_details``."""
    agent = doors.job()
    form = {"grant_type": BEARER, "assertion": doors.platform.vouch(JOB), "authorization_details": details()}
    first = await agent.token(**form)
    assert first.status_code == 200, first.text
    told = first.json()
    assert told["authorization_details"] == [
        {"type": TYPE, "class": "read", "locations": [SITE], "actions": ["zoeken"]}
    ]
    form["assertion"] = doors.platform.vouch(JOB)
    assert (await agent.token(**form)).json()["contract"] == told["contract"]
    assert (await agent.token(**(form | {"authorization_details": details(expires_in=700)}))).json()[
        "contract"
    ] != told["contract"]
    await stop(doors.house, Order(what=Stop.CONTRACT, name=told["contract"], by="a"))
    assert failed(await agent.token(**form)) == (400, "invalid_grant", "contract-revoked", False)


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "[1]", '1},"x":{', "[" * 90),
        *(details(purpose=None), details(actions=["bestaat-niet"]), details(owner={"name": ""})),
    ],
)
async def test_a_grant_without_purpose_and_scope_makes_no_contract(doors: Doors, text: str) -> None:
    """Choice A1."""
    agent = doors.job()
    answer = await agent.token(grant_type=BEARER, assertion=doors.platform.vouch(JOB), authorization_details=text)
    assert answer.status_code == 400
    assert answer.json()["error"] in {"invalid_authorization_details", "invalid_request"}
    assert await in_thread(Agreement.objects.count) == 0


async def test_a_client_ends_its_own_contract_and_nobody_elses(doors: Doors) -> None:
    """RFC 7009: what is not there, or of another, is answered as what is."""
    agent, other = doors.job(), doors.ad_hoc()
    await agent.negotiate()
    name = agent.contract["contract"]

    async def revoke(by: Agent, token: str) -> httpx.Response:
        return await by.http.post(
            "/admission/revoke", data={"token": token}, headers={"DPoP": by.proof("POST", "/admission/revoke")}
        )

    assert (await revoke(other, name)).status_code == 200
    assert (await revoke(agent, "ctr_NIETER")).status_code == 200
    assert (await agent.token()).status_code == 200
    token = agent.tokens["read"]
    assert (await revoke(other, token)).status_code == 200
    assert (await revoke(agent, token)).status_code == 200
    assert (await agent.token()).status_code == 200
    assert (await agent.http.post("/admission/revoke", data={"token": name})).status_code == 401
    assert (await revoke(agent, name)).status_code == 200
    assert failed(await agent.token()) == (400, "invalid_grant", "contract-revoked", False)
    orders = await doors.house.books(storage.orders, doors.house.now(), unheard=False)
    assert [(order.what, order.by) for _, order in orders] == [(Stop.TOKEN, "client")]


async def test_whoever_vouches_for_a_job_can_stop_it_and_only_it(doors: Doors) -> None:
    agent, other = doors.job(), doors.job("repo:bank/ander:ref:main")
    await agent.negotiate()
    await other.negotiate()

    def statement(by: Any, **changed: Any) -> str:
        now = int(time.time())
        told = {"iss": by.name, "sub": JOB, "aud": f"{SITE}/admission", "iat": now, "exp": now + 60, "jti": str(now)}
        return signed({"kid": by.kid, "typ": "admission-revocation+jwt"}, told | changed, by.own)

    async def said(text: str) -> int:
        return (await doors.http.post("/admission/revoke", data={"statement": text})).status_code

    good = statement(doors.platform)
    forged = statement(doors.domain, iss=doors.platform.name, jti="f")
    wrong = [
        *(
            forged,
            statement(doors.platform, aud=SITE, jti="a"),
            statement(doors.platform, exp=int(time.time()) + 9000, jti="b"),
        ),
        *(doors.platform.vouch(JOB, jti="c"), statement(doors.domain, sub=JOB, jti="d"), "x", "a.b.c"),
    ]
    assert [await said(text) for text in wrong] == [401] * len(wrong)
    assert (await agent.token()).status_code == 200
    assert await said(good) == 200
    assert await said(good) == 401
    assert failed(await agent.token())[2] == "contract-revoked"
    assert (await other.token()).status_code == 200
    assert await said(statement(doors.platform, sub=doors.platform.name, jti="all")) == 200
    assert failed(await other.token())[2] == "contract-revoked"
    assert (await doors.job("repo:bank/derde:ref:main").negotiate()).json()["type"].endswith("/contract-refused")
