"""What somebody who proves nothing can learn at the edge, burn, or write into a log: nothing (attacks 14, 18 and 19)."""

from __future__ import annotations

import random
from time import time
from typing import Any

import pytest

from admission.proofs import strict
from tests.admission.proofs.made import ed25519, proof_header, sign
from tests.product.edge.conftest import EdgeLines, Make
from tests.support.contracts import Job

pytestmark = pytest.mark.anyio
READ = "/api/v1/platforms"


def told(answer: Any) -> dict[str, Any]:
    """What an answer says, without its moment."""
    return {name: value for name, value in answer.json().items() if name != "serverTime"}


async def test_before_a_key_is_proven_every_fault_of_a_kind_reads_the_same(make: Make) -> None:
    """Attack 19: which check failed helps a forger alone."""
    job, other = await make(), await make()
    token, thief, now = job.mint(), ed25519("thief"), int(time())
    proofs = [
        job.proof("GET", READ, token, iat=now - 3600),
        job.proof("POST", READ, token),
        job.proof("GET", "/api/v1/organisaties", token),
        job.proof("GET", READ, "another.token.x"),
        job.proof("GET", READ, token, jti=""),
        sign(proof_header(thief), {"jti": "a" * 20, "htm": "GET", "htu": READ, "iat": now}, thief),
        job.proof("GET", READ, token)[:-4] + "AAAA",
        "a.b.c",
    ]
    answers = [
        told(await job.http.get(READ, headers={"Authorization": f"DPoP {token}", "DPoP": one})) for one in proofs
    ]
    assert all(one == answers[0] for one in answers), answers
    assert answers[0]["reason"] == "proof-invalid"
    tokens = [
        token[:-4] + "AAAA",
        job.mint(now=now - 9_000),
        Job(job.http, other.house, other.contract, thief, "x").mint().rpartition(".")[0] + "." + "A" * 86,
        "a.b.c",
    ]
    answers = [
        told(await job.http.get(READ, headers={"Authorization": f"DPoP {one}", "DPoP": job.proof("GET", READ, one)}))
        for one in tokens
    ]
    assert {one["reason"] for one in answers} <= {"token-invalid", "token-required"}
    assert len({str(sorted(one.items())) for one in answers if one["reason"] == "token-invalid"}) == 1
    assert not any(job.contract in str(one) for one in answers)


async def test_nobody_burns_what_is_anothers_whatever_they_make_of_its_token(make: Make) -> None:
    """Attack 14: forged contract ids, shared ``jti``, and tokens with any part changed cost their owner nothing."""
    job = await make()
    token, thief, chance = job.mint(), ed25519("thief"), random.Random(14)
    claims = strict.members(strict.decode(token.split(".")[1]) or b"") or {}
    forged = [sign({"typ": "at+jwt", "kid": "x"}, claims | {"cnf": {"jkt": thief.thumbprint()}}, thief)]
    for _ in range(40):
        place = chance.randrange(len(token))
        forged.append(token[:place] + chance.choice("abcXYZ019-_.") + token[place + 1 :])
    for one in forged:
        if one != token:
            shown = {"Authorization": f"DPoP {one}", "DPoP": job.proof("GET", READ, one, jti="shared-by-all-of-them")}
            assert (await job.http.get(READ, headers=shown)).status_code == 401
    assert await job.left() == (100, 5, 0)
    mine = {"Authorization": f"DPoP {token}", "DPoP": job.proof("GET", READ, token, jti="shared-by-all-of-them")}
    assert (await job.http.get(READ, headers=mine)).status_code == 200


async def test_what_is_written_of_a_request_is_small_and_on_one_line(
    make: Make, caplog: pytest.LogCaptureFixture, edge_lines: EdgeLines
) -> None:
    """Attack 18: newlines, ANSI, signs that turn the order of reading, and as much as a server takes."""
    job = await make()
    nasty = "\x1b[31m\u202e\\r\\nlevel=error" + "z" * 50_000
    await job.message("tools/call", {"name": "zoek", "arguments": {"vraag": nasty}})
    await job.message("tools/call", {"name": "zoek" + "z" * 5_000, "arguments": {}}, headers={"Mcp-Name": "zoek"})
    await job.get(f"/api/v1/_zoek?vraag={'z' * 5_000}%0d%0a%1b")
    await job.http.get(READ, headers={"Authorization": "DPoP " + "z" * 9_000})
    await edge_lines.first(4)
    for record in caplog.records:
        line = str(record.msg)
        assert len(line) < 2_000, line[:200]
        assert not any(sign in line for sign in ("\n", "\x1b", "\u202e", "zzzzzzzz")), line[:200]
    for event in await job.ledger.events():
        assert "zzzzzzzz" not in str(event.fields)
