"""Whatever is sent is read or refused by name: no other failure, nothing of it kept or shown, and no memory to speak of."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admission.proofs import strict
from admission.proofs.calls import Call, Proven, prove
from admission.proofs.compact import read as read_compact
from admission.proofs.credentials import credentials, proof_alone
from admission.proofs.dpop import _USE as PROOF
from admission.proofs.dpop import check_proof, token_hash
from admission.proofs.exceptions import Check, ClassMismatchError, Reason, RefusedError, TokenRequiredError
from admission.proofs.identities import (
    Client,
    Platform,
    Subjects,
    TrustDomain,
    read_assertion,
    read_platform,
    read_svid,
)
from admission.proofs.keys import SVID_USE, UnusableKeyError, key_set, public_key
from tests.admission.proofs.made import (
    ISSUER,
    JOB,
    NOW,
    OURS,
    SITE,
    call,
    ed25519,
    grant,
    proof,
    proof_claims,
    shown,
    sign,
    target,
)
from throttling.work import Access

KEYS = key_set(json.dumps({"keys": [shown(JOB, kid="k")]}).encode())
BUNDLE = key_set(json.dumps({"keys": [shown(JOB, kid="k", use=SVID_USE)]}).encode(), use=SVID_USE)
DOMAINS = {"bank.test": TrustDomain(name="bank.test", keys=BUNDLE, subjects=Subjects(("spiffe://*/*",)))}
PLATFORMS = {"i": Platform(issuer="i", keys=KEYS, subjects=Subjects(("*",)))}
CLIENT = Client(client_id="c", keys=KEYS)
READERS: dict[str, Callable[[str], Any]] = {
    "proof": lambda sent: check_proof(sent, target(), NOW, token="a.b.c", jkt=JOB.thumbprint()),
    "token": lambda sent: ISSUER.read(sent, NOW),
    "svid": lambda sent: read_svid(sent, DOMAINS, "a", NOW),
    "platform": lambda sent: read_platform(sent, PLATFORMS, "a", NOW),
    "assertion": lambda sent: read_assertion(sent, CLIENT, frozenset({"a"}), NOW),
}
TYPES = {"proof": "dpop+jwt", "token": "at+jwt", "svid": "JWT", "platform": "JWT", "assertion": "JWT"}
NAMES = [
    *("typ", "alg", "kid", "jwk", "jku", "x5u", "crit", "kty", "crv", "x", "y", "d", "use"),
    *(
        "iss",
        "sub",
        "aud",
        "exp",
        "iat",
        "nbf",
        "jti",
        "htm",
        "htu",
        "ath",
        "cnf",
        "ctr",
        "rh",
        "opc",
        "scope",
        "client_id",
        "apr",
    ),
]
BULKY = 16_384
readers = pytest.mark.parametrize("kind", sorted(READERS))
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(
        ["Ed25519", "ES256", "dpop+jwt", "at+jwt", "https://site.test/zoeken", "spiffe://bank.test/a", NOW]
    ),
    lambda inside: (
        st.lists(inside, max_size=3) | st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=4), inside, max_size=4)
    ),
    max_leaves=8,
)
members = st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=6), values, max_size=8)


def outcome(read: Callable[[], object]) -> RefusedError | None:
    """What was refused; anything but a refusal by name fails the test that asks."""
    caught = None
    try:
        read()
    except RefusedError as refused:
        caught = refused.with_traceback(None)  # its frames would be kept until the next collection
    if caught is not None:
        assert (caught.__context__, caught.__cause__, caught.args) == (None, None, (caught.reason.value,))
        assert isinstance(caught.check, Check)
        assert caught.reason in Reason
    return caught


def unusable(read: Callable[[], object]) -> UnusableKeyError | None:
    """As ``outcome``, of keys that an operator or a client gives."""
    caught = None
    try:
        read()
    except UnusableKeyError as refused:
        caught = refused
    assert caught is None or caught.__context__ is None
    return caught


def good(kind: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Header and claims that hold for this reader."""
    header = {"typ": TYPES[kind], "alg": "Ed25519"}
    whole = {"iss": "i", "sub": "s", "aud": "a", "exp": NOW + 60, "iat": NOW, "jti": "j"}
    if kind == "proof":
        return header | {"jwk": shown(JOB)}, proof_claims("a.b.c")
    if kind == "token":
        return header | {"kid": OURS.kid}, members_of(ISSUER.mint(grant(), jti="t", now=NOW))
    changed = {"svid": {"sub": "spiffe://bank.test/a"}, "assertion": {"iss": "c", "sub": "c"}}
    return header | {"kid": "k"}, whole | changed.get(kind, {})


def members_of(token: str) -> dict[str, Any]:
    return strict.members(strict.decode(token.split(".")[1]) or b"") or {}


def signed(kind: str, header: Any, claims: Any) -> str:
    return sign(header, claims, ed25519("the site") if kind == "token" else JOB)


@readers
@given(sent=st.text(max_size=200) | st.binary(max_size=200).map(lambda data: data.decode("latin-1")))
def test_any_text_is_refused_by_name(kind: str, sent: str) -> None:
    assert outcome(lambda: READERS[kind](sent)) is not None


@readers
@given(header=members, claims=members)
def test_a_signed_token_of_any_members_is_refused_by_name_or_holds(
    kind: str, header: dict[str, Any], claims: dict[str, Any]
) -> None:
    """Attack 9: whoever holds a key may sign what they like."""
    base, told = good(kind)
    sent = signed(kind, json_bytes(base | header), json_bytes(told | claims))
    outcome(lambda: READERS[kind](sent))
    outcome(lambda: READERS[kind](signed(kind, json_bytes(header), json_bytes(claims))))


def json_bytes(value: Any) -> bytes:
    return json.dumps(value).encode("utf-8", "surrogatepass")


@readers
@given(data=st.data())
def test_a_good_token_with_any_sign_changed_is_refused(kind: str, data: st.DataObject) -> None:
    whole = signed(kind, *good(kind))
    READERS[kind](whole)
    place = data.draw(st.integers(0, len(whole) - 1))
    other = data.draw(st.characters(codec="utf-8").filter(lambda sign: sign != whole[place]))
    assert outcome(lambda: READERS[kind](whole[:place] + other + whole[place + 1 :])) is not None


@given(
    st.lists(
        st.tuples(
            st.sampled_from([b"authorization", b"dpop", b"host"]) | st.binary(max_size=12),
            st.binary(max_size=60) | st.sampled_from([b"DPoP a.b.c", b"a.b.c", b"Bearer x"]),
        ),
        max_size=6,
    ),
    st.text(max_size=8) | st.sampled_from(["GET", "POST"]),
    st.binary(max_size=40) | st.just(b"/zoeken"),
)
def test_any_request_is_refused_by_name(headers: list[tuple[bytes, bytes]], method: str, path: bytes) -> None:
    assert outcome(lambda: prove(Call(method, path, headers), Access.READ, SITE, ISSUER, NOW)) is not None
    outcome(lambda: credentials(headers))
    outcome(lambda: proof_alone(headers))


@given(values)
def test_anything_is_a_key_or_is_none(value: Any) -> None:
    unusable(lambda: public_key(value))


@given(
    st.binary(max_size=200) | members.map(lambda value: json.dumps({"keys": [value]}).encode("utf-8", "surrogatepass"))
)
def test_anything_is_a_set_of_keys_or_is_none(document: bytes) -> None:
    unusable(lambda: key_set(document))


@readers
@pytest.mark.parametrize(
    "junk", ["a" * BULKY, "\u00e9" * BULKY, "{" * BULKY, "%2e/" * (BULKY // 4), ".".join("abc") * BULKY]
)
def test_16_kb_of_junk_in_any_field_is_refused_in_little_memory(kind: str, junk: str) -> None:
    """Bad input: every member of header and claims, the parts of a token, and the whole of it. Attack 20: sizes first."""
    base, told = good(kind)
    sent = [junk, f"{junk}.{junk}.{junk}", f"DPoP {junk}"]
    sent += [signed(kind, base | {name: junk}, told) for name in NAMES]
    sent += [signed(kind, base, told | {name: junk}) for name in NAMES]
    sent += [signed(kind, base, told | {junk: 1}), signed(kind, base, told | {"aud": [junk]})]
    sent += [f"{signed(kind, base, told)}{junk}"]
    READERS[kind](signed(kind, base, told))
    tracemalloc.start()
    try:
        for one in sent:
            assert outcome(partial(READERS[kind], one)) is not None
        assert tracemalloc.get_traced_memory()[1] < 4 * BULKY
    finally:
        tracemalloc.stop()


def test_16_kb_of_junk_in_any_header_method_or_path_is_refused_in_little_memory() -> None:
    junk = b"/%2e" * (BULKY // 4)
    requests = [
        Call("GET", junk, []),
        Call("GET", b"/" + b"a" * BULKY, []),
        Call(junk.decode(), b"/zoeken", []),
        Call("GET", b"/zoeken", [(b"authorization", junk)]),
        Call("GET", b"/zoeken", [(b"dpop", junk)]),
        Call("GET", b"/zoeken", [(b"authorization", b"DPoP a.b.c"), (b"dpop", junk)]),
        Call("GET", b"/zoeken", [(junk, junk)]),
        Call("GET", b"/zoeken", [(b"dpop", b"a.b.c")] * 1_000),
    ]
    tracemalloc.start()
    try:
        for request in requests:
            assert outcome(partial(prove, request, Access.READ, SITE, ISSUER, NOW)) is not None
        assert tracemalloc.get_traced_memory()[1] < 4 * BULKY
    finally:
        tracemalloc.stop()


def proven(method: str = "GET", path: bytes = b"/zoeken", token_class: Access = Access.READ) -> Proven:
    token = ISSUER.mint(grant(), jti="t", now=NOW)
    sent = proof(proof_claims(token, method, f"https://site.test{path.decode()}"))
    return prove(call(token, sent, method, path), token_class, SITE, ISSUER, NOW)


def test_a_call_with_all_that_it_needs_is_proven_and_the_checks_come_cheapest_first() -> None:
    """Attack 10 (DP-N01, N02): the class is looked at before the proof; a request that cannot be read, before all else."""
    call_proven = proven()
    assert call_proven.replay_key == call_proven.proof.replay_key("ctr_7Q2M4KX3")
    assert token_hash("a.b.c") != token_hash("a.b.d")
    with pytest.raises(ClassMismatchError) as refused:
        proven(token_class=Access.WRITE)
    assert refused.value.check is Check.CLASS
    with pytest.raises(TokenRequiredError):
        prove(Call("GET", b"/zoeken", []), Access.READ, SITE, ISSUER, NOW)


def test_a_token_is_read_as_what_it_is_used_for_and_nothing_else() -> None:
    """Attack 9: one use's token is refused by every other use (DP-N25, N26)."""
    for kind in READERS:
        whole = signed(kind, *good(kind))
        assert [name for name in READERS if outcome(partial(READERS[name], whole)) is None] == [kind]
    assert read_compact(proof(), PROOF).kid is None
