"""A signed token in its compact form (RFC 7515), read by the rules of one use of it.

Each use fixes its ``typ``, its algorithms and the members of its header; all else is refused, ``crit`` and every address of a
key included: a token never says where its key can be fetched (attack 9 of the study).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from admission.proofs import strict
from admission.proofs.exceptions import Check, RefusedError
from admission.proofs.keys import Algorithm, PublicKey, named

MOST_HEADER: Final = 2_048
_SIGNATURE: Final = 512
_PARTS: Final = 3
_REMEMBERED: Final = 1024
"""Headers that were read, of at most ``MOST_HEADER`` bytes each."""


@dataclass(frozen=True, slots=True)
class Use:
    """What a token is read as. ``types``: allowed values of ``typ`` (``None``: absent). ``most``: bytes of the whole."""

    failure: type[RefusedError]
    types: frozenset[str | None]
    members: frozenset[str]
    algorithms: frozenset[Algorithm]
    most: int


@dataclass(frozen=True, slots=True)
class Signed:
    """A token that is well formed. Its signature is not yet looked at: nothing in it is true before ``check_signature``."""

    header: Mapping[str, Any]
    claims: Mapping[str, Any]
    algorithm: Algorithm
    kid: str | None
    message: bytes
    signature: bytes


def read(text: str, use: Use) -> Signed:
    """The parts of one token. Raises the failure of ``use``."""
    if len(text) > use.most:
        raise use.failure(Check.SIZE)
    parts = text.split(".") if text.isascii() and text.count(".") == _PARTS - 1 else []
    body, signature = (strict.decode(part) for part in parts[1:]) if parts else (None, None)
    if not parts or not parts[0] or not body or signature is None:
        raise use.failure(Check.FORM)
    header, algorithm = read_header(parts[0], use)
    claims = strict.members(body)
    if claims is None:
        raise use.failure(Check.JSON)
    return Signed(
        header=header,
        claims=claims,
        algorithm=algorithm,
        kid=header.get("kid"),
        message=text.rpartition(".")[0].encode("ascii"),
        signature=signature,
    )


@lru_cache(_REMEMBERED)
def read_header(part: str, use: Use) -> tuple[Mapping[str, Any], Algorithm]:
    """The header of a token. Whoever comes again brings the same one: it is read once, as the same signs say the same.

    Raises the failure of ``use``, which is remembered of nothing.
    """
    decoded = strict.decode(part)
    if not decoded:
        raise use.failure(Check.FORM)
    header = strict.members(decoded)
    if header is None:
        raise use.failure(Check.JSON)
    return MappingProxyType(header), _ruled(header, use, len(part))


def _ruled(header: Mapping[str, Any], use: Use, size: int) -> Algorithm:
    if size > MOST_HEADER:
        raise use.failure(Check.SIZE)
    kind = header.get("typ")
    if not (kind is None or isinstance(kind, str)) or kind not in use.types or (kind is None and "typ" in header):
        raise use.failure(Check.TYPE)
    algorithm = header.get("alg")
    if not isinstance(algorithm, str) or algorithm not in use.algorithms:
        raise use.failure(Check.ALGORITHM)
    if not use.members.issuperset(header) or not ("kid" not in header or named(header["kid"])):
        raise use.failure(Check.HEADER)
    return Algorithm(algorithm)


def check_signature(token: Signed, key: PublicKey | None, use: Use) -> None:
    """Raises the failure of ``use`` unless ``key`` signed this token. No key: the name of the key is unknown."""
    if key is None:
        raise use.failure(Check.KEY_UNKNOWN)
    if len(token.signature) > _SIGNATURE or not key.signed(token.message, token.signature, token.algorithm):
        raise use.failure(Check.SIGNATURE)
