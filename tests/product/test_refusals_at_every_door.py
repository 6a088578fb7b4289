"""Each of the three limits at each way in, over real HTTP: status, fields and body of a refusal; none for who asks little."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import httpx
import pytest
from pytest_django import Settings

from tests.product.test_incoming import ONE, OTHER, PLENTY, Site, rules, site
from throttling.incoming_rules import DoorRules, IncomingRules, Rate

pytestmark = pytest.mark.anyio
FEW = Rate(2, 60, 2)
LIMITS = ("process", "connector", "session")
DOORS = ("assistant", "program", "reader")


def tight(limit: str) -> IncomingRules:
    """Plenty everywhere, and two a minute by this limit at every door."""
    door = DoorRules(FEW if limit == "connector" else PLENTY, FEW if limit == "session" else PLENTY)
    return replace(rules(process=FEW if limit == "process" else PLENTY), mcp=door, page=door, api=door)


async def ask(one: Site, door: str, address: str) -> httpx.Response:
    if door == "assistant":
        return await one.tools(address=address)
    if door == "program":
        return await one.get("/api/v1/platforms", address)
    return await one.get("/", address, Accept="text/html")


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("door", DOORS)
async def test_a_refusal_has_status_fields_and_the_body_of_its_door(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, door: str, limit: str
) -> None:
    async with site(settings, tight(limit), monkeypatch) as one:
        assert [(await ask(one, door, ONE)).status_code for _ in range(2)] == [200, 200]
        refused = await ask(one, door, ONE)
        others = await ask(one, door, OTHER)
    named = ["process"] if limit == "process" else list(LIMITS)  # it refuses before the store is asked of the others
    assert refused.status_code == 429
    assert others.status_code == (200 if limit == "session" else 429)
    assert 1 <= int(refused.headers["retry-after"]) <= 30
    assert re.findall(r'"(\w+)";q=\d+;w=\d+', refused.headers["ratelimit-policy"]) == named
    assert f'"{limit}";q=2;w=60' in refused.headers["ratelimit-policy"]
    assert f'"{limit}";r=0;t={refused.headers["retry-after"]}' in refused.headers["ratelimit"]
    assert refused.headers["cache-control"] == "no-store"
    if door == "reader":
        assert refused.headers["content-type"].startswith("text/html")
        assert "Het is hier nu te druk" in refused.text
        return
    if door == "program":
        assert refused.headers["content-type"] == "application/problem+json"
        problem = refused.json()
    else:
        assert (refused.json()["jsonrpc"], refused.json()["id"]) == ("2.0", 11)
        problem = refused.json()["error"]["data"]
    assert (problem["status"], problem["violated-policies"]) == (429, [limit])
    assert problem["retryAfter"] == int(refused.headers["retry-after"])


async def test_an_ordinary_conversation_meets_no_refusal(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """As an assistant works: it looks what there is, asks a few things at once, reads on, and does so again."""
    turns = [1, 1, 4, 2, 6, 1, 3, 8, 2, 5, 1, 1]
    async with site(settings, IncomingRules(), monkeypatch) as one:
        for together in turns:
            answers = await asyncio.gather(*(one.tools() for _ in range(together)))
            assert {answer.status_code for answer in answers} == {200}
