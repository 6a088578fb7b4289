"""The keys that this site signs its tokens with, one after another. An old one is read for a while after a new one began."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from joserfc.errors import JoseError
from joserfc.jwk import ECKey, OKPKey
from joserfc.jws import JWSRegistry

from admission.proofs import strict
from admission.proofs.exceptions import Check
from admission.proofs.keys import Algorithm, PublicKey, UnusableKeyError, public_key

LONGEST_TOKEN: Final = 300
OVERLAP: Final = 2 * LONGEST_TOKEN
"""How many seconds a key is read after its successor began: twice the longest life of a token (attack 5 of the study)."""
_SIGNED: Final = {"OKP": Algorithm.ED25519, "EC": Algorithm.ES256}
_REGISTRY: Final = JWSRegistry(algorithms=["Ed25519", "ES256"])


@dataclass(frozen=True, slots=True)
class OwnKey:
    """One key of ours. It signs from ``starts`` (seconds since 1970) until the next one does; before that it is only told.

    Without its private part (``None``) it is only read: for a place that checks tokens and mints none.
    """

    public: PublicKey
    starts: float
    private: OKPKey | ECKey | None = field(repr=False, compare=False)

    @property
    def kid(self) -> str:
        """Its name in tokens: its thumbprint, so that no two keys share one."""
        return self.public.thumbprint

    @property
    def algorithm(self) -> Algorithm:
        """What it signs by."""
        return _SIGNED[self.public.kind]

    def sign(self, message: bytes) -> bytes:
        """The signature over ``message``. Raises ``LookupError`` for a key that is only read."""
        if self.private is None:
            told = "this key is only read"
            raise LookupError(told)
        return bytes(_REGISTRY.get_alg(self.algorithm.value).sign(message, self.private))


def own_key(jwk: Mapping[str, str], starts: float) -> OwnKey:
    """From a JWK (Ed25519 or P-256), with its private part or without.

    Raises ``UnusableKeyError`` for another kind, and for parts of two keys.
    """
    kind = jwk.get("kty")
    if kind not in _SIGNED:
        raise UnusableKeyError(Check.KEY)
    public = public_key({name: value for name, value in jwk.items() if name != "d"})
    if "d" not in jwk:
        return OwnKey(public, starts, None)
    reader: type[OKPKey | ECKey] = OKPKey if kind == "OKP" else ECKey
    own = None
    try:
        own = OwnKey(public, starts, reader.import_key(dict(jwk)))
        fits = public.signed(b"", own.sign(b""), own.algorithm)
    except (JoseError, ValueError):
        fits = False
    if own is None or not fits:
        raise UnusableKeyError(Check.KEY)
    return own


@dataclass(frozen=True, slots=True)
class Keyring:
    """All keys of ours that are told, used or still read."""

    keys: tuple[OwnKey, ...]

    def signer(self, now: float) -> OwnKey | None:
        """The key that signs now; ``None`` when none has begun."""
        begun = [key for key in self.keys if key.starts <= now and key.private is not None]
        return max(begun, key=lambda key: key.starts, default=None)

    def find(self, kid: str | None, now: float) -> PublicKey | None:
        """The key of a token, when a key of that name is read now."""
        return next((key.public for key in self._read(now) if key.kid == kid), None)

    def document(self, now: float) -> dict[str, list[dict[str, Any]]]:
        """The public set for others (RFC 7517): with the key that is to come, without those that are over."""
        return {"keys": [_shown(key) for key in self._read(now)]}

    def _read(self, now: float) -> list[OwnKey]:
        return [key for key in self.keys if now < self._over(key)]

    def _over(self, key: OwnKey) -> float:
        later = [other.starts for other in self.keys if other.starts > key.starts]
        return min(later, default=float("inf")) + OVERLAP


def _shown(key: OwnKey) -> dict[str, Any]:
    bare = key.public.key.as_dict(private=False)
    parts = {name: bare[name] for name in ("kty", "crv", "x", "y") if name in bare}
    return parts | {"kid": key.kid, "alg": key.algorithm.value, "use": "sig"}


def signed_compact(header: Mapping[str, Any], body: bytes, key: OwnKey) -> str:
    """A token in its compact form; ``header`` and ``body`` as bytes of JSON are the caller's."""
    message = f"{strict.encode(strict.dump(header))}.{strict.encode(body)}"
    return f"{message}.{strict.encode(key.sign(message.encode('ascii')))}"
