"""Two real processes of the product with one store: what one session may is counted together, also when one dies."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import httpx
import pytest

from benchmarks.incoming_sdk import request, serving
from benchmarks.mcp_apps import STORE
from benchmarks.prepared import prepare
from tests.support.valkey import Valkey

pytestmark = [pytest.mark.anyio, pytest.mark.lang]


async def test_two_processes_let_through_what_one_session_may_and_no_more(store: Valkey, tmp_path: Path) -> None:
    limits = "connector=1/60:30,session=1/60:10"
    made = await prepare(tmp_path, BESLUITBRON_PROXIES="127.0.0.1", BESLUITBRON_MCP_RATE_LIMIT=limits)
    environment = {**made, STORE: store.address}
    async with (
        serving("limited", environment) as one,
        serving("limited", environment) as other,
        httpx.AsyncClient(timeout=60, verify=False) as http,
    ):

        async def ask(port: int, address: str) -> int:
            head, _, body = request("2026-07-28").partition(b"\r\n\r\n")
            headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:])
            headers["x-forwarded-for"] = address
            answer = await http.post(f"http://127.0.0.1:{port}/mcp/opentk/v1", content=body, headers=headers)
            return answer.status_code

        began = time.monotonic()
        alone = await asyncio.gather(*(ask(port, "203.0.113.1") for _ in range(30) for port in (one, other)))
        crowd = await asyncio.gather(*(ask(port, f"203.0.113.{n + 2}") for n in range(40) for port in (one, other)))
        earned = int((time.monotonic() - began) / 60) + 1
        assert set(alone + crowd) == {200, 429}
        assert 10 <= alone.count(200) <= 10 + earned
        assert 30 <= (alone + crowd).count(200) <= 30 + earned
