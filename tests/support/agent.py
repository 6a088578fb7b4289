"""An agent as its programmer would write it: a key of its own, proofs, and tokens; and a platform that vouches for its jobs.

It signs with joserfc alone, and shares no code with the product: what both got wrong in one way would not be seen.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Any

import httpx
from joserfc import jwt
from joserfc.jwk import OKPKey

SITE = "http://localhost:8000"
"""The public address of the product under test, which proofs are about; where it listens is another matter."""
TYPE = "urn:besluitbron:admission:v1"
ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"


def key() -> OKPKey:
    return OKPKey.generate_key("Ed25519")


def public(own: OKPKey) -> dict[str, Any]:
    return {name: own.as_dict(private=False)[name] for name in ("kty", "crv", "x")}


def signed(header: dict[str, Any], claims: dict[str, Any], own: OKPKey) -> str:
    return str(jwt.encode({"alg": "Ed25519", **header}, claims, own, algorithms=["Ed25519"]))


@dataclass
class Platform:
    """Somebody who vouches for jobs: a trust domain of SPIFFE, or a platform with its own tokens."""

    name: str
    own: OKPKey = field(default_factory=key)
    kid: str = "k1"

    def jwks(self, use: str = "sig") -> dict[str, Any]:
        return {"keys": [{**public(self.own), "kid": self.kid, "use": use}]}

    def vouch(self, subject: str, **changed: Any) -> str:
        """A token for a job: of a trust domain when its name is no address."""
        now = int(time.time())
        told: dict[str, Any] = {"sub": subject, "aud": f"{SITE}/admission", "iat": now, "exp": now + 300}
        if "://" in self.name:
            told["iss"] = self.name
        return signed({"kid": self.kid, "typ": "JWT"}, told | changed, self.own)


@dataclass
class Agent:
    """One job with a fresh key. ``identity`` makes a fresh proof of who it is, None for ad hoc."""

    http: httpx.AsyncClient
    own: OKPKey = field(default_factory=key)
    identity: Any = None
    contract: dict[str, Any] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)

    @property
    def jkt(self) -> str:
        return self.own.thumbprint()

    def proof(self, method: str, path: str, token: str | None = None, **changed: Any) -> str:
        """A fresh DPoP proof for one request; ``path`` without its query."""
        told: dict[str, Any] = {
            "jti": secrets.token_urlsafe(16),
            "htm": method,
            "htu": f"{SITE}{path.partition('?')[0]}",
            "iat": int(time.time()),
        }
        if token is not None:
            told["ath"] = urlsafe_b64encode(hashlib.sha256(token.encode()).digest()).rstrip(b"=").decode()
        return signed({"typ": "dpop+jwt", "jwk": public(self.own)}, told | changed, self.own)

    def wish(self, *actions: str, write: tuple[str, ...] = (), **changed: Any) -> dict[str, Any]:
        """What is asked for: reading ``actions`` and changing by ``write``."""
        details = [{"type": TYPE, "class": "read", "actions": list(actions or ("zoeken",)), "locations": [SITE]}]
        if write:
            details.append({"type": TYPE, "class": "write", "actions": list(write), "locations": [SITE]})
        return {
            "purpose": {"code": "monitoring", "note": "elke nacht kijken wat er nieuw is"},
            "owner": {"name": "Redactie Voorbeeld", "contact": "mailto:redactie@voorbeeld.example"},
            "expected_use": {"units": 50},
            "authorization_details": details,
            "budget": {"in_flight": 2, "units": 100} | ({"writes": 2} if write else {}),
            "expires_in": 3600,
        } | changed

    async def negotiate(self, wish: Any = None, **headers: Any) -> httpx.Response:
        """Ask for a contract; what was agreed is kept in ``contract``."""
        body = self.wish() if wish is None else wish
        if self.identity is not None:
            body = {"identity": self.identity()} | body
        sent = {
            "DPoP": self.proof("POST", "/admission/contracts"),
            "Idempotency-Key": secrets.token_urlsafe(16),
            **headers,
        }
        answer = await self.http.post("/admission/contracts", json=body, headers=sent)
        if answer.status_code == 201:
            self.contract = answer.json()
        return answer

    async def token(self, access: Any = "read", headers: Any = None, **form: Any) -> httpx.Response:
        """Ask for a token of the contract; it is kept in ``tokens``."""
        given = {
            "grant_type": "client_credentials",
            "scope": f"admission:{access}",
            "contract": str(self.contract.get("contract", "")),
            "resource": SITE,
        } | form
        if self.identity is not None and "client_assertion" not in given and "assertion" not in given:
            proven = self.identity()
            given = {"client_assertion_type": ASSERTION, "client_assertion": proven["token"]} | given
            if "client_id" in proven:
                given["client_id"] = proven["client_id"]
        sent = {"DPoP": self.proof("POST", "/admission/token"), **(headers or {})}
        answer = await self.http.post(
            "/admission/token", data={name: value for name, value in given.items() if value}, headers=sent
        )
        if answer.status_code == 200:
            self.tokens[access] = answer.json()["access_token"]
        return answer

    def headers(self, method: str, path: str, access: str = "read", **changed: Any) -> dict[str, str]:
        """What a request under the contract brings along."""
        token = self.tokens[access]
        return {"Authorization": f"DPoP {token}", "DPoP": self.proof(method, path, token, **changed)}

    async def call(self, method: str, path: str, access: str = "read", **request: Any) -> httpx.Response:
        """One request under the contract."""
        headers = self.headers(method, path, access) | request.pop("headers", {})
        return await self.http.request(method, path, headers=headers, **request)


def federated(platform: Platform, subject: str, method: str = "platform-jwt") -> Any:
    """The ``identity`` of a job that a platform (or, with ``jwt-svid``, a trust domain) vouches for."""
    return lambda: {"method": method, "token": platform.vouch(subject)}
