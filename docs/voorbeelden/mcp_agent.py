"""Dezelfde agent met een gewoon MCP-programma (``pip install mcp``): elke POST krijgt een pasje en een bewijs mee.

Hoort bij ``agent.py`` in deze map. Roep gereedschap aan zoals altijd. Verandert het iets, dan wacht die aanroep tot een
beheerder keek: geef haar daar de tijd voor.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from agent import Agent, Refused
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

CHANGES = {"rapport_aanvragen": "rapport-aanvragen", "rapport_annuleren": "rapport-annuleren", "meld_fout": "meld-fout"}
"""Gereedschap dat iets verandert, met zijn handeling. Beide staan in ``/.well-known/admission-contract`` (``mcp_tools``)."""
REFUSED_HERE = 4000
"""De code van een weigering die al bij het pasje kwam; de reden staat in ``data``."""


class UnderContract(httpx2.AsyncBaseTransport):
    """Zet bij elk verzoek een pasje en een vers bewijs.

    ``agent``: met een contract, zoals in ``agent.py``. ``note``: wat de beheerder bij een wijziging leest.
    """

    def __init__(self, agent: Agent, note: str = "") -> None:
        self._agent = agent
        self._note = note
        self._inner = httpx2.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Stuur één verzoek. Wat er al bij het pasje misging, leest het MCP-programma als een weigering van de website."""
        body = await request.aread()
        try:
            request.headers.update(await asyncio.to_thread(self._headers, request, body))
            answer = await self._inner.handle_async_request(request)
            if answer.status_code == httpx2.codes.UNAUTHORIZED and not _change(body):
                # Het pasje is na 5 minuten voorbij.
                await answer.aclose()
                request.headers.update(await asyncio.to_thread(self._headers, request, body, anew=True))
                answer = await self._inner.handle_async_request(request)
        except Refused as refused:
            error = {"code": REFUSED_HERE, "message": str(refused), "data": refused.problem}
            return httpx2.Response(403, json={"jsonrpc": "2.0", "id": None, "error": error}, request=request)
        return answer

    async def aclose(self) -> None:
        """Sluit de verbindingen."""
        await self._inner.aclose()

    def _headers(self, request: httpx2.Request, body: bytes, *, anew: bool = False) -> dict[str, str]:
        method, path, change = request.method, request.url.path, _change(body)
        if change is None:
            return self._agent.read_headers(method, path, anew=anew)
        operation, arguments = change
        return self._agent.change_headers(
            method, path, operation, json.dumps(arguments, ensure_ascii=False), self._note
        )


def _change(body: bytes) -> tuple[str, dict[str, Any]] | None:
    """De handeling en de argumenten van een aanroep die iets verandert."""
    message = json.loads(body) if body else {}
    params = message.get("params") or {}
    operation = CHANGES.get(params.get("name", "")) if message.get("method") == "tools/call" else None
    return None if operation is None else (operation, params.get("arguments") or {})


@asynccontextmanager
async def connected(agent: Agent, address: str, note: str = "") -> AsyncIterator[Client]:
    """Een MCP-programma onder het contract van ``agent``, verbonden met ``address``.

    Een weigering komt als ``MCPError``; in ``error.data`` staat het probleem. Is ``retryable`` daarin false, houd dan op.
    """
    async with (
        httpx2.AsyncClient(transport=UnderContract(agent, note), timeout=60) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        yield client
