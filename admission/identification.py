"""Who asks for a contract or a token: the proof it brings is read, with the keys of whoever vouches for it (choice A1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from admission.contracts import NAMED, Tier
from admission.documents import Documents, NoKeysError
from admission.proofs import claims
from admission.proofs.compact import Use, read
from admission.proofs.exceptions import Check, IdentityInvalidError
from admission.proofs.identities import (
    MOST_IDENTITY,
    Identity,
    Method,
    Platform,
    TrustDomain,
    read_assertion,
    read_platform,
    read_svid,
)
from admission.proofs.keys import Algorithm, KeySet
from admission.tiers import AD_HOC_ISSUER, clients_of
from admission.trust import Trust, Voucher
from throttling.once import Once

KEPT: Final = 120
"""Seconds that a used name of an assertion is remembered after its token is over: what clocks may differ, twice."""
_ANY: Final = Use(
    IdentityInvalidError,
    frozenset({None, "JWT", "JOSE", "client-authentication+jwt"}),
    frozenset({"typ", "alg", "kid", "x5t"}),
    frozenset(Algorithm),
    MOST_IDENTITY,
)


@dataclass(frozen=True, slots=True)
class Presented:
    """What somebody brings to say who it is. ``client_id``: where it says that itself."""

    method: Method
    token: str
    client_id: str = ""


@dataclass(frozen=True, slots=True)
class Asker:
    """Who it is, as contracts have it. ``issuer``: by which all like it can be stopped; ``client``: its name in tokens."""

    tier: Tier
    workload: str
    issuer: str
    client: str


def ad_hoc(jkt: str) -> Asker:
    """Somebody of whom nothing is known but a key."""
    return Asker(Tier.AD_HOC, f"jkt:{jkt}", AD_HOC_ISSUER, f"jkt:{jkt}")


class Identification:
    """Reads proofs of who somebody is. ``audience``: what a token of a job must be for; ``endpoints``: more of assertions.

    ``vouched`` and ``told`` have the documents of those the operator trusts, and of clients. ``clock``: seconds since 1970.
    """

    def __init__(  # noqa: PLR0913 - what it works with
        self,
        *,
        trust: Trust,
        audience: str,
        endpoints: frozenset[str],
        vouched: Documents,
        told: Documents,
        once: Once,
        clock: Callable[[], float],
    ) -> None:
        self.trust = trust
        self.audience = audience
        self._endpoints = endpoints | {audience}
        self._vouched = vouched
        self._told = told
        self._once = once
        self._clock = clock

    async def identify(self, presented: Presented | None, jkt: str) -> Asker:
        """Who shows this, and the key ``jkt``. Raises ``IdentityInvalidError``, and ``StoreLostError``."""
        if presented is None:
            return ad_hoc(jkt)
        if presented.method is Method.CLIENT:
            found = await self._client(presented)
            return Asker(Tier.CIMD, found.workload, clients_of(found.workload), found.workload)
        found = await self._job(presented)
        if not NAMED.fullmatch(found.workload):  # a subject that fits in no contract names nobody here
            raise IdentityInvalidError(Check.SUBJECT)
        return Asker(Tier.FEDERATED, found.workload, found.issuer, found.workload)

    async def voucher_keys(self, voucher: Voucher, kid: str | None) -> KeySet:
        """The keys of somebody the operator trusts. Raises ``IdentityInvalidError``."""
        if voucher.keys is not None:
            return voucher.keys
        try:
            return await self._vouched.keys(voucher.keys_at, kid, voucher.key_use)
        except NoKeysError:
            raise IdentityInvalidError(Check.KEY_UNKNOWN) from None

    async def _job(self, presented: Presented) -> Identity:
        signed = read(presented.token, _ANY)
        voucher = self.trust.voucher(presented.method, _issuer(presented.method, signed.claims))
        if voucher is None:
            raise IdentityInvalidError(Check.ISSUER)
        keys, now = await self.voucher_keys(voucher, signed.kid), self._clock()
        if presented.method is Method.SVID:
            domains = {voucher.name: TrustDomain(name=voucher.name, keys=keys, subjects=voucher.subjects)}
            return read_svid(presented.token, domains, self.audience, now)
        platform = Platform(issuer=voucher.name, keys=keys, subjects=voucher.subjects, algorithms=voucher.algorithms)
        return read_platform(presented.token, {voucher.name: platform}, self.audience, now)

    async def _client(self, presented: Presented) -> Identity:
        """Each assertion is used once: its name is remembered for as long as it could come back."""
        signed = read(presented.token, _ANY)
        try:
            client = await self._told.client(presented.client_id, signed.kid, self.trust.allows)
        except NoKeysError:
            raise IdentityInvalidError(Check.KEY_UNKNOWN) from None
        now = self._clock()
        found = read_assertion(presented.token, client, self._endpoints, now)
        seconds = int(found.expires - now) + KEPT
        if not await self._once.spend(f"assertion|{found.issuer}|{found.jti}", max(seconds, 1)):
            raise IdentityInvalidError(Check.IDENTIFIER)
        return found


def _issuer(method: Method, told: Mapping[str, object]) -> str:
    """Who is said to vouch; nothing of it is true yet."""
    if method is Method.PLATFORM:
        return claims.text(told, "iss") or ""
    subject = claims.text(told, "sub") or ""
    return subject.removeprefix("spiffe://").partition("/")[0] if subject.startswith("spiffe://") else ""
