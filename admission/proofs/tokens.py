"""Our own tokens (``at+jwt``, RFC 9068): this key, this contract, this class of operations, for a few minutes.

What a contract allows is not in the token: it stays with the contract, so that narrowing or ending it acts at once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from admission.proofs import claims, strict
from admission.proofs.compact import Use, check_signature, read
from admission.proofs.credentials import MOST_TOKEN
from admission.proofs.exceptions import Check, TokenInvalidError
from admission.proofs.keys import STRONG
from admission.proofs.own_keys import LONGEST_TOKEN, Keyring, signed_compact
from throttling.work import Access

SCOPE: Final = "admission:"
TYPE: Final = "at+jwt"
_USE: Final = Use(TokenInvalidError, frozenset({TYPE}), frozenset({"typ", "alg", "kid"}), STRONG, MOST_TOKEN)
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{4,64}", re.ASCII)
_HASH: Final = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)
_OPERATION: Final = re.compile(r"[A-Za-z0-9_.:-]{1,64}", re.ASCII)


CLASSES: Final[Mapping[Access, str]] = MappingProxyType({Access.READ: "read", Access.WRITE: "write"})
"""What the class of a token is called in it: asking, or changing something."""
LIFETIMES: Final[Mapping[Access, int]] = MappingProxyType({Access.READ: LONGEST_TOKEN, Access.WRITE: 120})
"""Seconds that a token of each class holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """The approval of an operator that a token for writing carries: one operation, and SHA-256 of the body, once."""

    approval: str
    operation: str | None = None
    body_sha256: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """What a token says. ``jkt``: the key it is bound to; ``handle``: by which its contract can be ended over the phone."""

    subject: str
    client: str
    contract: str
    handle: str
    token_class: Access
    jkt: str
    approval: Approval | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessToken:
    """A token of ours that holds. ``jti`` names it, so that it can be ended alone."""

    grant: Grant
    jti: str
    issued: float
    expires: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Issuer:
    """Who mints and reads: ``name`` stands in ``iss``, ``audience`` in ``aud``."""

    name: str
    audience: str
    keys: Keyring

    def mint(self, grant: Grant, *, jti: str, now: int) -> str:
        """A token for ``grant``, from ``now`` on, named ``jti`` (at least 128 random bits, from the caller).

        Raises ``ValueError`` for a grant that could not be read back, ``LookupError`` when no key of ours has begun.
        """
        key = self.keys.signer(now)
        if key is None:
            message = "no key signs yet"
            raise LookupError(message)
        told = {
            "iss": self.name,
            "aud": self.audience,
            "sub": grant.subject,
            "client_id": grant.client,
            "iat": now,
            "exp": now + LIFETIMES[grant.token_class],
            "jti": jti,
            "scope": f"{SCOPE}{CLASSES[grant.token_class]}",
            "cnf": {"jkt": grant.jkt},
            "ctr": grant.contract,
            "rh": grant.handle,
            "opc": CLASSES[grant.token_class],
        } | _approval_claims(grant.approval)
        token = signed_compact({"typ": TYPE, "alg": key.algorithm.value, "kid": key.kid}, strict.dump(told), key)
        if len(token) > MOST_TOKEN or _grant(told) != grant or claims.text(told, "jti", 128) is None:
            message = "a token says only what can be read back"
            raise ValueError(message)
        return token

    def read(self, token: str, now: float) -> AccessToken:
        """A token of ours that holds now. Whether its contract still does only the store of the edge can tell.

        Raises ``TokenInvalidError``.
        """
        signed = read(token, _USE)
        check_signature(signed, self.keys.find(signed.kid, now), _USE)
        told = signed.claims
        if told.get("iss") != self.name:
            raise TokenInvalidError(Check.ISSUER)
        if told.get("aud") != self.audience:
            raise TokenInvalidError(Check.AUDIENCE)
        grant = _grant(told)
        jti, issued = claims.text(told, "jti", 128), claims.moment(told, "iat")
        if grant is None or jti is None or issued is None:
            raise TokenInvalidError(Check.UNBOUND if _bound(told) is None else Check.CLAIM)
        expires = claims.check_life(told, now, LIFETIMES[grant.token_class], TokenInvalidError, skew=0)
        return AccessToken(grant=grant, jti=jti, issued=issued, expires=expires)


def _approval_claims(approval: Approval | None) -> dict[str, str]:
    if approval is None:
        return {}
    single = {"op": approval.operation, "body_s256": approval.body_sha256}
    return {"apr": approval.approval} | {name: value for name, value in single.items() if value is not None}


def _grant(told: Mapping[str, Any]) -> Grant | None:
    """The grant that these claims say, or ``None`` when they are not such or contradict each other."""
    subject, client, jkt = claims.text(told, "sub"), claims.text(told, "client_id"), _bound(told)
    contract, handle = _matching(told.get("ctr"), _NAME), _matching(told.get("rh"), _NAME)
    token_class = next((each for each, word in CLASSES.items() if told.get("opc") == word), None)
    if subject is None or client is None or jkt is None or contract is None or handle is None or token_class is None:
        return None
    if told.get("scope") != f"{SCOPE}{CLASSES[token_class]}":
        return None
    approval = _approval(told)
    if approval is None and not {"apr", "op", "body_s256"}.isdisjoint(told):
        return None
    if approval is not None and token_class is Access.READ:
        return None
    return Grant(
        subject=subject,
        client=client,
        contract=contract,
        handle=handle,
        token_class=token_class,
        jkt=jkt,
        approval=approval,
    )


def _approval(told: Mapping[str, Any]) -> Approval | None:
    approval = _matching(told.get("apr"), _NAME)
    operation, body = _matching(told.get("op"), _OPERATION), _matching(told.get("body_s256"), _HASH)
    if approval is None or (operation is None) != ("op" not in told) or (body is None) != ("body_s256" not in told):
        return None
    return (
        Approval(approval=approval, operation=operation, body_sha256=body)
        if (operation is None) == (body is None)
        else None
    )


def _bound(told: Mapping[str, Any]) -> str | None:
    binding = told.get("cnf")
    return _matching(binding["jkt"], _HASH) if isinstance(binding, dict) and set(binding) == {"jkt"} else None


def _matching(value: Any, form: re.Pattern[str]) -> str | None:
    return value if isinstance(value, str) and form.fullmatch(value) else None
