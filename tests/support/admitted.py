"""Requests as the edge hands them on: admitted under a contract, as far as what comes after it can tell."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.types import ASGIApp, Receive, Scope, Send

from throttling.admitted import STATE, Admitted
from throttling.work import Access

CONTRACT = "ctr_7q2m4kx3v9"
WORKLOAD = "spiffe://bank.example/agent/indexer"


def under(operation: str, access: Access = Access.WRITE, contract: str = CONTRACT) -> Admitted:
    """A request that a contract covers."""
    return Admitted(contract=contract, workload=WORKLOAD, operation=operation, access=access)


@dataclass(slots=True)
class UnderContract:
    """ASGI middleware in the place of the edge: ``admitted`` holds for every request from now on."""

    app: ASGIApp
    admitted: Admitted | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand one request on."""
        if scope["type"] == "http" and self.admitted is not None:
            scope["state"] = {**scope["state"], STATE: self.admitted}
        await self.app(scope, receive, send)
