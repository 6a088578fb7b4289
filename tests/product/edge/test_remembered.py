"""A token that this process has read before proves no more than a new one: whatever ends it, ends it at the next request."""

from __future__ import annotations

import json
from time import time
from typing import Any

import pytest

from admission.contracts import Stop
from admission.edge import Reason
from admission.proofs import remembered, strict
from admission.signing import PERIOD
from tests.product.edge.conftest import Make
from tests.product.edge.test_attacks import READ, refused
from tests.support.contracts import Job
from throttling.work import Access

pytestmark = pytest.mark.anyio


async def known(make: Make) -> tuple[Job, str]:
    """A job of which this process knows the token."""
    job = await make()
    token = job.mint()
    assert (await job.get(READ, token=token)).status_code == 200
    return job, token


async def test_a_contract_that_is_revoked_ends_it_at_once(make: Make) -> None:
    """Attacks 16 and 17: the store says so, with every request."""
    job, token = await known(make)
    await job.ledger.revoke(Stop.CONTRACT, job.contract)
    refused(await job.get(READ, token=token), Reason.CONTRACT_REVOKED, 403)


async def test_a_token_that_is_revoked_is_over_and_another_of_the_contract_is_not(make: Make) -> None:
    job = await make()
    token, other = job.mint(jti="een-pasje-dat-stopt"), job.mint()
    assert (await job.get(READ, token=token)).status_code == 200
    await job.ledger.revoke(Stop.TOKEN, "een-pasje-dat-stopt", seconds=300)
    refused(await job.get(READ, token=token), Reason.TOKEN_INVALID, 401)
    assert (await job.get(READ, token=other)).status_code == 200


@pytest.mark.parametrize("later", [300, 301, 600])
async def test_it_holds_no_longer_than_it_says(make: Make, monkeypatch: pytest.MonkeyPatch, later: int) -> None:
    job, token = await known(make)
    now = time() + later
    monkeypatch.setattr(type(job.house), "clock", property(lambda _: lambda: now), raising=False)
    told = job.headers("GET", READ, token=token, iat=int(now))
    refused(await job.http.get(READ, headers=told), Reason.TOKEN_INVALID, 401)


async def test_a_key_of_ours_that_is_withdrawn_ends_what_it_signed(make: Make) -> None:
    """Attack 5: a new secret, as after a leak, and the months of keys that follow one another."""
    job, token = await known(make)
    signing = job.house.signing
    signing._secret, signing._made = b"een ander geheim, zoals na een lek, 32+", None
    refused(await job.get(READ, token=token), Reason.TOKEN_INVALID, 401)
    assert (await job.get(READ, token=job.mint())).status_code == 200


async def test_a_key_that_was_followed_by_two_others_ends_what_it_signed(make: Make) -> None:
    job, token = await known(make)
    signing, clock = job.house.signing, job.house.signing._clock
    signing._clock = lambda: clock() + 2 * PERIOD
    try:
        refused(await job.get(READ, token=token), Reason.TOKEN_INVALID, 401)
    finally:
        signing._clock = clock
    assert (await job.get(READ, token=token)).status_code == 200


async def test_another_key_proves_nothing_with_it(make: Make) -> None:
    """Attack 2: it is bound to its key, remembered or not."""
    job, token = await known(make)
    thief = await make()
    refused(await thief.get(READ, token=token), Reason.PROOF_INVALID, 401)
    assert (await job.get(READ, token=token)).status_code == 200


async def test_it_reads_and_never_writes(make: Make) -> None:
    """Choice A7."""
    job, token = await known(make)
    answer = await job.call("POST", "/api/v1/rapporten", Access.READ, token=token, json={})
    refused(answer, Reason.CLASS_MISMATCH, 403)


async def test_one_sign_of_it_changed_makes_it_another(make: Make) -> None:
    job, token = await known(make)
    head, body, signature = token.split(".")
    told: dict[str, Any] = json.loads(strict.decode(body) or b"")
    more = strict.encode(json.dumps(told | {"exp": told["exp"] + 60}, separators=(",", ":")).encode())
    for forged in (f"{head}.{more}.{signature}", f"{head}.{body}.{'A' * len(signature)}"):
        refused(await job.get(READ, token=forged), Reason.TOKEN_INVALID, 401)


async def test_no_more_are_remembered_than_have_a_place(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Attack 20: whoever shows many tokens costs no memory."""
    monkeypatch.setattr(remembered, "MOST", 3)
    job = await make()
    tokens = [job.mint() for _ in range(6)]
    for token in (*tokens, *tokens):
        assert (await job.get(READ, token=token)).status_code == 200
