"""Dezelfde agent met een gewoon MCP-programma (``pip install mcp``): elke POST krijgt een pasje en een bewijs mee.

Hoort bij ``agent.py`` in deze map. Alleen lezen: veranderen gaat met ``Agent.ask_report`` en ``Agent.report_fault``.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


class UnderContract(httpx2.Auth):
    """Zet bij elk verzoek een pasje en een vers bewijs. ``agent``: met een contract, zoals in ``agent.py``."""

    def __init__(self, agent: Any) -> None:
        self._agent = agent

    async def async_auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        """Voor elk verzoek opnieuw: een bewijs geldt één keer."""
        headers = await asyncio.to_thread(self._agent.read_headers, request.method, request.url.path)
        request.headers.update(headers)
        yield request


@asynccontextmanager
async def connected(agent: Any, address: str) -> AsyncIterator[Client]:
    """Een MCP-programma onder het contract van ``agent``, verbonden met ``address``.

    Een weigering komt als ``MCPError``; in ``error.data`` staat het probleem. Is ``retryable`` daarin false, houd dan op.
    """
    async with (
        httpx2.AsyncClient(auth=UnderContract(agent), timeout=60) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        yield client
