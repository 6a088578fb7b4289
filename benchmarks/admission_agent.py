"""An agent of a benchmark: a key, a token and a fresh proof for every request, as bytes that go over a connection."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from joserfc.jwk import ECKey, OKPKey

from admission.contracts import Budget, Contract, Grant, Tier
from admission.proofs.dpop import token_hash
from admission.proofs.own_keys import OwnKey, own_key, signed_compact
from admission.proofs.tokens import Grant as TokenGrant
from admission.proofs.tokens import Issuer
from throttling.store import wall
from throttling.work import Access

OPERATIONS: Final = ("bronnen", "lezen", "lijsten", "zoeken")
PLENTY: Final = Budget(in_flight=1000, units=1_000_000)
_NUMBERS = itertools.count()


def contract(name: str, budget: Budget = PLENTY) -> Contract:
    """A contract that grants all that reads."""
    return Contract(
        id=name,
        workload=f"spiffe://meting.example/{name}",
        issuer="meting.example",
        tier=Tier.FEDERATED,
        budget=budget,
        most=PLENTY,
        seconds=3600.0,
        grants=tuple(map(Grant, OPERATIONS)),
    )


_PARTS: Final = ("kty", "crv", "x", "y")


def ed25519() -> OwnKey:
    """A new key."""
    return _own(OKPKey.generate_key("Ed25519").as_dict(private=True))


def p256() -> OwnKey:
    """A new key of the other kind, for ES256."""
    return _own(ECKey.generate_key("P-256").as_dict(private=True))


def _own(made: Mapping[str, Any]) -> OwnKey:
    return own_key({name: str(made[name]) for name in (*_PARTS, "d") if name in made}, 0)


@dataclass(slots=True)
class Agent:
    """One job under the contract ``name``. ``origin``: the public address of the site; ``host``: what it is asked under."""

    name: str
    origin: str
    issuer: Issuer
    host: str
    own: OwnKey = field(default_factory=ed25519)
    _token: tuple[str, float] = ("", 0.0)

    def token(self) -> str:
        """A token that holds for some minutes."""
        now = wall()
        if self._token[1] < now:
            grant = TokenGrant(
                subject=self.name,
                client=self.name,
                contract=self.name,
                handle="r7k3m9q2",
                token_class=Access.READ,
                jkt=self.own.public.thumbprint,
            )
            self._token = (self.issuer.mint(grant, jti=f"t{next(_NUMBERS)}-{self.name}", now=int(now)), now + 240)
        return self._token[0]

    def request(self, target: str) -> bytes:
        """A whole GET with a proof of its own."""
        token = self.token()
        public = self.own.public.key.as_dict(private=False)
        header = {
            "typ": "dpop+jwt",
            "alg": self.own.algorithm.value,
            "jwk": {name: public[name] for name in _PARTS if name in public},
        }
        claims = {
            "jti": f"p{next(_NUMBERS)}-{self.name}",
            "htm": "GET",
            "htu": f"{self.origin}{target.partition('?')[0]}",
            "iat": int(wall()),
            "ath": token_hash(token),
        }
        proof = signed_compact(header, json.dumps(claims).encode(), self.own)
        lines = (f"GET {target} HTTP/1.1", f"host: {self.host}", f"authorization: DPoP {token}", f"dpop: {proof}")
        return "\r\n".join((*lines, "accept: application/json", "", "")).encode()


def plain(target: str, host: str) -> bytes:
    """A whole GET that shows nothing."""
    return f"GET {target} HTTP/1.1\r\nhost: {host}\r\naccept: application/json\r\n\r\n".encode()
