"""A change of state needs a contract, a fresh proof, room for it, and a person who allowed exactly that (choice A8)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from pytest_django import DjangoDbBlocker

from admission import approvals
from admission.approvals import Change, arguments_body, body_hash
from admission.contracts import Stop, Tier
from admission.edge import Reason
from admission.gatehouse import Gatehouse
from admission.operations import Operation
from admission.proofs.tokens import Approval
from tests.product.edge.conftest import Make
from tests.product.edge.test_attacks import kinds, refused
from tests.support.admission import database_of_its_own
from tests.support.contracts import Job, message
from throttling.work import Access

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("database")]
ADDRESS = "/api/v1/rapporten"
ASK = "rapport-aanvragen"
BODY = json.dumps({"vraag": "urgenda", "platform": ["rechtspraak"]}).encode()
JSON = {"Content-Type": "application/json"}
TOOL = {"name": "zoek", "arguments": {"vraag": "uitkering", "platforms": ["rechtspraak"]}}


@pytest.fixture
def database(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A file of this test's own, which threads share as in the product; made before the product starts."""
    with database_of_its_own(tmp_path, django_db_blocker):
        yield


async def asked(job: Job, body: bytes = BODY, *, approved: bool | None = True, path: str = ADDRESS) -> Approval:
    """What an operator was asked, and decided (None: not yet), as it goes into a token."""
    change = Change(contract=job.contract, operation=ASK, resource=path, body_sha256=body_hash(body))
    at = datetime.now(UTC)

    def ask() -> str:
        made = approvals.ask(change, workload=job.workload, body=body.decode(), note="", at=at)
        if approved is not None:
            approvals.decide(made.approval, approved=approved, by="beheer", at=at)
        return str(made.approval)

    return Approval(approval=await job.house.books(ask), operation=ASK, body_sha256=body_hash(body))


async def change(job: Job, approval: Approval | None, body: bytes = BODY, path: str = ADDRESS) -> httpx.Response:
    return await job.call("POST", path, token=job.mint(Access.WRITE, approval), content=body, headers=JSON)


async def test_what_a_person_allowed_is_done_once(make: Make) -> None:
    job = await make(units=1000)
    approval = await asked(job)
    done = await change(job, approval)
    assert (done.status_code, done.headers["admission-cost"]) == (202, "60")
    assert await job.left() == (940, 4, 0)
    refused(await change(job, approval), Reason.APPROVAL_REQUIRED, 403)
    assert await kinds(job) == [("allow", ""), ("deny", "approval-required")]


@pytest.mark.parametrize("approved", [None, False], ids=["waits", "denied"])
async def test_what_nobody_allowed_is_not_done(make: Make, *, approved: bool | None) -> None:
    job = await make(units=1000)
    reason = Reason.APPROVAL_REQUIRED if approved is None else Reason.APPROVAL_DENIED
    problem = refused(await change(job, await asked(job, approved=approved)), reason, 403)
    assert problem["retryable"] is False
    refused(await change(job, None), Reason.APPROVAL_REQUIRED, 403)
    assert await job.left() == (1000, 5, 0)


@pytest.mark.parametrize(
    "swapped",
    [
        {"body": BODY.replace(b"urgenda", b"urgendA")},
        {"body": BODY + b" "},
        {"body": b""},
        {"path": "/api/v1/rapporten/"},
    ],
)
async def test_an_approval_is_of_nothing_else(make: Make, swapped: Mapping[str, Any]) -> None:
    """Attack 15: swapped after it was approved. What was approved is still good for what it is of."""
    job = await make(units=1000)
    approval = await asked(job)
    answer = await change(job, approval, **swapped)
    assert answer.status_code == 403
    assert answer.json()["reason"] in {"approval-required", "out-of-scope"}
    assert (await change(job, approval)).status_code == 202


async def test_an_approval_of_another_contract_is_none(make: Make) -> None:
    """Attack 15: replay."""
    job, other = await make(units=1000), await make(units=1000)
    approval = await asked(job)
    refused(await change(other, approval), Reason.APPROVAL_REQUIRED, 403)


async def test_an_approval_is_not_used_up_by_what_was_refused(make: Make) -> None:
    job = await make(units=1000)
    approval = await asked(job)
    await job.ledger.revoke(Stop.WRITES)
    frozen = await change(job, approval)
    refused(frozen, Reason.ADMISSION_UNAVAILABLE, 503)
    assert int(frozen.headers["retry-after"]) >= 300
    assert (await job.get("/api/v1/platforms")).status_code == 200
    await job.ledger.lift(Stop.WRITES)
    assert (await change(job, approval)).status_code == 202


async def test_many_at_once_with_one_approval_are_one_change(make: Make) -> None:
    job = await make(units=1000, in_flight=50)
    approval = await asked(job)
    answers = await asyncio.gather(*(change(job, approval) for _ in range(10)))
    assert sorted(answer.status_code for answer in answers) == [202] + [403] * 9
    assert (await job.left())[1] == 4


@pytest.mark.parametrize("tier", [Tier.CIMD, Tier.SIGNED_AGENT, Tier.AD_HOC])
async def test_only_a_job_that_somebody_vouches_for_changes_anything(make: Make, tier: Tier) -> None:
    """Choice A1."""
    job = await make(tier=tier, units=1000)
    refused(await change(job, await asked(job)), Reason.CLASS_MISMATCH, 403)


async def test_state_changes_are_a_budget_of_their_own(make: Make) -> None:
    job = await make(units=1000, writes=1)
    other = BODY.replace(b"urgenda", b"stikstof")
    assert (await change(job, await asked(job))).status_code == 202
    refused(await change(job, await asked(job, other), other), Reason.QUOTA_EXHAUSTED, 403)
    assert (await job.get("/api/v1/platforms")).status_code == 200


async def test_a_program_without_a_contract_hears_what_it_needs(site: httpx.AsyncClient, house: Gatehouse) -> None:
    for request in (site.post(ADDRESS, content=BODY, headers=JSON), site.delete(f"{ADDRESS}/{'a' * 32}")):
        problem = refused(await request, Reason.TOKEN_REQUIRED, 401)
        assert problem["needs"] == {"class": "write", "tier": "federated", "approval": "required"}
        assert problem["operation"] in {ASK, "rapport-annuleren"}
        assert problem["discovery"] == "http://localhost:8000/.well-known/admission-contract"
    assert [event.kind for event in await house.admissions.events()] == ["open"]


@pytest.fixture
def changing(house: Gatehouse, monkeypatch: pytest.MonkeyPatch) -> Operation:
    """A tool that changes state: one that is there, declared otherwise."""
    operation = Operation(ASK, Access.WRITE)
    monkeypatch.setitem(house.operations._tools, "zoek", operation)
    return operation


async def test_over_mcp_a_change_needs_the_same(changing: Operation, make: Make) -> None:
    """What an approval binds there are the arguments, in one form, and not the envelope."""
    job = await make()
    arguments = arguments_body(TOOL["arguments"])  # type: ignore[arg-type]
    approval = await asked(job, arguments, path="/mcp/unified/v1")
    token = job.mint(Access.WRITE, approval)
    other = {**TOOL, "arguments": {**TOOL["arguments"], "vraag": "anders"}}  # type: ignore[dict-item]
    swapped = await job.message("tools/call", other, token=token)
    refused(swapped, Reason.APPROVAL_REQUIRED, 403)
    assert swapped.json()["error"]["code"] == 4036
    done = await job.message("tools/call", TOOL, token=token, id="q")
    assert (done.status_code, done.json()["id"]) == (200, "q")
    assert (await job.left())[1] == 4


@pytest.mark.parametrize(
    "body",
    [
        json.dumps(message("tools/call", TOOL)[0]).encode(),
        json.dumps([message("tools/list")[0], message("tools/call", TOOL)[0]]).encode(),
        b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"lees","name":"zoek"}}',
        json.dumps(message("tools/call", TOOL)[0]).encode("utf-16"),
    ],
    ids=["one", "among others", "twice", "in other letters"],
)
async def test_over_mcp_a_program_without_a_contract_changes_nothing(
    changing: Operation, site: httpx.AsyncClient, body: bytes
) -> None:
    """Attack 10."""
    headers = message("tools/call", TOOL)[1] | JSON
    answer = await site.post("/mcp/unified/v1", content=body, headers=headers)
    problem = refused(answer, Reason.TOKEN_REQUIRED, 401)
    assert (answer.json()["error"]["code"], problem["operation"]) in {(4010, ASK), (4010, "")}
    metadata = "/.well-known/oauth-protected-resource/mcp/unified/v1"
    assert metadata in answer.headers["www-authenticate"]


async def test_people_go_on_as_they_did(site: httpx.AsyncClient) -> None:
    """The edge never asks a person for a contract: their forms have rules of their own."""
    answer = await site.post("/rapporten", data={"vraag": "x"})
    assert answer.status_code not in {401, 503}
