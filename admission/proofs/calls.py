"""One call to a route that needs a contract, read from the cheapest check to the dearest: nothing here asks a store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from admission.proofs.addresses import PublicAddress
from admission.proofs.credentials import credentials
from admission.proofs.dpop import Proof, check_proof
from admission.proofs.exceptions import Check, ClassMismatchError, TokenRequiredError
from admission.proofs.tokens import AccessToken
from throttling.work import Access


@dataclass(frozen=True, slots=True)
class Call:
    """A request as the server hands it over (ASGI): ``path`` as sent, without query; header names in small letters."""

    method: str
    path: bytes
    headers: Sequence[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class Proven:
    """A call that proves its key, its contract and its class. ``replay_key``: under which the edge remembers its proof."""

    token: AccessToken
    proof: Proof
    replay_key: str


class Reads(Protocol):
    """Who reads our tokens (``Issuer``)."""

    def read(self, token: str, now: float) -> AccessToken:
        """A token that holds now. Raises ``TokenInvalidError``."""
        ...


def prove(call: Call, needed: Access | None, site: PublicAddress, reader: Reads, now: float) -> Proven:
    """What a call proves.

    ``needed``: the class of the operation it asks for, from the registry of operations; None where only its body says what it
    asks: a body is read of nobody who proves nothing. Left to the store of the edge: whether the proof was used before, the
    contract still holds, and its scope covers the path. Raises ``RefusedError``, in its kinds.
    """
    target = site.target(call.method, call.path, call.headers)
    brought = credentials(call.headers)
    if brought is None:
        raise TokenRequiredError(Check.MISSING)
    token = reader.read(brought.token, now)
    if needed is not None and token.grant.token_class is not needed:
        raise ClassMismatchError(Check.CLASS)
    proof = check_proof(brought.proof, target, now, token=brought.token, jkt=token.grant.jkt)
    return Proven(token, proof, proof.replay_key(token.grant.contract))
