"""What a request brings along to prove itself: one ``Authorization: DPoP …`` and one ``DPoP``, each once, sizes first."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from admission.proofs.exceptions import Check, ProofInvalidError, RefusedError, TokenInvalidError, TokenRequiredError

MOST_TOKEN: Final = 4_096
MOST_PROOF: Final = 4_096
"""Bytes of each header (attack 20 of the study); more is refused unread."""
SCHEME: Final = "dpop"
_COMPACT: Final = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*", re.ASCII)
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9-]{0,31}) ([^ ]+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Credentials:
    """A token with the proof of its key, unread. Neither is ever shown."""

    token: str = field(repr=False)
    proof: str = field(repr=False)


def credentials(headers: Iterable[tuple[bytes, bytes]]) -> Credentials | None:
    """What a request brings; ``None`` when it brings nothing, and is anonymous. Header names in small letters (ASGI).

    What is there but bad is refused and never taken for nothing: whoever sends it must learn of it. Raises
    ``TokenInvalidError`` (twice, too large, another scheme than DPoP: a plain Bearer proves no key), ``ProofInvalidError``
    (missing, twice, too large), ``TokenRequiredError`` (a proof without a token).
    """
    found = list(headers)
    proof = _once(found, b"dpop", MOST_PROOF, ProofInvalidError)
    sent = _once(found, b"authorization", MOST_TOKEN, TokenInvalidError)
    if sent is None:
        if proof is None:
            return None
        raise TokenRequiredError(Check.MISSING)
    scheme = _SCHEME.fullmatch(sent)
    if scheme is None or scheme[1].lower() != SCHEME:
        raise TokenInvalidError(Check.SCHEME)
    if not _COMPACT.fullmatch(scheme[2]):
        raise TokenInvalidError(Check.FORM)
    if proof is None:
        raise ProofInvalidError(Check.MISSING)
    return Credentials(scheme[2], _compact(proof))


def proof_alone(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """The proof of a request for a contract or a token, which has none yet.

    Raises ``ProofInvalidError`` without exactly one proof, ``TokenInvalidError`` when something stands in ``Authorization``.
    """
    found = list(headers)
    proof = _once(found, b"dpop", MOST_PROOF, ProofInvalidError)
    if _once(found, b"authorization", MOST_TOKEN, TokenInvalidError) is not None:
        raise TokenInvalidError(Check.SCHEME)
    if proof is None:
        raise ProofInvalidError(Check.MISSING)
    return _compact(proof)


def _compact(proof: str) -> str:
    if not _COMPACT.fullmatch(proof):
        raise ProofInvalidError(Check.FORM)
    return proof


def _once(headers: list[tuple[bytes, bytes]], name: bytes, most: int, failure: type[RefusedError]) -> str | None:
    values = [value for sent, value in headers if sent == name]
    if len(values) > 1:
        raise failure(Check.MULTIPLE)
    if not values:
        return None
    if len(values[0]) > most:
        raise failure(Check.SIZE)
    return values[0].decode("latin-1")
