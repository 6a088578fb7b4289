"""Every vector of DPoP, JWT-SVID and thumbprints. What only the store of the edge can decide is listed, exactly."""

from __future__ import annotations

import hashlib
import json
from typing import Any
from urllib.parse import urlsplit

import pytest

from admission.proofs.addresses import PublicAddress
from admission.proofs.calls import Call, Proven, prove
from admission.proofs.dpop import check_proof
from admission.proofs.exceptions import Check, IdentityInvalidError, Reason, RefusedError
from admission.proofs.identities import Subjects, TrustDomain, read_svid
from admission.proofs.keys import SVID_USE, key_set, public_key
from admission.proofs.own_keys import Keyring, own_key
from admission.proofs.tokens import Issuer
from tests.admission.proofs.made import VECTORS, vectors
from throttling.work import Access

DPOP = vectors("dpop_vectors.json")
SVID = vectors("jwt_svid_vectors.json")
OF_THE_STORE = {"DP-N14", "DP-N16"}
"""Replays: well formed, with the key of what they replay. That it was used before, the store of the edge knows."""
CHECKS = {
    "alg": Check.ALGORITHM,
    "ath": Check.TOKEN_HASH,
    "aud": Check.AUDIENCE,
    "class-mismatch": Check.CLASS,
    "header": Check.HEADER,
    "htu": Check.ADDRESS,
    "iat": Check.ISSUED,
    "jti": Check.IDENTIFIER,
    "jwk-private": Check.KEY_PRIVATE,
    "key-mismatch": Check.KEY_OTHER,
    "multiple": Check.MULTIPLE,
    "proof-missing": Check.MISSING,
    "scope": Check.PATH,
    "signature": Check.SIGNATURE,
    "typ": Check.TYPE,
    "unbound": Check.UNBOUND,
}
"""What the vectors call the check that fails, and what it is called in an event."""
BY_ID = {vector["id"]: vector for vector in DPOP["vectors"]}
HERE = [name for name, vector in BY_ID.items() if vector["expect"] == "deny" and name not in OF_THE_STORE]


def proven(name: str) -> Proven:
    vector = BY_ID[name]
    sent = vector["request"]
    call = Call(
        sent["method"],
        urlsplit(sent["url"]).path.encode(),
        [(header.lower().encode(), value.encode()) for header, value in sent["headers"]],
    )
    issuer = Issuer(name=DPOP["site"], audience=DPOP["site"], keys=Keyring((own_key(DPOP["as_jwk"], 0),)))
    needed = Access.WRITE if sent["method"] == "POST" else Access.READ
    return prove(call, needed, PublicAddress.of(DPOP["site"]), issuer, vector["now"])


@pytest.mark.parametrize("name", [name for name, vector in BY_ID.items() if vector["expect"] == "allow"])
def test_a_good_call_of_the_vectors_proves_its_key_and_its_contract(name: str) -> None:
    """Attack 4 (DP-P3: a clock a minute behind)."""
    call = proven(name)
    assert (call.proof.jkt, call.token.grant.contract) == (DPOP["workload_jkt"], "ctr_7Q2M4KX3")


@pytest.mark.parametrize("name", HERE)
def test_a_bad_call_of_the_vectors_fails_by_the_check_that_it_is_about(name: str) -> None:
    """Attacks 2 (DP-N04, N05), 4 (DP-N13), 9 (DP-N17 to N32) and 10 (DP-N01, N02, N34, N35)."""
    with pytest.raises(RefusedError) as refused:
        proven(name)
    assert refused.value.check is CHECKS[BY_ID[name]["reason"]]
    assert str(refused.value) == refused.value.reason.value


@pytest.mark.parametrize("name", sorted(OF_THE_STORE))
def test_a_replay_of_the_vectors_has_the_key_of_what_it_replays(name: str) -> None:
    """Attack 1 (DP-N14, N16)."""
    assert BY_ID[name]["reason"] == "replay"
    assert proven(name).replay_key == proven(BY_ID[name]["after"]).replay_key


def test_the_key_of_a_replay_differs_for_another_call() -> None:
    """Attacks 1 and 14."""
    assert len({proven(name).replay_key for name in ("DP-P1", "DP-P2", "DP-P3", "DP-P4")}) == 4


def test_the_example_of_the_standard_holds_at_its_moment_only() -> None:
    """RFC 9449, section 4: an ES256 key."""
    example = DPOP["rfc9449_example"]
    target = PublicAddress.of("https://server.example.com").target("POST", b"/token", [])
    assert check_proof(example["proof"], target, 1_562_262_616).jkt == example["jkt"]
    with pytest.raises(RefusedError) as refused:
        check_proof(example["proof"], target, 1_562_262_677)
    assert (refused.value.reason, refused.value.check) == (Reason.PROOF_INVALID, Check.ISSUED)


def subject(token: str) -> str:
    keys = key_set(json.dumps(SVID["bundle"]).encode(), use=SVID_USE)
    domain = TrustDomain(name=SVID["trust_domain"], keys=keys, subjects=Subjects(("spiffe://bank.test/agent/*",)))
    return read_svid(token, {domain.name: domain}, SVID["audience"], SVID["now"]).workload


@pytest.mark.parametrize("vector", SVID["vectors"], ids=lambda vector: vector["id"])
def test_a_workload_of_the_vectors_is_known_or_refused(vector: dict[str, Any]) -> None:
    if vector["expect"] == "accept":
        assert subject(vector["token"]) == "spiffe://bank.test/agent/indexer"
    else:
        with pytest.raises(IdentityInvalidError) as refused:
            subject(vector["token"])
        assert refused.value.check is SVID_CHECKS[vector["id"]]


SVID_CHECKS = {
    "SV-N01": Check.AUDIENCE,
    "SV-N02": Check.AUDIENCE,
    "SV-N04": Check.EXPIRED,
    "SV-N05": Check.EXPIRED,
    "SV-N07": Check.SUBJECT,
    "SV-N08": Check.ISSUER,
    "SV-N10": Check.SIGNATURE,
    "SV-N11": Check.KEY_UNKNOWN,
    "SV-N13": Check.SUBJECT,
    "SV-N14": Check.SUBJECT,
    "SV-N16": Check.SUBJECT,
}


@pytest.mark.parametrize("vector", vectors("thumbprint_vectors.json"), ids=lambda vector: vector["name"])
def test_thumbprints_are_those_of_the_standards(vector: dict[str, str]) -> None:
    assert public_key(json.loads(vector["jwk"])).thumbprint == vector["thumbprint"]


def test_every_vector_is_kept_as_it_came_with_its_origin() -> None:
    rows = [json.loads(line) for line in (VECTORS / "ORIGIN.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {row["file"]: row["sha256"] for row in rows} == {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in VECTORS.glob("*.json")
    }
