"""A client that knows OAuth and nothing of ours: from a refused request by discovery to a token, and on.

What it reads are the documents of RFC 9728 and 8414; what it sends is of RFC 7523, 8707, 9396 and 9449. The one thing that its
maker wrote down is what it wants to do (``authorization_details``). None of the libraries for Python that speak OAuth prove
possession of a key (RFC 9449) as a client of one's own, so this one is written out: httpx, and joserfc to sign.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import time
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet

from tests.product.contracts.conftest import JOB, Doors
from tests.support.agent import SITE
from tests.support.elsewhere import Elsewhere, card, elsewhere

pytestmark = pytest.mark.anyio
HOST = "agents.voorbeeld.nl"
CLIENT = f"https://{HOST}/agent.json"
RESOURCE = f"{SITE}/api/v1"
ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
WANTS = [
    {
        "type": "urn:besluitbron:admission:v1",
        "class": "read",
        "actions": ["zoeken", "lijsten"],
        "purpose": {"code": "research"},
        "owner": {"name": "Redactie", "contact": "mailto:redactie@voorbeeld.example"},
        "expected_use": {"units": 20},
    }
]


class ByName(httpx.AsyncBaseTransport):
    """Finds the site under its public name, wherever it listens; nothing else can be reached."""

    def __init__(self, listens: httpx.URL) -> None:
        self._listens = listens
        self._inner = httpx.AsyncHTTPTransport()
        self.asked: list[str] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        assert str(request.url).startswith(f"{SITE}/"), request.url
        self.asked.append(request.url.path)
        request.url = request.url.copy_with(host=self._listens.host, port=self._listens.port)
        return await self._inner.handle_async_request(request)

    async def aclose(self) -> None:
        await self._inner.aclose()


@dataclass
class OAuthClient:
    """A confidential client by the standards. ``assertion``: how it says who it is, for an audience."""

    http: httpx.AsyncClient
    assertion: Callable[[str], str]
    client_id: str = ""
    own: ECKey = field(default_factory=lambda: ECKey.generate_key("P-256"))
    server: dict[str, Any] = field(default_factory=dict)
    resource: dict[str, Any] = field(default_factory=dict)
    granted: dict[str, Any] = field(default_factory=dict)

    async def discover(self, metadata: str, resource: str) -> None:
        """RFC 9728, section 3, and RFC 8414, section 3: each document says of itself what it is about."""
        self.resource = (await self.http.get(metadata)).json()
        assert self.resource["resource"] == resource
        issuer = self.resource["authorization_servers"][0]
        where = urlsplit(issuer)
        address = f"{where.scheme}://{where.netloc}/.well-known/oauth-authorization-server{where.path}"
        self.server = (await self.http.get(address)).json()
        assert self.server["issuer"] == issuer

    def proof(self, method: str, address: str, token: str = "") -> str:
        assert "ES256" in self.server["dpop_signing_alg_values_supported"]
        claims = {"jti": secrets.token_hex(12), "htm": method, "htu": address, "iat": int(time.time())}
        if token:
            claims["ath"] = urlsafe_b64encode(hashlib.sha256(token.encode()).digest()).rstrip(b"=").decode()
        public = {name: self.own.as_dict(private=False)[name] for name in ("kty", "crv", "x", "y")}
        return jwt.encode({"typ": "dpop+jwt", "alg": "ES256", "jwk": public}, claims, self.own)

    async def ask(self, grant: str, wants: Any, **form: str) -> httpx.Response:
        """A token of this grant for this resource."""
        assert grant in self.server["grant_types_supported"]
        assert {one["type"] for one in wants} <= set(self.server["authorization_details_types_supported"])
        proven = self.assertion(self.server["issuer"])
        if grant == BEARER:
            who = {"assertion": proven}
        else:
            assert "private_key_jwt" in self.server["token_endpoint_auth_methods_supported"]
            who = {"client_id": self.client_id, "client_assertion_type": ASSERTION, "client_assertion": proven}
        sent = (
            {
                "grant_type": grant,
                "scope": next(one for one in self.resource["scopes_supported"] if one.endswith(":read")),
                "resource": self.resource["resource"],
                "authorization_details": json.dumps(wants),
            }
            | who
            | form
        )
        address = self.server["token_endpoint"]
        answer = await self.http.post(address, data=sent, headers={"DPoP": self.proof("POST", address)})
        if answer.status_code == 200:
            self.granted = answer.json()
            assert self.granted["token_type"] == "DPoP"
        return answer

    async def use(self, method: str, address: str) -> httpx.Response:
        token = self.granted["access_token"]
        headers = {"Authorization": f"DPoP {token}", "DPoP": self.proof(method, address, token)}
        return await self.http.request(method, address, headers=headers)

    async def give_back(self) -> None:
        """RFC 7009."""
        address = self.server["revocation_endpoint"]
        told = {"token": self.granted["access_token"], "token_type_hint": "access_token"}
        answer = await self.http.post(address, data=told, headers={"DPoP": self.proof("POST", address)})
        assert answer.status_code == 200


OWN = ECKey.generate_key("P-256")


def own_word(audience: str) -> str:
    """RFC 7523, section 3, with a key that the client's own document names (``private_key_jwt``)."""
    now = int(time.time())
    claims = {"iss": CLIENT, "sub": CLIENT, "aud": audience, "iat": now, "exp": now + 60, "jti": secrets.token_hex(12)}
    return jwt.encode({"alg": "ES256", "kid": "k1"}, claims, OWN)


@pytest.fixture
async def web(tmp_path: Path) -> AsyncIterator[Elsewhere]:
    async with elsewhere(tmp_path, HOST) as one:
        shown = OWN.as_dict(private=False)
        one.pages[CLIENT] = card(CLIENT, {name: str(shown[name]) for name in ("kty", "crv", "x", "y")})
        yield one


@pytest.fixture
def trust(fetching: None, trust: dict[str, Any]) -> dict[str, Any]:
    return trust | {"clients": [HOST]}


@pytest.fixture
async def client(doors: Doors) -> AsyncIterator[OAuthClient]:
    async with httpx.AsyncClient(transport=ByName(doors.http.base_url), timeout=30) as http:
        yield OAuthClient(http, own_word, CLIENT)


def told_where(answer: httpx.Response) -> str:
    """``resource_metadata`` of a challenge (RFC 9728, section 5.1)."""
    assert answer.status_code == 401
    found = re.search(r'resource_metadata="([^"]+)"', answer.headers["www-authenticate"])
    assert found is not None
    return found[1]


async def test_it_walks_from_a_refusal_to_a_token_and_uses_it(client: OAuthClient) -> None:
    refused = await client.http.post(f"{RESOURCE}/rapporten", json={"vraag": "dijk"})
    await client.discover(told_where(refused), SITE)
    assert client.resource["dpop_bound_access_tokens_required"] is True
    assert client.resource["bearer_methods_supported"] == []
    answer = await client.ask("client_credentials", WANTS)
    assert answer.status_code == 200, answer.text
    assert client.granted["authorization_details"][0]["actions"] == ["zoeken", "lijsten"]
    keys = KeySet.import_key_set((await client.http.get(client.server["jwks_uri"])).json())
    token = jwt.decode(client.granted["access_token"], keys, algorithms=["Ed25519"])
    assert (token.header["typ"], token.claims["iss"], token.claims["client_id"]) == ("at+jwt", SITE, CLIENT)
    assert token.claims["cnf"]["jkt"] == client.own.thumbprint()
    found = await client.use("GET", f"{RESOURCE}/organisaties")
    assert found.status_code == 200
    assert found.headers["admission-cost"]
    await client.give_back()
    ended = await client.use("GET", f"{RESOURCE}/organisaties")
    assert ended.status_code == 401
    assert 'error="invalid_token"' in ended.headers["www-authenticate"]
    assert (await client.ask("client_credentials", WANTS)).status_code == 200
    assert (await client.use("GET", f"{RESOURCE}/organisaties")).status_code == 200


@pytest.mark.parametrize("path", ["", "/mcp/unified/v1"])
async def test_it_begins_at_the_address_that_the_standard_names(client: OAuthClient, path: str) -> None:
    """RFC 9728, section 3.1: the well-known part comes before the path of the resource."""
    await client.discover(f"{SITE}/.well-known/oauth-protected-resource{path}", f"{SITE}{path}")
    assert (await client.ask("client_credentials", WANTS)).status_code == 200


async def test_a_job_that_its_platform_vouches_for_needs_no_client_of_its_own(
    doors: Doors, client: OAuthClient
) -> None:
    """RFC 7523, section 2.1. What its token is for, its platform is told once: the address of this site's admission."""
    client.assertion = lambda audience: doors.platform.vouch(JOB, aud=f"{audience}/admission")
    await client.discover(f"{SITE}/.well-known/oauth-protected-resource", SITE)
    assert (await client.ask(BEARER, WANTS)).status_code == 200
    assert (await client.use("GET", f"{RESOURCE}/organisaties")).status_code == 200


async def test_a_token_is_no_bearer_token_and_its_proof_no_spare(client: OAuthClient) -> None:
    """Choice A1, attack 2."""
    await client.discover(f"{SITE}/.well-known/oauth-protected-resource", SITE)
    assert (await client.ask("client_credentials", WANTS)).status_code == 200
    address, token = f"{RESOURCE}/organisaties", client.granted["access_token"]
    answer = await client.http.get(address, headers={"Authorization": f"Bearer {token}"})
    assert (answer.status_code, answer.json()["reason"]) == (401, "token-invalid")
    headers = {"Authorization": f"DPoP {token}", "DPoP": client.proof("GET", f"{RESOURCE}/platforms", token)}
    answer = await client.http.get(address, headers=headers)
    assert 'error="invalid_dpop_proof"' in answer.headers["www-authenticate"]


@pytest.mark.parametrize(
    ("wants", "form", "error", "status"),
    [
        (WANTS, {"client_assertion": "a.b.c"}, "invalid_client", 401),
        (WANTS, {"client_id": f"https://{HOST}/ander.json"}, "invalid_client", 401),
        (WANTS, {"resource": "https://elders.example/"}, "invalid_target", 400),
        (WANTS, {"scope": "admission:read admission:write"}, "invalid_scope", 400),
        (WANTS, {"grant_type": "password"}, "unsupported_grant_type", 400),
        ([{**WANTS[0], "actions": ["alles"]}], {}, "invalid_authorization_details", 400),
        ([{**WANTS[0], "class": "write", "actions": ["rapport-aanvragen"]}], {}, "invalid_authorization_details", 400),
    ],
)
async def test_what_is_wrong_is_told_in_the_words_of_oauth(
    client: OAuthClient, wants: Any, form: dict[str, str], error: str, status: int
) -> None:
    """RFC 6749, section 5.2, and RFC 8707 and 9396; with our own problem beside it."""
    await client.discover(f"{SITE}/.well-known/oauth-protected-resource", SITE)
    answer = await client.ask("client_credentials", wants, **form)
    told = answer.json()
    assert (answer.status_code, told["error"], told["retryable"]) == (status, error, False)
    assert told["error_description"]
    assert answer.headers["cache-control"] == "private, no-store"
