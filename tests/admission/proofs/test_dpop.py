"""A proof holds for one key, one request, one moment and one token."""

from __future__ import annotations

from typing import Any

import pytest
from joserfc.jwk import OctKey, RSAKey

from admission.proofs import strict
from admission.proofs.dpop import KEPT, WINDOW, check_proof
from admission.proofs.exceptions import Check, ProofInvalidError
from tests.admission.proofs.made import (
    JOB,
    NOW,
    Private,
    algorithm,
    ed25519,
    p256,
    private,
    proof,
    proof_claims,
    proof_header,
    shown,
    sign,
    target,
    without,
)

GOOD = proof_claims()
HEADER = proof_header()


def refused(sent: str, **more: Any) -> Check:
    with pytest.raises(ProofInvalidError) as caught:
        check_proof(sent, target(), NOW, **more)
    assert caught.value.__context__ is None
    return caught.value.check


@pytest.mark.parametrize("key", [JOB, p256("the job")], ids=algorithm)
def test_a_good_proof_shows_its_key(key: Private) -> None:
    shows = check_proof(proof(key=key), target(), NOW)
    assert (shows.jkt, shows.jti, shows.expires) == (key.thumbprint(), "p-1", NOW + WINDOW)


def test_the_older_name_of_an_algorithm_is_read() -> None:
    assert check_proof(proof(header=HEADER | {"alg": "EdDSA"}), target(), NOW).jkt == JOB.thumbprint()


@pytest.mark.parametrize(
    ("changed", "check"),
    [
        ({"alg": "none"}, Check.ALGORITHM),
        ({"alg": "None"}, Check.ALGORITHM),
        ({"alg": "HS256"}, Check.ALGORITHM),
        ({"alg": "RS256"}, Check.ALGORITHM),
        ({"alg": "ES512"}, Check.ALGORITHM),
        ({"alg": "ed25519"}, Check.ALGORITHM),
        ({"alg": ["Ed25519"]}, Check.ALGORITHM),
        ({"alg": None}, Check.ALGORITHM),
        ({"alg": "ES256"}, Check.SIGNATURE),
        ({"typ": "JWT"}, Check.TYPE),
        ({"typ": "at+jwt"}, Check.TYPE),
        ({"typ": "DPOP+JWT"}, Check.TYPE),
        ({"typ": "application/dpop+jwt"}, Check.TYPE),
        ({"typ": None}, Check.TYPE),
        ({"typ": {}}, Check.TYPE),
        ({"crit": ["b64"]}, Check.HEADER),
        ({"crit": []}, Check.HEADER),
        ({"b64": False}, Check.HEADER),
        ({"jku": "https://evil.test/k"}, Check.HEADER),
        ({"x5u": "https://evil.test/k"}, Check.HEADER),
        ({"x5c": ["MIIB"]}, Check.HEADER),
        ({"kid": "k"}, Check.HEADER),
        ({"zip": "DEF"}, Check.HEADER),
        ({"jwk": None}, Check.KEY),
        ({"jwk": "key"}, Check.KEY),
        ({"jwk": shown(JOB, x5u="https://evil.test/k")}, Check.KEY),
        ({"jwk": private(JOB)}, Check.KEY_PRIVATE),
        ({"jwk": shown(ed25519("another"))}, Check.SIGNATURE),
        ({"jwk": shown(RSAKey.generate_key(2048))}, Check.SIGNATURE),
    ],
)
def test_a_header_other_than_the_one_of_a_proof_is_refused(changed: dict[str, Any], check: Check) -> None:
    """Attack 9: DP-N17 to N21, N25, N32, N33, AC-N25."""
    assert refused(proof(header=HEADER | changed)) is check


def test_a_public_key_taken_for_a_shared_secret_proves_nothing() -> None:
    """Attack 9 (DP-N18): HMAC with the public key."""
    secret = OctKey.import_key(strict.decode(shown(JOB)["x"]) or b"")
    assert refused(sign(HEADER | {"alg": "HS256"}, GOOD, secret, alg="HS256")) is Check.ALGORITHM


@pytest.mark.parametrize("absent", ["jti", "htm", "htu", "iat"])
def test_each_claim_of_a_proof_is_needed(absent: str) -> None:
    checks = {"jti": Check.IDENTIFIER, "htm": Check.METHOD, "htu": Check.ADDRESS, "iat": Check.ISSUED}
    assert refused(proof(without(GOOD, absent))) is checks[absent]


@pytest.mark.parametrize(
    ("changed", "check"),
    [
        ({"jti": ""}, Check.IDENTIFIER),
        ({"jti": 7}, Check.IDENTIFIER),
        ({"jti": "j" * 129}, Check.IDENTIFIER),
        ({"jti": "a\nb"}, Check.IDENTIFIER),
        ({"jti": "a\u202eb"}, Check.IDENTIFIER),
        ({"htm": "POST"}, Check.METHOD),
        ({"htm": "get"}, Check.METHOD),
        ({"htm": ["GET"]}, Check.METHOD),
        ({"htu": "https://site.test/zoeken/"}, Check.ADDRESS),
        ({"htu": "https://site.test/Zoeken"}, Check.ADDRESS),
        ({"htu": "http://site.test/zoeken"}, Check.ADDRESS),
        ({"htu": "https://site.test:8443/zoeken"}, Check.ADDRESS),
        ({"htu": "https://site.test@evil.test/zoeken"}, Check.ADDRESS),
        ({"htu": "https://s\u0456te.test/zoeken"}, Check.ADDRESS),
        ({"htu": "https://site.test/beheer/../zoeken"}, Check.ADDRESS),
        ({"htu": "/zoeken"}, Check.ADDRESS),
        ({"htu": None}, Check.ADDRESS),
        ({"iat": NOW - 61}, Check.ISSUED),
        ({"iat": NOW + 61}, Check.ISSUED),
        ({"iat": NOW - 90}, Check.ISSUED),
        ({"iat": NOW + 90}, Check.ISSUED),
        ({"iat": NOW * 1000}, Check.ISSUED),
        ({"iat": str(NOW)}, Check.ISSUED),
        ({"iat": True}, Check.ISSUED),
        ({"iat": -1}, Check.ISSUED),
        ({"exp": NOW}, Check.EXPIRED),
        ({"exp": "later"}, Check.EXPIRED),
    ],
)
def test_a_proof_about_another_request_or_moment_is_refused(changed: dict[str, Any], check: Check) -> None:
    """Attacks 1, 3 (DP-N06 to N09), 4 (clocks 61 and 90 seconds off, DP-N12, N13) and 18 (a line break in ``jti``, DP-N24)."""
    assert refused(proof(GOOD | changed)) is check


@pytest.mark.parametrize("issued", [NOW - 60, NOW - 59.5, NOW, NOW + 60])
def test_a_clock_that_is_up_to_a_minute_off_is_borne(issued: float) -> None:
    """Attack 4 (DP-P3)."""
    assert check_proof(proof(GOOD | {"iat": issued}), target(), NOW).expires == issued + 60


def test_a_proof_is_remembered_for_as_long_as_it_could_come_again() -> None:
    early = check_proof(proof(GOOD | {"iat": NOW + WINDOW}), target(), NOW)
    assert early.expires < NOW + KEPT


def test_a_proof_names_the_token_that_it_comes_with_and_the_key_that_the_token_is_bound_to() -> None:
    """Attack 2 (DP-N05, N10, N11)."""
    bound = proof(proof_claims("a.b.c"))
    assert check_proof(bound, target(), NOW, token="a.b.c", jkt=JOB.thumbprint()).jti == "p-1"
    assert refused(bound, token="a.b.d") is Check.TOKEN_HASH
    assert refused(proof(), token="a.b.c") is Check.TOKEN_HASH
    assert refused(proof(GOOD | {"ath": 7}), token="a.b.c") is Check.TOKEN_HASH
    assert refused(proof(GOOD | {"ath": "\u00e9"}), token="a.b.c") is Check.TOKEN_HASH
    assert refused(bound, token="a.b.c", jkt=ed25519("another").thumbprint()) is Check.KEY_OTHER


def test_a_proof_that_was_touched_or_spelled_otherwise_is_refused() -> None:
    good = proof()
    message, _, signature = good.rpartition(".")
    assert refused(f"{message}.") is Check.SIGNATURE
    assert refused(f"{message}.{signature}=") is Check.FORM
    assert refused(f"{message}.{signature}AA") is Check.SIGNATURE
    assert refused(f"{good}.x") is Check.FORM
    assert refused(f"{good[:40]}\u00e9{good[40:]}") is Check.FORM
    assert refused(sign(b'{"typ":"dpop+jwt","typ":"dpop+jwt"}', GOOD, JOB)) is Check.JSON
    assert refused(sign(HEADER, b'{"jti":"a","jti":"b"}', JOB)) is Check.JSON
    assert refused(sign(HEADER, b"[]", JOB)) is Check.JSON
    assert refused(sign(HEADER | {"jwk": "x" * 2_000}, GOOD, JOB)) is Check.SIZE
    assert refused(proof(GOOD | {"more": "x" * 4_096})) is Check.SIZE


def test_the_key_of_a_replay_is_the_same_in_every_spelling_and_no_other() -> None:
    """Attack 1, and 14: somebody else's ``jti`` cannot be used up."""
    other = ed25519("another")
    same = [proof(GOOD | {"htu": htu}) for htu in ("https://site.test/zoeken", "https://SITE.test:443/%7Aoeken?x=1")]
    keys = {check_proof(sent, target(), NOW).replay_key("ctr_1") for sent in same}
    assert len(keys) == 1
    post = check_proof(proof(proof_claims(method="POST")), target("POST"), NOW).replay_key("ctr_1")
    path = check_proof(proof(proof_claims(htu="https://site.test/mcp")), target(path="/mcp"), NOW).replay_key("ctr_1")
    key = check_proof(proof(key=other), target(), NOW).replay_key("ctr_1")
    contract = check_proof(proof(), target(), NOW).replay_key("ctr_2")
    jti = check_proof(proof(GOOD | {"jti": "p-2"}), target(), NOW).replay_key("ctr_1")
    assert len(keys | {post, path, key, contract, jti, check_proof(proof(), target(), NOW).replay_key()}) == 7
    assert all(len(key) == 43 and strict.decode(key) for key in keys)
