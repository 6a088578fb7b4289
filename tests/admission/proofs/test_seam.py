"""What is proven is what the edge decides about: the same words, the same path, a key that its store takes."""

from __future__ import annotations

from urllib.parse import unquote

from hypothesis import example, given
from hypothesis import strategies as st

from admission import edge
from admission.operations import Operation, decoded
from admission.proofs.addresses import normal_path
from admission.proofs.calls import prove
from admission.proofs.dpop import KEPT
from admission.proofs.exceptions import Reason
from tests.admission.proofs.made import ISSUER, NOW, SITE, call, grant, proof, proof_claims
from throttling.work import Access


def test_every_reason_of_a_call_is_one_that_the_edge_tells() -> None:
    """Who somebody is, is proven before there is a contract; that reason is of the token endpoint."""
    assert {reason.value for reason in Reason} - {reason.value for reason in edge.Reason} == {
        Reason.IDENTITY_INVALID.value
    }


@given(st.text("/%.\\;+:2eEfF5cCazA0\u00e9 ", max_size=24).map("/".__add__))
@example("/zoeken/%7e")
@example("/document/a%20b")
@example("/document/a+b")
def test_a_path_that_is_proven_is_the_path_that_the_registry_reads_or_none(path: str) -> None:
    """Attack 10: one request is never proven as one path and classified as another."""
    form = normal_path(path)
    if form is not None:
        assert decoded(path) == decoded(form)
        assert decoded(form) in {None, unquote(form)}


def test_what_is_proven_can_be_asked_of_the_edge_as_it_is() -> None:
    token = ISSUER.mint(grant(), jti="tok-1", now=NOW)
    proven = prove(call(token, proof(proof_claims(token))), Access.READ, SITE, ISSUER, NOW)
    ask = edge.Ask(
        contract=proven.token.grant.contract,
        token=proven.token.jti,
        proof=proven.replay_key,
        operation=Operation("search", Access.READ),
        token_class=proven.token.grant.token_class,
        resource=proven.proof.target.path,
        request="r-1",
    )
    assert ask.proof not in {token, proven.proof.jti}
    assert proven.proof.expires - proven.proof.issued == KEPT // 2
