"""Jobs with a contract in a running product: put straight into the store, with tokens signed by the keys of the site."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import time
from typing import Any

import httpx
from joserfc.jwk import OKPKey

from admission.contracts import Budget, Contract, Grant, Pool, Tier
from admission.gatehouse import Gatehouse
from admission.ledger import Ledger
from admission.proofs.dpop import token_hash
from admission.proofs.tokens import Approval
from admission.proofs.tokens import Grant as TokenGrant
from besluitbron.composition import Reach
from tests.admission.proofs.made import ed25519, proof_header, sign
from tests.support.admission import open_resting
from throttling.work import Access

SITE = "http://localhost:8000"
"""The public address of the product under test, which proofs are about; where it listens is another matter."""
ALL = ("bronnen", "lezen", "lijsten", "rapport-aanvragen", "rapport-annuleren", "rapport-lezen", "zoeken")
MODERN = "2026-07-28"
_NUMBERS = itertools.count()
GATEHOUSES: list[Gatehouse] = []
"""Those that were opened, the newest last."""


@asynccontextmanager
async def open_admission_of_a_test(reach: Reach) -> AsyncIterator[Gatehouse]:
    """As the product opens it, with a store that is loaded and nothing that looks after it."""
    async with open_resting(reach) as gatehouse:
        GATEHOUSES.append(gatehouse)
        yield gatehouse


FACTORY = f"{__name__}.open_admission_of_a_test"


@dataclass(slots=True)
class Job:
    """A program under a contract of its own."""

    http: httpx.AsyncClient
    house: Gatehouse
    contract: str
    own: OKPKey
    workload: str
    tokens: dict[Access, str] = field(default_factory=dict)

    @property
    def ledger(self) -> Ledger:
        return self.house.admissions

    def mint(self, access: Access = Access.READ, approval: Approval | None = None, **changed: Any) -> str:
        """A token of ours, for this job."""
        told: dict[str, Any] = {
            "subject": self.workload,
            "client": self.workload,
            "contract": self.contract,
            "handle": "r7k3m9q2",
            "token_class": access,
            "jkt": self.own.thumbprint(),
            "approval": approval,
        }
        jti = changed.pop("jti", f"tok-{next(_NUMBERS)}-{self.contract}")
        now = changed.pop("now", int(time()))
        return self.house.issuer.mint(TokenGrant(**(told | changed)), jti=jti, now=now)

    def proof(self, method: str, path: str, token: str | None, **changed: Any) -> str:
        told: dict[str, Any] = {
            "jti": f"p-{next(_NUMBERS)}-{time()}",
            "htm": method,
            "htu": f"{SITE}{path.partition('?')[0]}",
            "iat": int(time()),
        }
        if token is not None:
            told["ath"] = token_hash(token)
        return sign(proof_header(self.own), told | changed, self.own)

    def headers(
        self, method: str, path: str, access: Access = Access.READ, token: str = "", **changed: Any
    ) -> dict[str, str]:
        """What one request brings along."""
        token = token or self.tokens.setdefault(access, self.mint(access))
        return {"Authorization": f"DPoP {token}", "DPoP": self.proof(method, path, token, **changed)}

    async def call(
        self, method: str, path: str, access: Access = Access.READ, token: str = "", **request: Any
    ) -> httpx.Response:
        """One request under the contract."""
        headers = self.headers(method, path, access, token) | request.pop("headers", {})
        return await self.http.request(method, path, headers=headers, **request)

    async def get(self, path: str, **request: Any) -> httpx.Response:
        return await self.call("GET", path, **request)

    async def message(self, method: str, params: dict[str, Any] | None = None, **more: Any) -> httpx.Response:
        """One message of MCP 2026-07-28 under the contract."""
        body, told = message(method, params, more.pop("id", 7))
        path = more.pop("path", "/mcp/unified/v1")
        return await self.call("POST", path, headers=told | more.pop("headers", {}), json=body, **more)

    async def left(self) -> tuple[int, int, int]:
        """Units and state changes left, and calls in flight. A slot may come free a moment after its answer."""
        standing = await self.ledger.look(self.contract)
        for _ in range(20):
            if standing is None or not standing.in_flight:
                break
            await asyncio.sleep(0.01)
            standing = await self.ledger.look(self.contract)
        assert standing is not None
        return standing.left, standing.writes_left, standing.in_flight


def message(method: str, params: dict[str, Any] | None = None, about: Any = 7) -> tuple[dict[str, Any], dict[str, str]]:
    """A message of MCP 2026-07-28, with its headers."""
    prefix = "io.modelcontextprotocol/"
    meta = {f"{prefix}protocolVersion": MODERN, f"{prefix}clientCapabilities": {}}
    given = {**(params or {}), "_meta": meta}
    headers = {
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": MODERN,
        "Mcp-Method": method,
        "Host": "localhost",
    }
    if "name" in given:
        headers["Mcp-Name"] = str(given["name"])
    return {"jsonrpc": "2.0", "id": about, "method": method, "params": given}, headers


async def job(http: httpx.AsyncClient, house: Gatehouse, **changed: Any) -> Job:
    """A job with a contract that grants everything, unless it is told otherwise."""
    number = next(_NUMBERS)
    budget = {name: changed.pop(name) for name in ("in_flight", "units", "writes") if name in changed}
    asked = Budget(**({"in_flight": 5, "units": 100, "writes": 5} | budget))
    actions = changed.pop("actions", ALL)
    given: dict[str, Any] = {
        "id": f"ctr_{number:06}",
        "workload": f"spiffe://bank.example/job/{number}",
        "issuer": "bank.example",
        "tier": Tier.FEDERATED,
        "budget": asked,
        "most": Budget(in_flight=1000, units=1_000_000, writes=1000),
        "seconds": 3600.0,
        "grants": tuple(map(Grant, actions)),
    } | changed
    contract = Contract(**given)
    assert (await house.admissions.put(contract)).answer == "put"
    return Job(http, house, contract.id, ed25519(f"job {number}"), contract.workload)


__all__ = ["ALL", "FACTORY", "GATEHOUSES", "SITE", "Job", "Pool", "job", "message", "open_admission_of_a_test"]
