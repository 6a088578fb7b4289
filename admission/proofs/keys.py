"""Public keys of others: Ed25519 and P-256, for platforms RSA as well; their thumbprints, and the sets they come in.

A key is read from what a JWK must have and from nothing else: no addresses of certificates, no private part, one spelling.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, OKPKey, RSAKey
from joserfc.jwk import thumbprint as jwk_thumbprint
from joserfc.jws import JWSRegistry
from nacl.exceptions import CryptoError
from nacl.signing import VerifyKey

from admission.proofs import strict
from admission.proofs.exceptions import Check

MOST_KEYS: Final = 20
MOST_SET: Final = 65_536
"""What a set of keys may hold, and how many bytes it may have (attack 6 of the study)."""
MOST_KID: Final = 128
SVID_USE: Final = "jwt-svid"
_PLAIN: Final = frozenset({"kty", "kid", "alg", "use", "key_ops", "ext"})
_PARTS: Final[Mapping[str, Mapping[str, int]]] = MappingProxyType(
    {
        "OKP": MappingProxyType({"crv": 0, "x": 32}),
        "EC": MappingProxyType({"crv": 0, "x": 32, "y": 32}),
        "RSA": MappingProxyType({"n": 0, "e": 0}),
    }
)
"""Of each kind of key: what it is made of, and how many bytes that has (0: looked at apart)."""
_PRIVATE: Final = frozenset({"d", "p", "q", "dp", "dq", "qi", "oth", "k"})
_CURVES: Final = MappingProxyType({"OKP": "Ed25519", "EC": "P-256"})
_RSA_BYTES: Final = range(256, 513)
_RSA_EXPONENT: Final = "AQAB"
_P25519: Final = 2**255 - 19
_ORDER_8: Final = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_SMALL: Final = frozenset({0, 1, _P25519 - 1, _ORDER_8, _P25519 - _ORDER_8})
"""The heights of the eight points of small order: under such a "key" anybody can sign."""


class Algorithm(StrEnum):
    """All signatures that are ever read. ``EdDSA`` is the older name of Ed25519 (RFC 9864): read, never written."""

    ED25519 = "Ed25519"
    EDDSA = "EdDSA"
    ES256 = "ES256"
    RS256 = "RS256"


STRONG: Final = frozenset({Algorithm.ED25519, Algorithm.EDDSA, Algorithm.ES256})
"""What is read everywhere. RS256 only where an operator allows it to a platform that has nothing else."""
_KINDS: Final = MappingProxyType(
    {Algorithm.ED25519: "OKP", Algorithm.EDDSA: "OKP", Algorithm.ES256: "EC", Algorithm.RS256: "RSA"}
)
_REMEMBERED: Final = 1024
_REGISTRY: Final = JWSRegistry(algorithms=["Ed25519", "ES256", "RS256"])
_MODELS: Final = MappingProxyType(
    {
        algorithm: _REGISTRY.get_alg("Ed25519" if algorithm is Algorithm.EDDSA else algorithm.value)
        for algorithm in Algorithm
    }
)


class UnusableKeyError(Exception):
    """Not a key that is read here, or not a set of them; ``check`` says which rule it breaks."""

    def __init__(self, check: Check) -> None:
        super().__init__(check.value)
        self.check = check


@dataclass(frozen=True, slots=True)
class PublicKey:
    """One public key. ``thumbprint`` after RFC 7638 and 8037; ``algorithm`` where its holder fixed one."""

    kind: str
    thumbprint: str
    kid: str | None
    algorithm: Algorithm | None
    key: OKPKey | ECKey | RSAKey = field(repr=False, compare=False)
    point: VerifyKey | None = field(default=None, repr=False, compare=False)
    """Of Ed25519: libsodium looks at a signature in half the time of OpenSSL."""

    def signed(self, message: bytes, signature: bytes, algorithm: Algorithm) -> bool:
        """Whether ``signature`` over ``message`` is of this key, by an algorithm that fits it."""
        if _KINDS[algorithm] != self.kind or not same_algorithm(self.algorithm, algorithm):
            return False
        try:
            if self.point is not None:
                return self.point.verify(message, signature) == message
            return bool(_MODELS[algorithm].verify(message, signature, self.key))
        except (CryptoError, JoseError, ValueError):
            return False


def same_algorithm(fixed: Algorithm | None, used: Algorithm) -> bool:
    """Whether a key that is fixed to one algorithm may be used by another name of it."""
    return fixed is None or fixed == used or {fixed, used} == {Algorithm.ED25519, Algorithm.EDDSA}


def public_key(jwk: Any, *, use: str = "sig") -> PublicKey:
    """The key of one JWK. Raises ``UnusableKeyError``: another kind, a private part, a member that has no place in it."""
    kind: Any = jwk.get("kty") if isinstance(jwk, dict) else None
    parts = _PARTS.get(kind) if isinstance(kind, str) else None
    if parts is None:
        raise UnusableKeyError(Check.KEY)
    if not _PRIVATE.isdisjoint(jwk):
        raise UnusableKeyError(Check.KEY_PRIVATE)
    algorithm = _algorithm(jwk.get("alg"), kind)
    kid = jwk.get("kid")
    fitting = (
        _PLAIN.union(parts).issuperset(jwk)
        and (kid is None or named(kid))
        and jwk.get("use", use) == use
        and jwk.get("key_ops", ["verify"]) == ["verify"]
        and (algorithm is not None or "alg" not in jwk)
        and all(_part(jwk.get(name), size) for name, size in parts.items() if name != "crv")
        and jwk.get("crv") == _CURVES.get(kind)
        and _sound(kind, jwk)
    )
    if not fitting:
        raise UnusableKeyError(Check.KEY)
    bare = {"kty": kind} | {name: jwk[name] for name in parts}
    return _imported(kind, tuple(bare.items()), kid, algorithm)


_READERS: Final[Mapping[str, Callable[[dict[str, str | list[str]]], OKPKey | ECKey | RSAKey]]] = MappingProxyType(
    {"OKP": OKPKey.import_key, "EC": ECKey.import_key, "RSA": RSAKey.import_key}
)


@lru_cache(_REMEMBERED)
def _imported(kind: str, parts: tuple[tuple[str, str], ...], kid: str | None, algorithm: Algorithm | None) -> PublicKey:
    """Whoever comes again brings the same key again: reading its point costs as much as checking a signature."""
    bare = dict(parts)
    key: OKPKey | ECKey | RSAKey | None
    fast: VerifyKey | None = None
    try:
        key = _READERS[kind](dict(bare))
        point = key.get_op_key("verify")  # it is looked at when it is first used: now, not at a signature
        if isinstance(point, Ed25519PublicKey):
            fast = VerifyKey(point.public_bytes_raw())
    except (JoseError, ValueError):
        key = None
    if key is None:
        raise UnusableKeyError(Check.KEY)
    return PublicKey(kind, jwk_thumbprint(bare), kid, algorithm, key, fast)


def named(kid: Any) -> bool:
    """Whether this can be the name of a key: up to 128 visible signs of ASCII."""
    return isinstance(kid, str) and 0 < len(kid) <= MOST_KID and kid.isascii() and kid.isprintable()


def _algorithm(name: Any, kind: str) -> Algorithm | None:
    found = Algorithm(name) if isinstance(name, str) and name in set(Algorithm) else None
    return found if found is not None and _KINDS[found] == kind else None


def _part(text: Any, size: int) -> bool:
    if not isinstance(text, str) or len(text) > 4 * _RSA_BYTES.stop // 3:
        return False
    data = strict.decode(text)
    return data is not None and size in {0, len(data)}


def _sound(kind: str, jwk: Mapping[str, str]) -> bool:
    if kind == "RSA":
        modulus = strict.decode(jwk["n"]) or b""
        return len(modulus) in _RSA_BYTES and modulus[0] > 0x7F and jwk["e"] == _RSA_EXPONENT  # noqa: PLR2004  2048 bits in full
    if kind == "OKP":
        height = int.from_bytes(strict.decode(jwk["x"]) or b"", "little") & (2**255 - 1)
        return height < _P25519 and height not in _SMALL
    return True


@dataclass(frozen=True, slots=True)
class KeySet:
    """Keys of one holder, by the name it gave each."""

    keys: Mapping[str, PublicKey]

    def find(self, kid: str | None) -> PublicKey | None:
        """The key with this name; no name, no key."""
        return None if kid is None else self.keys.get(kid)


def key_set(document: bytes, *, use: str = "sig") -> KeySet:
    """The keys of one JWK set (RFC 7517, section 5), or of a SPIFFE bundle with ``use=SVID_USE``.

    A key for another use or of a kind that is not read here is passed over, as those standards ask. Raises
    ``UnusableKeyError``: over 64 kB or 20 keys, not such a document, a private part, the same name twice, or a key without one.
    """
    found = strict.members(document) if len(document) <= MOST_SET and document.count(b"{") <= MOST_KEYS + 1 else None
    listed = None if found is None else found.get("keys")
    if not isinstance(listed, list) or len(listed) > MOST_KEYS:
        raise UnusableKeyError(Check.FORM)
    keys: dict[str, PublicKey] = {}
    for jwk in listed:
        key = _usable(jwk, use)
        if key is None:
            continue
        if key.kid is None or key.kid in keys:
            raise UnusableKeyError(Check.KEY_UNKNOWN)
        keys[key.kid] = key
    return KeySet(MappingProxyType(keys))


def _usable(jwk: Any, use: str) -> PublicKey | None:
    """A key of a set. A set may give certificates beside its keys (``x5c``): they are left aside, and decide nothing."""
    if not isinstance(jwk, dict):
        raise UnusableKeyError(Check.FORM)
    if jwk.get("use", use) != use or (use == SVID_USE and "use" not in jwk):
        return None
    beside = {"x5c", "x5t", "x5t#S256", "iat", "exp", "nbf"}
    failed = None
    try:
        return public_key({name: value for name, value in jwk.items() if name not in beside}, use=use)
    except UnusableKeyError as failure:
        failed = failure.check
    if failed is Check.KEY_PRIVATE:
        raise UnusableKeyError(failed)
    return None
