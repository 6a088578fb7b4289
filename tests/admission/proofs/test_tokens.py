"""A token of ours holds for one key, one contract, one class, a few minutes, and by keys that follow each other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admission.proofs.exceptions import Check, TokenInvalidError
from admission.proofs.keys import UnusableKeyError
from admission.proofs.own_keys import OVERLAP, Keyring, own_key
from admission.proofs.remembered import MOST, Remembered
from admission.proofs.tokens import LIFETIMES, Approval, Grant, Issuer
from tests.admission.proofs.made import (
    ISSUER,
    JOB,
    NOW,
    OURS,
    ed25519,
    grant,
    p256,
    private,
    proof_header,
    shown,
    sign,
    without,
)
from throttling.work import Access

HASH = "Hi_cb5iEeO68bx-mmJgSGpwsn8CBwxXg7Obb_2e5rNA"
APPROVED = Approval(approval="apr_1234", operation="report.create", body_sha256=HASH)
SITE_KEY = ed25519("the site")
HEADER = {"typ": "at+jwt", "alg": "Ed25519", "kid": OURS.kid}
TOLD: dict[str, Any] = {
    "iss": "https://site.test",
    "aud": "https://site.test",
    "sub": "spiffe://bank.test/agent/indexer",
    "client_id": "spiffe://bank.test/agent/indexer",
    "iat": NOW,
    "exp": NOW + 300,
    "jti": "tok-1",
    "scope": "admission:read",
    "cnf": {"jkt": JOB.thumbprint()},
    "ctr": "ctr_7Q2M4KX3",
    "rh": "r7k3m9q2",
    "opc": "read",
}
WRITE = TOLD | {"scope": "admission:write", "opc": "write", "exp": NOW + 120}


def refused(token: str, now: float = NOW, issuer: Issuer = ISSUER) -> Check:
    with pytest.raises(TokenInvalidError) as caught:
        issuer.read(token, now)
    assert caught.value.__context__ is None
    return caught.value.check


@pytest.mark.parametrize(
    "what",
    [
        grant(),
        grant(Access.WRITE),
        grant(Access.WRITE, approval=Approval(approval="apr_1234")),
        grant(Access.WRITE, approval=APPROVED),
    ],
)
def test_a_token_says_what_was_granted_for_as_long_as_its_class_allows(what: Grant) -> None:
    """Figures of the design: 300 seconds to read, 120 to write."""
    token = ISSUER.mint(what, jti="tok-1", now=NOW)
    read = ISSUER.read(token, NOW)
    assert (read.grant, read.jti, read.issued) == (what, "tok-1", NOW)
    assert read.expires - read.issued == {Access.READ: 300, Access.WRITE: 120}[what.token_class]
    assert ISSUER.read(token, read.expires - 0.001) == read
    assert refused(token, read.expires) is Check.EXPIRED


def test_a_token_of_a_p256_key_of_ours_holds_as_well() -> None:
    issuer = replace(ISSUER, keys=Keyring((own_key(private(p256("the site")), NOW),)))
    assert issuer.read(issuer.mint(grant(), jti="t", now=NOW), NOW).grant == grant()


@pytest.mark.parametrize(
    "wrong",
    [
        {"subject": ""},
        {"subject": "a b"},
        {"subject": "s" * 513},
        {"client": "c\n"},
        {"contract": "../x"},
        {"handle": ""},
        {"jkt": "short"},
        {"approval": Approval(approval="apr_1234")},
    ],
)
def test_a_grant_that_could_not_be_read_back_is_not_minted(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="read back"):
        ISSUER.mint(grant(**wrong), jti="t", now=NOW)


def test_an_approval_of_a_body_without_an_operation_is_not_minted() -> None:
    half = Approval(approval="apr_1234", body_sha256=HASH)
    with pytest.raises(ValueError, match="read back"):
        ISSUER.mint(grant(Access.WRITE, approval=half), jti="t", now=NOW)


def test_the_hand_written_token_of_these_tests_holds() -> None:
    assert ISSUER.read(sign(HEADER, TOLD, SITE_KEY), NOW).grant == grant()
    assert ISSUER.read(sign(HEADER, WRITE | {"apr": "apr_1234"}, SITE_KEY), NOW).grant.approval is not None


@pytest.mark.parametrize(
    ("changed", "check"),
    [
        ({"iss": "https://other.test"}, Check.ISSUER),
        ({"iss": ["https://site.test"]}, Check.ISSUER),
        ({"aud": "https://other.test"}, Check.AUDIENCE),
        ({"aud": ["https://site.test", "https://other.test"]}, Check.AUDIENCE),
        ({"cnf": {}}, Check.UNBOUND),
        ({"cnf": None}, Check.UNBOUND),
        ({"cnf": JOB.thumbprint()}, Check.UNBOUND),
        ({"cnf": {"jkt": "x"}}, Check.UNBOUND),
        ({"cnf": {"jkt": JOB.thumbprint(), "x5t#S256": HASH}}, Check.UNBOUND),
        ({"scope": "admission:write"}, Check.CLAIM),
        ({"scope": "admission:read admission:write"}, Check.CLAIM),
        ({"opc": "write"}, Check.CLAIM),
        ({"opc": "admin", "scope": "admission:admin"}, Check.CLAIM),
        ({"opc": ["read"]}, Check.CLAIM),
        ({"ctr": "ctr {x}"}, Check.CLAIM),
        ({"ctr": 7}, Check.CLAIM),
        ({"rh": None}, Check.CLAIM),
        ({"sub": ""}, Check.CLAIM),
        ({"client_id": "a\u202eb"}, Check.CLAIM),
        ({"jti": "a\nb"}, Check.CLAIM),
        ({"jti": "j" * 129}, Check.CLAIM),
        ({"iat": "now"}, Check.CLAIM),
        ({"iat": NOW + 61, "exp": NOW + 200}, Check.ISSUED),
        ({"exp": NOW}, Check.EXPIRED),
        ({"exp": None}, Check.EXPIRED),
        ({"exp": NOW + 301}, Check.LIFETIME),
        ({"nbf": NOW + 61}, Check.EARLY),
        ({"nbf": "later"}, Check.EARLY),
        ({"apr": "apr_1234"}, Check.CLAIM),
        ({"op": "report.create"}, Check.CLAIM),
        (WRITE | {"exp": NOW + 121}, Check.LIFETIME),
        (WRITE | {"op": "report.create", "body_s256": HASH}, Check.CLAIM),
        (WRITE | {"apr": "apr_1234", "op": "report.create"}, Check.CLAIM),
        (WRITE | {"apr": "apr_1234", "body_s256": HASH}, Check.CLAIM),
        (WRITE | {"apr": "apr_1234", "op": "a b", "body_s256": HASH}, Check.CLAIM),
        (WRITE | {"apr": "apr_1234", "op": "report.create", "body_s256": "x"}, Check.CLAIM),
    ],
)
def test_a_token_with_a_claim_that_does_not_fit_is_refused_even_when_we_signed_it(
    changed: dict[str, Any], check: Check
) -> None:
    """Attacks 2 (unbound), 4 (clocks), 9 (DP-N27, N28, N31) and 10 (a class that contradicts its scope)."""
    assert refused(sign(HEADER, TOLD | changed, SITE_KEY)) is check


@pytest.mark.parametrize("absent", sorted(TOLD))
def test_each_claim_of_a_token_is_needed(absent: str) -> None:
    assert isinstance(refused(sign(HEADER, without(TOLD, absent), SITE_KEY)), Check)


@pytest.mark.parametrize(
    ("changed", "check"),
    [
        ({"typ": "JWT"}, Check.TYPE),
        ({"typ": "dpop+jwt"}, Check.TYPE),
        ({"alg": "none"}, Check.ALGORITHM),
        ({"alg": "HS256"}, Check.ALGORITHM),
        ({"alg": "ES256"}, Check.SIGNATURE),
        ({"kid": "another"}, Check.KEY_UNKNOWN),
        ({"kid": ""}, Check.HEADER),
        ({"kid": ["k"]}, Check.HEADER),
        ({"kid": "../../etc/passwd\x00"}, Check.HEADER),
        ({"jwk": shown(SITE_KEY)}, Check.HEADER),
        ({"jku": "https://evil.test/k"}, Check.HEADER),
        ({"x5u": "https://evil.test/k"}, Check.HEADER),
        ({"crit": ["exp"]}, Check.HEADER),
    ],
)
def test_a_header_other_than_the_one_of_a_token_is_refused(changed: dict[str, Any], check: Check) -> None:
    """Attack 9: DP-N17, N18, N26, N29, N30, N32, N33."""
    assert refused(sign(HEADER | changed, TOLD, SITE_KEY)) is check


def test_a_token_without_the_name_of_a_key_or_by_the_key_of_the_job_is_refused() -> None:
    assert refused(sign(without(HEADER, "kid"), TOLD, SITE_KEY)) is Check.KEY_UNKNOWN
    assert refused(sign(HEADER, TOLD, JOB)) is Check.SIGNATURE
    assert refused(sign(proof_header(), TOLD, JOB)) is Check.TYPE


def test_a_token_that_was_touched_is_refused() -> None:
    good = ISSUER.mint(grant(), jti="t", now=NOW)
    header, _, signature = good.split(".")
    claims = ISSUER.mint(grant(Access.WRITE), jti="t", now=NOW).split(".")[1]
    assert refused(f"{header}.{claims}.{signature}") is Check.SIGNATURE
    assert refused("x" * 4_097) is Check.SIZE


FIRST, SECOND, THIRD = (
    own_key(private(ed25519(name)), NOW + at) for name, at in (("1", 0), ("2", 1_000), ("3", 1_300))
)
RING = Issuer(name="https://site.test", audience="https://site.test", keys=Keyring((THIRD, FIRST, SECOND)))


@given(st.integers(NOW, NOW + 3_000), st.sampled_from(list(Access)), st.floats(0, 0.999))
def test_no_token_is_refused_in_its_life_because_the_keys_changed(
    minted: int, token_class: Access, part: float
) -> None:
    """Attack 5: rotation without a false denial."""
    token = RING.mint(grant(token_class), jti="t", now=minted)
    later = minted + part * LIFETIMES[token_class]
    assert RING.read(token, later).issued == minted


def test_a_key_is_told_before_it_signs_and_forgotten_after_twice_the_longest_life() -> None:
    """Attack 5: an old key is read ``OVERLAP`` seconds on, and no longer."""
    told = [key["kid"] for key in RING.keys.document(NOW)["keys"]]
    assert sorted(told) == sorted([FIRST.kid, SECOND.kid, THIRD.kid])
    assert RING.keys.signer(NOW + 999) is FIRST
    assert RING.keys.signer(NOW + 1_000) is SECOND
    assert RING.keys.find(FIRST.kid, NOW + 1_000 + OVERLAP - 1) is not None
    assert RING.keys.find(FIRST.kid, NOW + 1_000 + OVERLAP) is None
    assert FIRST.kid not in str(RING.keys.document(NOW + 1_000 + OVERLAP))
    assert RING.keys.find(THIRD.kid, NOW + 10**9) is not None


def test_a_token_by_a_key_that_is_over_is_refused() -> None:
    late = NOW + 1_000 + OVERLAP
    forged = sign(HEADER | {"kid": FIRST.kid}, TOLD | {"iat": late, "exp": late + 300}, ed25519("1"))
    assert refused(forged, late, RING) is Check.KEY_UNKNOWN
    withdrawn = replace(RING, keys=Keyring((SECOND, THIRD)))
    assert refused(RING.mint(grant(), jti="t", now=NOW), NOW, withdrawn) is Check.KEY_UNKNOWN


def test_what_is_told_of_a_key_has_no_private_part_and_neither_has_its_text() -> None:
    (told,) = ISSUER.keys.document(NOW)["keys"]
    assert set(told) == {"kty", "crv", "x", "kid", "alg", "use"}
    assert private(SITE_KEY)["d"] not in repr(ISSUER)


def test_nothing_is_minted_before_a_key_begins_or_where_keys_are_only_read() -> None:
    for keys in (Keyring(()), Keyring((SECOND,)), Keyring((own_key(shown(SITE_KEY), 0),))):
        with pytest.raises(LookupError):
            Issuer(name="https://site.test", audience="https://site.test", keys=keys).mint(grant(), jti="t", now=NOW)
    with pytest.raises(LookupError):
        own_key(shown(SITE_KEY), 0).sign(b"")


@pytest.mark.parametrize(
    "jwk",
    [
        {},
        {"kty": "oct", "k": "c2VjcmV0"},
        private(SITE_KEY) | {"d": private(ed25519("1"))["d"]},
        private(SITE_KEY) | {"d": "x"},
        private(p256("1")) | {"d": private(p256("2"))["d"]},
        private(SITE_KEY) | {"use": "enc"},
    ],
    ids=["empty", "shared", "two keys", "no key", "two points", "to encrypt"],
)
def test_what_is_no_key_of_ours_is_told_at_once(jwk: dict[str, str]) -> None:
    with pytest.raises(UnusableKeyError):
        own_key(jwk, 0)


def test_a_token_that_was_read_before_is_good_no_longer_than_it_holds() -> None:
    """What is remembered of a token is that it is ours: never that it still holds."""
    reader = Remembered(lambda: ISSUER)
    token = ISSUER.mint(grant(), jti="tok-1", now=NOW)
    assert reader.read(token, NOW) is reader.read(token, NOW + 299)
    with pytest.raises(TokenInvalidError):
        reader.read(token, NOW + 300)
    with pytest.raises(TokenInvalidError):
        reader.read(f"{token}x", NOW)
    for number in range(MOST + 10):
        reader.read(ISSUER.mint(grant(), jti=f"tok-{number}", now=NOW), NOW)
    assert len(reader._tokens) == MOST
