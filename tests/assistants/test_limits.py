"""What the incoming limits and the MCP layer settle together: openings, batches, conversations, refusals a client can read."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from mcp import Client, MCPError

from assistants.sessions import HANDLE_KEY
from tests.support.assistants import BOTH, ENDPOINT, Demo, Mouth, demo_server, hello, older, shell
from tests.support.serving import served
from tests.support.valkey import Valkey
from throttling.incoming_rules import DoorRules, IncomingRules, Rate

pytestmark = pytest.mark.anyio
_PLENTY = Rate(10_000)
_HOUR = 3600


def _rules(*, session: Rate = _PLENTY, opening: Rate = _PLENTY) -> IncomingRules:
    return IncomingRules(process=_PLENTY, mcp=DoorRules(_PLENTY, session), opening=opening)


@asynccontextmanager
async def _site(valkey: Valkey, folder: Path, rules: IncomingRules) -> AsyncIterator[tuple[str, Mouth]]:
    valkey.flush()
    app = shell(demo_server(Demo().tools()), valkey.address, folder, rules=rules)
    async with (
        served(app, lifespan="on") as address,
        httpx.AsyncClient(base_url=address, timeout=30, verify=False) as browser,
    ):
        yield address, Mouth(browser)


async def test_an_address_opens_no_more_sessions_than_its_limit(valkey: Valkey, tmp_path: Path) -> None:
    async with _site(valkey, tmp_path, _rules(opening=Rate(2, 2 * _HOUR // 60))) as (_, mouth):
        first, _ = await mouth.open(), await mouth.open()
        refused = await mouth.browser.post(ENDPOINT, json=hello(), headers=BOTH)
        assert refused.status_code == 429
        assert 1 <= int(refused.headers["retry-after"]) <= 60
        error = refused.json()["error"]
        assert (refused.json()["id"], error["code"]) == (0, 4292)
        assert error["data"]["violated-policies"] == ["opening"]
        names = [re.findall(r'"(\w+)"', refused.headers[field]) for field in ("ratelimit-policy", "ratelimit")]
        assert names == [["opening", "process", "connector", "session"]] * 2
        assert refused.headers["ratelimit-policy"].startswith('"opening";q=2;w=120')
        assert re.match(rf'"opening";r=0;t={refused.headers["retry-after"]}, ', refused.headers["ratelimit"])
        assert refused.headers["cache-control"] == "no-store"
        assert "mcp-session-id" not in refused.headers
        assert (await mouth.older(first, older("ping"))).status_code == 200


async def test_an_address_begins_no_more_conversations_and_yet_is_answered(valkey: Valkey, tmp_path: Path) -> None:
    call = {"name": "zeg", "arguments": {"woord": "a"}}
    async with _site(valkey, tmp_path, _rules(opening=Rate(1, 60))) as (_, mouth):
        metas = [(await mouth.modern("tools/call", call)).json()["result"]["_meta"] for _ in range(2)]
        assert [HANDLE_KEY in meta for meta in metas] == [True, False]
        goes_on = await mouth.modern("tools/call", call, meta={HANDLE_KEY: metas[0][HANDLE_KEY]})
        assert HANDLE_KEY in goes_on.json()["result"]["_meta"]
        assert (await mouth.open())["mcp-session-id"]  # sessions have openings of their own


async def test_each_message_of_a_batch_counts(valkey: Valkey, tmp_path: Path) -> None:
    async with _site(valkey, tmp_path, _rules(session=Rate(1, 60, 3))) as (_, mouth):
        headers = await mouth.open("2025-03-26")
        answer = await mouth.older(headers, [older("ping", about=about) for about in range(5)])
        assert [each.get("result") for each in answer.json()] == [{}, {}, {}, None, None]
        assert [each["id"] for each in answer.json()] == list(range(5))
        refused = answer.json()[-1]["error"]
        assert (refused["code"], refused["data"]["violated-policies"]) == (4292, ["session"])
        assert (await mouth.older(headers, older("ping"))).status_code == 429


async def test_forging_sessions_buys_nothing(valkey: Valkey, tmp_path: Path) -> None:
    async with _site(valkey, tmp_path, _rules(session=Rate(1, 60, 3))) as (_, mouth):
        seen = []
        for number in range(5):
            forged = {**BOTH, "mcp-session-id": f"x{number}.unified-2025-11-25.y"}
            seen.append((await mouth.older(forged, older("ping"))).status_code)
        assert seen == [404, 404, 404, 429, 429]
        assert (await mouth.older(BOTH, older("ping"))).status_code == 429


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_real_client_is_told_that_it_asked_too_much(valkey: Valkey, tmp_path: Path, mode: str) -> None:
    async with (
        _site(valkey, tmp_path, _rules(session=Rate(1, 60, 6))) as (address, _),
        Client(f"{address}{ENDPOINT}", mode=mode) as client,
    ):

        async def ask_too_much() -> None:
            for _ in range(8):
                await client.call_tool("zeg", {"woord": "a"})

        with pytest.raises(MCPError) as refused:
            await ask_too_much()
        assert refused.value.error.code == 4292
        assert refused.value.error.data["retryAfter"] >= 1
