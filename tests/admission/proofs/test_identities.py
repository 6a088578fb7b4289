"""Who asks for a contract proves it: to this site alone, for an hour at most, by an issuer that the operator allowed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from joserfc.jwk import RSAKey

from admission.proofs.exceptions import Check, IdentityInvalidError, Reason
from admission.proofs.identities import (
    Client,
    Identity,
    Method,
    Platform,
    Subjects,
    TrustDomain,
    read_assertion,
    read_platform,
    read_svid,
)
from admission.proofs.keys import STRONG, SVID_USE, Algorithm, KeySet, key_set
from tests.admission.proofs.made import JOB, NOW, Private, ed25519, p256, shown, sign, without

AUDIENCE = "https://site.test/admission"
DOMAIN_KEY, BUILD_KEY, CLIENT_KEY, CLUSTER_KEY = (
    p256("bank"),
    ed25519("build"),
    ed25519("client"),
    RSAKey.generate_key(2048),
)
CLIENT_ID = "https://agent.test/client.json"
TOKEN_ENDPOINT = "https://site.test/admission/token"


def keys(key: Private, kid: str = "k-1", **more: Any) -> KeySet:
    use = more.get("use", "sig")
    return key_set(json.dumps({"keys": [shown(key, kid=kid, **more)]}).encode(), use=use)


DOMAINS = {
    "bank.test": TrustDomain(
        name="bank.test",
        keys=keys(DOMAIN_KEY, use=SVID_USE),
        subjects=Subjects(("spiffe://bank.test/agent/*", "spiffe://bank.test/ns/*/sa/*")),
    ),
    "other.test": TrustDomain(name="other.test", keys=keys(JOB, use=SVID_USE), subjects=Subjects(("spiffe://*/*",))),
}
PLATFORMS = {
    "https://build.test": Platform(
        issuer="https://build.test", keys=keys(BUILD_KEY), subjects=Subjects(("repo:org/name:ref:refs/heads/main",))
    ),
    "https://cluster.test": Platform(
        issuer="https://cluster.test",
        keys=keys(CLUSTER_KEY),
        subjects=Subjects(("system:serviceaccount:agents:*",)),
        algorithms=STRONG | {Algorithm.RS256},
    ),
}
SVID = {"sub": "spiffe://bank.test/agent/indexer", "aud": [AUDIENCE], "iat": NOW, "exp": NOW + 300}
BUILD = SVID | {"iss": "https://build.test", "sub": "repo:org/name:ref:refs/heads/main", "jti": "b-1", "nbf": NOW}
CLUSTER = SVID | {"iss": "https://cluster.test", "sub": "system:serviceaccount:agents:indexer"}
ASSERTION = {"iss": CLIENT_ID, "sub": CLIENT_ID, "aud": TOKEN_ENDPOINT, "iat": NOW, "exp": NOW + 60, "jti": "a-1"}


def header(alg: str, **more: Any) -> dict[str, Any]:
    return {"alg": alg, "kid": "k-1", "typ": "JWT"} | more


def svid(claims: Any, more: Any = None, key: Private = DOMAIN_KEY) -> Identity:
    return read_svid(sign(header("ES256") | (more or {}), claims, key), DOMAINS, AUDIENCE, NOW)


def build(claims: Any, more: Any = None, key: Private = BUILD_KEY) -> Identity:
    return read_platform(sign(header("Ed25519") | (more or {}), claims, key), PLATFORMS, AUDIENCE, NOW)


def cluster(claims: Any, more: Any = None, key: Private = CLUSTER_KEY) -> Identity:
    return read_platform(sign(header("RS256", x5t="x") | (more or {}), claims, key), PLATFORMS, AUDIENCE, NOW)


def assertion(claims: Any, more: Any = None, key: Private = CLIENT_KEY) -> Identity:
    client = Client(client_id=CLIENT_ID, keys=keys(CLIENT_KEY))
    token = sign(header("Ed25519") | (more or {}), claims, key)
    return read_assertion(token, client, frozenset({TOKEN_ENDPOINT, "https://site.test"}), NOW)


READERS: list[tuple[Callable[..., Identity], dict[str, Any]]] = [
    (svid, SVID),
    (build, BUILD),
    (cluster, CLUSTER),
    (assertion, ASSERTION),
]
every = pytest.mark.parametrize(("read", "good"), READERS, ids=["svid", "build", "cluster", "assertion"])


def refused(read: Callable[..., Identity], claims: Any, more: Any = None, **key: Private) -> Check:
    with pytest.raises(IdentityInvalidError) as caught:
        read(claims, more, **key)
    assert caught.value.reason is Reason.IDENTITY_INVALID
    assert caught.value.__context__ is None
    return caught.value.check


def test_a_workload_a_job_and_a_client_are_known_by_name() -> None:
    assert svid(SVID).workload == "spiffe://bank.test/agent/indexer"
    assert svid(SVID | {"aud": AUDIENCE}).issuer == "bank.test"
    assert build(BUILD).workload == "https://build.test#repo:org/name:ref:refs/heads/main"
    assert cluster(CLUSTER).subject == "system:serviceaccount:agents:indexer"
    known = assertion(ASSERTION)
    assert (known.method, known.workload, known.jti) == (Method.CLIENT, CLIENT_ID, "a-1")


@every
@pytest.mark.parametrize(
    ("changed", "check"),
    [
        ({"aud": []}, Check.AUDIENCE),
        ({"aud": ["https://other.test"]}, Check.AUDIENCE),
        ({"aud": [AUDIENCE, "https://other.test"]}, Check.AUDIENCE),
        ({"aud": [TOKEN_ENDPOINT, "https://site.test"]}, Check.AUDIENCE),
        ({"aud": {"x": 1}}, Check.AUDIENCE),
        ({"aud": f"{AUDIENCE}/"}, Check.AUDIENCE),
        ({"exp": NOW - 61}, Check.EXPIRED),
        ({"exp": NOW - 60}, Check.EXPIRED),
        ({"exp": None}, Check.EXPIRED),
        ({"exp": "9999999999"}, Check.EXPIRED),
        ({"exp": 1e300}, Check.EXPIRED),
        ({"exp": NOW + 86_400}, Check.LIFETIME),
        ({"exp": NOW + 3_601}, Check.LIFETIME),
        ({"iat": NOW - 86_400}, Check.LIFETIME),
        ({"iat": NOW + 61}, Check.ISSUED),
        ({"iat": None}, Check.ISSUED),
        ({"nbf": NOW + 61}, Check.EARLY),
        ({"nbf": []}, Check.EARLY),
        ({"sub": ""}, Check.SUBJECT),
        ({"sub": 7}, Check.SUBJECT),
        ({"sub": "x" * 4_000}, Check.SUBJECT),
        ({"jti": "a\nb"}, Check.IDENTIFIER),
    ],
)
def test_an_identity_for_others_too_long_or_at_another_time_is_refused(
    read: Callable[..., Identity], good: dict[str, Any], changed: dict[str, Any], check: Check
) -> None:
    """The rules of this site: one audience, an hour at most; attack 4 (SV-N01 to N06)."""
    assert refused(read, good | changed) is check


@every
def test_a_clock_that_is_less_than_a_minute_off_is_borne(read: Callable[..., Identity], good: dict[str, Any]) -> None:
    assert read(good | {"exp": NOW - 59, "iat": NOW - 200}).expires == NOW - 59
    assert read(good | {"iat": NOW + 60, "nbf": NOW + 60}).expires == good["exp"]


@every
@pytest.mark.parametrize(
    ("changed", "check"),
    [
        ({"alg": "none"}, Check.ALGORITHM),
        ({"alg": "HS256"}, Check.ALGORITHM),
        ({"alg": "PS256"}, Check.ALGORITHM),
        ({"typ": "at+jwt"}, Check.TYPE),
        ({"typ": "dpop+jwt"}, Check.TYPE),
        ({"typ": None}, Check.TYPE),
        ({"kid": "k-2"}, Check.KEY_UNKNOWN),
        ({"kid": "k" * 129}, Check.HEADER),
        ({"jku": "https://evil.test/k"}, Check.HEADER),
        ({"x5u": "https://evil.test/k"}, Check.HEADER),
        ({"jwk": shown(JOB)}, Check.HEADER),
        ({"crit": ["exp"]}, Check.HEADER),
    ],
)
def test_a_header_that_names_another_way_to_check_is_refused(
    read: Callable[..., Identity], good: dict[str, Any], changed: dict[str, Any], check: Check
) -> None:
    """Attack 9: no key from the token, no algorithm of its choice."""
    assert refused(read, good, changed) is check


@every
def test_an_identity_by_another_key_is_refused(read: Callable[..., Identity], good: dict[str, Any]) -> None:
    """Attack 7 as well: the key of one holder signs for no other (SV-N08 to N10)."""
    assert refused(read, good, {"alg": "Ed25519"}, key=JOB) is Check.SIGNATURE


@pytest.mark.parametrize(
    ("subject", "check"),
    [
        ("spiffe://bank.test", Check.SUBJECT),
        ("spiffe://bank.test/", Check.SUBJECT),
        ("spiffe://bank.test/agent/", Check.SUBJECT),
        ("spiffe://bank.test//agent/x", Check.SUBJECT),
        ("spiffe://bank.test/agent/../root", Check.SUBJECT),
        ("spiffe://bank.test/agent/./x", Check.SUBJECT),
        ("spiffe://bank.test/agent/..", Check.SUBJECT),
        ("spiffe://bank.test/ns/./sa/x", Check.SUBJECT),
        ("spiffe://bank.test/agent/%2e%2e", Check.SUBJECT),
        ("spiffe://bank.test/agent/x?y", Check.SUBJECT),
        ("spiffe://bank.test/agent/x#y", Check.SUBJECT),
        ("spiffe://bank.test:443/agent/x", Check.SUBJECT),
        ("spiffe://a@bank.test/agent/x", Check.SUBJECT),
        ("spiffe://BANK.test/agent/x", Check.SUBJECT),
        ("SPIFFE://bank.test/agent/x", Check.SUBJECT),
        ("https://bank.test/agent/x", Check.SUBJECT),
        ("spiffe://bank.test/agent/x\n", Check.SUBJECT),
        ("spiffe://b\u0430nk.test/agent/x", Check.SUBJECT),
        ("spiffe://bank.test/other/x", Check.SUBJECT),
        ("spiffe://bank.test/agent/x/y", Check.SUBJECT),
        ("spiffe://evil.test/agent/x", Check.ISSUER),
        ("spiffe://other.test/agent", Check.SIGNATURE),
    ],
)
def test_a_workload_outside_what_the_operator_allows_is_refused(subject: str, check: Check) -> None:
    """SV-N07, N08, N13, N14, N16: a trust domain in small letters, a plain path, a pattern that covers it."""
    assert refused(svid, SVID | {"sub": subject}) is check


def test_a_workload_names_no_type_or_one_of_two() -> None:
    assert svid(SVID, {"typ": "JOSE"}).jti is None
    assert (
        read_svid(sign({"alg": "ES256", "kid": "k-1"}, SVID, DOMAIN_KEY), DOMAINS, AUDIENCE, NOW).expires == NOW + 300
    )


def test_a_workload_without_a_moment_of_issue_is_held_to_what_is_left() -> None:
    bare = without(SVID, "iat")
    assert svid(bare | {"exp": NOW + 3_600}).expires == NOW + 3_600
    assert refused(svid, bare | {"exp": NOW + 3_601}) is Check.LIFETIME


def test_a_platform_signs_by_what_the_operator_allows_it_and_only_for_itself() -> None:
    """RS256 is for the cluster alone; a key of one platform signs nothing of another."""
    assert refused(build, BUILD, {"alg": "RS256"}, key=CLUSTER_KEY) is Check.ALGORITHM
    assert refused(build, BUILD | {"iss": "https://cluster.test"}) is Check.SIGNATURE
    assert refused(build, BUILD | {"iss": "https://build.test/"}) is Check.ISSUER
    assert refused(build, without(BUILD, "iss")) is Check.ISSUER
    assert refused(build, BUILD | {"sub": "repo:org/name:ref:refs/heads/main2"}) is Check.SUBJECT
    assert refused(cluster, CLUSTER | {"sub": "system:serviceaccount:agents:a:b"}) is Check.SUBJECT
    with pytest.raises(IdentityInvalidError):
        read_platform(sign(header("Ed25519"), BUILD, BUILD_KEY), {}, AUDIENCE, NOW)


@pytest.mark.parametrize(
    ("changed", "check"),
    [
        ({"iss": "https://other.test/client.json"}, Check.SUBJECT),
        ({"sub": "https://other.test/client.json"}, Check.SUBJECT),
        ({"exp": NOW + 301}, Check.LIFETIME),
        ({"jti": None}, Check.IDENTIFIER),
    ],
)
def test_a_client_speaks_for_itself_five_minutes_at_most(changed: dict[str, Any], check: Check) -> None:
    assert refused(assertion, ASSERTION | changed) is check


def test_a_client_names_its_assertion_so_that_it_is_used_once() -> None:
    assert refused(assertion, without(ASSERTION, "jti")) is Check.IDENTIFIER
    assert assertion(ASSERTION, {"typ": "client-authentication+jwt"}).jti == "a-1"


@pytest.mark.parametrize("pattern", ["spiffe://bank.test/**", "*:*:*:*", "repo:*-*"])
def test_a_pattern_that_would_cover_too_much_is_told_at_once(pattern: str) -> None:
    with pytest.raises(ValueError, match="stars"):
        Subjects((pattern,))


def test_a_pattern_means_its_own_signs() -> None:
    assert Subjects(("a.c",)).match("a.c")
    assert not Subjects(("a.c",)).match("abc")
    assert not Subjects(("a/*",)).match("a/")
    assert not Subjects(()).match("a")
