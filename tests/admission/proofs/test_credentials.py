"""What a request brings: one token with one proof, nothing at all, or something that is refused."""

from __future__ import annotations

import pytest

from admission.proofs.credentials import MOST_PROOF, MOST_TOKEN, Credentials, credentials, proof_alone
from admission.proofs.exceptions import Check, ProofInvalidError, RefusedError, TokenInvalidError, TokenRequiredError

TOKEN = (b"authorization", b"DPoP a.b.c")
PROOF = (b"dpop", b"d.e.f")
Headers = list[tuple[bytes, bytes]]


@pytest.mark.parametrize("scheme", [b"DPoP", b"dpop", b"DPOP"])
def test_a_token_with_its_proof_is_read(scheme: bytes) -> None:
    assert credentials([(b"host", b"x"), (b"authorization", scheme + b" a.b.c"), PROOF]) == Credentials(
        "a.b.c", "d.e.f"
    )


def test_a_request_that_brings_nothing_is_anonymous() -> None:
    assert credentials([(b"host", b"site.test"), (b"cookie", b"a=b")]) is None


@pytest.mark.parametrize(
    ("headers", "failure", "check"),
    [
        ([TOKEN, TOKEN, PROOF], TokenInvalidError, Check.MULTIPLE),
        ([TOKEN, (b"authorization", b"Bearer x"), PROOF], TokenInvalidError, Check.MULTIPLE),
        ([TOKEN, PROOF, PROOF], ProofInvalidError, Check.MULTIPLE),
        ([TOKEN, (b"dpop", b"d.e.f, d.e.f")], ProofInvalidError, Check.FORM),
        ([(b"authorization", b"DPoP a.b.c, DPoP a.b.c"), PROOF], TokenInvalidError, Check.SCHEME),
        ([(b"authorization", b"Bearer a.b.c"), PROOF], TokenInvalidError, Check.SCHEME),
        ([(b"authorization", b"Bearer a.b.c")], TokenInvalidError, Check.SCHEME),
        ([(b"authorization", b"Basic YTpi"), PROOF], TokenInvalidError, Check.SCHEME),
        ([(b"authorization", b""), PROOF], TokenInvalidError, Check.SCHEME),
        ([(b"authorization", b"a.b.c"), PROOF], TokenInvalidError, Check.SCHEME),
        ([(b"authorization", b"DPoP  a.b.c"), PROOF], TokenInvalidError, Check.SCHEME),
        ([(b"authorization", b"DPoP\ta.b.c"), PROOF], TokenInvalidError, Check.SCHEME),
        ([(b"authorization", b"DPoP a.b.c\n"), PROOF], TokenInvalidError, Check.FORM),
        ([(b"authorization", b"DPoP a.b"), PROOF], TokenInvalidError, Check.FORM),
        ([(b"authorization", b"DPoP a.b.c.d.e"), PROOF], TokenInvalidError, Check.FORM),
        ([(b"authorization", "DPoP a.b.\u00e9".encode()), PROOF], TokenInvalidError, Check.FORM),
        ([(b"authorization", b"DPoP a.b." + b"c" * MOST_TOKEN), PROOF], TokenInvalidError, Check.SIZE),
        ([TOKEN, (b"dpop", b"d.e." + b"f" * MOST_PROOF)], ProofInvalidError, Check.SIZE),
        ([TOKEN, (b"dpop", b"")], ProofInvalidError, Check.FORM),
        ([TOKEN], ProofInvalidError, Check.MISSING),
        ([PROOF], TokenRequiredError, Check.MISSING),
    ],
)
def test_what_is_there_but_bad_is_refused_and_not_taken_for_nothing(
    headers: Headers, failure: type[RefusedError], check: Check
) -> None:
    """Attacks 2 (a bound token as a plain Bearer, DP-N03 and N04), 9 (DP-N22, N37) and 20 (sizes first)."""
    with pytest.raises(failure) as refused:
        credentials(headers)
    assert refused.value.check is check


def test_a_request_for_a_contract_brings_a_proof_alone() -> None:
    assert proof_alone([PROOF]) == "d.e.f"


@pytest.mark.parametrize(
    ("headers", "failure", "check"),
    [
        ([], ProofInvalidError, Check.MISSING),
        ([PROOF, PROOF], ProofInvalidError, Check.MULTIPLE),
        ([(b"dpop", b"x")], ProofInvalidError, Check.FORM),
        ([TOKEN, PROOF], TokenInvalidError, Check.SCHEME),
        ([(b"authorization", b"Basic YTpi"), PROOF], TokenInvalidError, Check.SCHEME),
    ],
)
def test_a_request_for_a_contract_without_exactly_one_proof_is_refused(
    headers: Headers, failure: type[RefusedError], check: Check
) -> None:
    with pytest.raises(failure) as refused:
        proof_alone(headers)
    assert refused.value.check is check


def test_what_was_brought_is_never_shown() -> None:
    assert repr(Credentials("geheim", "bewijs")) == "Credentials()"
