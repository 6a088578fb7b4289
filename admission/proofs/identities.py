"""Who asks for a contract: a workload of a trust domain (JWT-SVID), a job of a platform, or a client that has a document.

The rules of this site on top of the standards: exactly one audience, at most an hour, issuers that the operator allowed with
keys as values (who fetches them is another file), and subjects that match a pattern of the operator.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from admission.proofs import claims
from admission.proofs.compact import Use, check_signature, read
from admission.proofs.exceptions import Check, IdentityInvalidError
from admission.proofs.keys import STRONG, Algorithm, KeySet

MOST_IDENTITY: Final = 8_192
LONGEST_IDENTITY: Final = 3_600
LONGEST_ASSERTION: Final = 300
"""Seconds that a token of a workload, and an assertion of a client, may be valid at most."""
_MEMBERS: Final = frozenset({"typ", "alg", "kid"})
_JWT: Final = frozenset({None, "JWT"})
_SVID: Final = Use(IdentityInvalidError, frozenset({None, "JWT", "JOSE"}), _MEMBERS, STRONG, MOST_IDENTITY)
_ASSERTION: Final = Use(IdentityInvalidError, _JWT | {"client-authentication+jwt"}, _MEMBERS, STRONG, MOST_IDENTITY)
_SPIFFE: Final = re.compile(r"spiffe://(?P<domain>[a-z0-9._-]{1,255})(?P<path>(?:/[A-Za-z0-9._-]+)+)", re.ASCII)
_WILDCARDS: Final = 3


class Method(StrEnum):
    """How somebody proved who it is."""

    SVID = "jwt-svid"
    PLATFORM = "platform-jwt"
    CLIENT = "private-key-jwt"


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Who it is. ``issuer``: who vouches (a trust domain, an issuer, the client itself); ``workload``: its name in events.

    ``jti``: of the token, where it has one; ``expires``: when it is over.
    """

    method: Method
    issuer: str
    subject: str
    workload: str
    expires: float
    jti: str | None


@dataclass(frozen=True, slots=True)
class Subjects:
    """Which subjects an operator allows: in each text ``*`` stands for signs without ``/`` and ``:``.

    At most three of them, and one between two such signs: so a match takes time in step with the length of a subject.
    """

    patterns: tuple[str, ...]

    def __post_init__(self) -> None:
        parts = [part for pattern in self.patterns for part in re.split("[/:]", pattern)]
        if any(pattern.count("*") > _WILDCARDS for pattern in self.patterns) or any(
            part.count("*") > 1 for part in parts
        ):
            message = "a pattern has at most three stars, and one in each part"
            raise ValueError(message)

    def match(self, subject: str) -> bool:
        """Whether one of them covers all of ``subject``."""
        return any(re.fullmatch(_regular(pattern), subject) for pattern in self.patterns)


def _regular(pattern: str) -> str:
    return "[^/:]+".join(re.escape(part) for part in pattern.split("*"))


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustDomain:
    """A trust domain of SPIFFE that the operator allows, with the keys of its bundle (``keys.key_set`` with ``SVID_USE``)."""

    name: str
    keys: KeySet
    subjects: Subjects


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform:
    """An issuer of tokens for jobs (a cluster, a build service, a cloud) that the operator allows: ``issuer`` is its ``iss``.

    ``algorithms``: RS256 may be added for one that signs with nothing else.
    """

    issuer: str
    keys: KeySet
    subjects: Subjects
    algorithms: frozenset[Algorithm] = STRONG


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A client with the keys of its own document: keys are looked up by both (attack 7 of the study)."""

    client_id: str
    keys: KeySet


def read_svid(token: str, domains: Mapping[str, TrustDomain], audience: str, now: float) -> Identity:
    """The workload of a JWT-SVID for ``audience``. ``domains`` by name. Raises ``IdentityInvalidError``."""
    signed = read(token, _SVID)
    subject = claims.text(signed.claims, "sub") or ""
    found = _SPIFFE.fullmatch(subject)
    if found is None or {".", ".."} & set(found["path"].split("/")):
        raise IdentityInvalidError(Check.SUBJECT)
    domain = domains.get(found["domain"])
    if domain is None:
        raise IdentityInvalidError(Check.ISSUER)
    check_signature(signed, domain.keys.find(signed.kid), _SVID)
    return Identity(
        method=Method.SVID,
        issuer=domain.name,
        subject=subject,
        workload=subject,
        expires=_checked(signed.claims, domain.subjects, subject, audience, now),
        jti=_identifier(signed.claims),
    )


def read_platform(token: str, platforms: Mapping[str, Platform], audience: str, now: float) -> Identity:
    """The job of a platform's token for ``audience``. ``platforms`` by issuer. Raises ``IdentityInvalidError``."""
    every = frozenset().union(*(platform.algorithms for platform in platforms.values()))
    signed = read(token, Use(IdentityInvalidError, _JWT, _MEMBERS | {"x5t"}, every, MOST_IDENTITY))
    platform = platforms.get(claims.text(signed.claims, "iss") or "")
    if platform is None:
        raise IdentityInvalidError(Check.ISSUER)
    if signed.algorithm not in platform.algorithms:
        raise IdentityInvalidError(Check.ALGORITHM)
    check_signature(signed, platform.keys.find(signed.kid), _SVID)
    subject = claims.text(signed.claims, "sub")
    if subject is None:
        raise IdentityInvalidError(Check.SUBJECT)
    return Identity(
        method=Method.PLATFORM,
        issuer=platform.issuer,
        subject=subject,
        workload=f"{platform.issuer}#{subject}",
        expires=_checked(signed.claims, platform.subjects, subject, audience, now),
        jti=_identifier(signed.claims),
    )


def read_assertion(token: str, client: Client, audiences: frozenset[str], now: float) -> Identity:
    """A client that signs for itself (``private_key_jwt``, RFC 7523): to one of ``audiences``, five minutes at most.

    Its ``jti`` must not be used twice: the caller remembers it until ``expires`` and a minute. Raises ``IdentityInvalidError``.
    """
    signed = read(token, _ASSERTION)
    told = signed.claims
    if told.get("iss") != client.client_id or told.get("sub") != client.client_id:
        raise IdentityInvalidError(Check.SUBJECT)
    check_signature(signed, client.keys.find(signed.kid), _ASSERTION)
    if claims.audience(told) not in audiences:
        raise IdentityInvalidError(Check.AUDIENCE)
    jti = _identifier(told)
    if jti is None:
        raise IdentityInvalidError(Check.IDENTIFIER)
    return Identity(
        method=Method.CLIENT,
        issuer=client.client_id,
        subject=client.client_id,
        workload=client.client_id,
        expires=claims.check_life(told, now, LONGEST_ASSERTION, IdentityInvalidError),
        jti=jti,
    )


def _checked(told: Mapping[str, Any], subjects: Subjects, subject: str, audience: str, now: float) -> float:
    if claims.audience(told) != audience:
        raise IdentityInvalidError(Check.AUDIENCE)
    if not subjects.match(subject):
        raise IdentityInvalidError(Check.SUBJECT)
    return claims.check_life(told, now, LONGEST_IDENTITY, IdentityInvalidError)


def _identifier(told: Mapping[str, Any]) -> str | None:
    jti = claims.text(told, "jti", 256)
    if jti is None and "jti" in told:
        raise IdentityInvalidError(Check.IDENTIFIER)
    return jti
