"""The proof of a key with every request (DPoP, RFC 9449): this key, this method, this address, now, and with this token."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from admission.proofs import claims, strict
from admission.proofs.addresses import MOST_ADDRESS, Target, normal_address
from admission.proofs.compact import Use, check_signature, read, read_header
from admission.proofs.credentials import MOST_PROOF
from admission.proofs.exceptions import Check, ProofInvalidError
from admission.proofs.keys import STRONG, PublicKey, UnusableKeyError, public_key

WINDOW: Final = 60
"""How many seconds the moment of a proof may lie from ours, on both sides."""
KEPT: Final = 2 * WINDOW + 1
"""How many seconds a proof must be remembered after it was first seen: as long as it can be within its window."""
MOST_JTI: Final = 128
_REMEMBERED: Final = 1024
_USE: Final = Use(ProofInvalidError, frozenset({"dpop+jwt"}), frozenset({"typ", "alg", "jwk"}), STRONG, MOST_PROOF)


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof that holds. ``jkt``: the thumbprint of its key; ``issued``: when its holder made it, by its own clock.

    ``expires``: when it falls out of its window.
    """

    jkt: str
    jti: str
    issued: float
    expires: float
    target: Target

    def replay_key(self, contract: str = "") -> str:
        """Under which this proof is remembered, ``KEPT`` seconds: 43 signs, of which nothing can be read back.

        Per contract (none yet: empty), key, method and address in their one form: whoever sends the same proof in another
        spelling meets it again, and nobody can use up the ``jti`` of somebody else (attacks 1 and 14 of the study).
        """
        parts = (contract, self.jkt, self.target.method, self.target.address, self.jti)
        framed = b"".join(len(part).to_bytes(4, "big") + part for part in map(str.encode, parts))
        return strict.encode(hashlib.sha256(framed).digest())


def token_hash(token: str) -> str:
    """The ``ath`` of a token (RFC 9449, section 4.2)."""
    return strict.encode(hashlib.sha256(token.encode()).digest())


def check_proof(proof: str, target: Target, now: float, *, token: str | None = None, jkt: str | None = None) -> Proof:
    """Read one proof for the request that is ``target``. Whether it was used before only the store of the edge can tell.

    ``token``: the token that comes along, which the proof must name. ``jkt``: the key that the token or the contract is
    bound to; ``None`` where a key is first shown. Raises ``ProofInvalidError``.
    """
    signed = read(proof, _USE)
    key = _key(signed.message.partition(b".")[0])
    if jkt is not None and not hmac.compare_digest(key.thumbprint, jkt):
        raise ProofInvalidError(Check.KEY_OTHER)
    check_signature(signed, key, _USE)
    jti = claims.text(signed.claims, "jti", MOST_JTI)
    if jti is None:
        raise ProofInvalidError(Check.IDENTIFIER)
    if signed.claims.get("htm") != target.method:
        raise ProofInvalidError(Check.METHOD)
    address = claims.text(signed.claims, "htu", MOST_ADDRESS) or ""
    if address != target.address and normal_address(address) != target.address:  # most write it in its one form
        raise ProofInvalidError(Check.ADDRESS)
    issued = claims.moment(signed.claims, "iat")
    if issued is None or abs(now - issued) > WINDOW:
        raise ProofInvalidError(Check.ISSUED)
    if "exp" in signed.claims and now >= (claims.moment(signed.claims, "exp") or 0):
        raise ProofInvalidError(Check.EXPIRED)
    if token is not None:
        named = claims.text(signed.claims, "ath") or ""
        if not hmac.compare_digest(named, token_hash(token)):
            raise ProofInvalidError(Check.TOKEN_HASH)
    return Proof(key.thumbprint, jti, issued, issued + WINDOW, target)


@lru_cache(_REMEMBERED)
def _key(header: bytes) -> PublicKey:
    """The key in a header that was read. Whoever comes again brings the same one. Raises ``ProofInvalidError``."""
    failed = None
    try:
        return public_key(read_header(header.decode("ascii"), _USE)[0].get("jwk"))
    except UnusableKeyError as failure:
        failed = failure.check
    raise ProofInvalidError(failed)
