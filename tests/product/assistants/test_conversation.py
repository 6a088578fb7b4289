"""A conversation that was recorded once, said again at its own pace to the whole product with its real limits."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from pytest_django import Settings

from besluitbron.asgi import make_application
from besluitbron.standins import make_application as make_stand_ins
from tests.support.conversation import Client, Said, read, replayed
from tests.support.serving import BOUND, served
from throttling.incoming import Incoming
from throttling.incoming_rules import SECOND, DoorRules, IncomingRules, Rate

pytestmark = pytest.mark.anyio
FOLDER: Final = Path(__file__).parent / "opname"
RECORDED: Final = read(FOLDER / "gesprek.jsonl")
BEGAN: Final = 1_000_000 * SECOND
"""Any moment: the clock of the limits stands still, and is set to the seconds of each request."""


@asynccontextmanager
async def product(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, rules: IncomingRules
) -> AsyncIterator[tuple[Client, Incoming]]:
    """The product with these limits, and the limits themselves."""
    opened: list[Incoming] = []

    class Kept(Incoming):
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            self.frozen = BEGAN
            opened.append(self)

    monkeypatch.setattr("besluitbron.composition.Incoming", Kept)
    settings.INCOMING_RULES = rules
    settings.SITE_ADDRESS = "http://localhost:8000"
    settings.PATIENCE_SECONDS = BOUND * 4
    async with served(make_stand_ins(settings.SITE_ADDRESS)) as stand_ins:
        settings.STAND_INS_ADDRESS = stand_ins
        async with (
            served(make_application(), lifespan="on") as site,
            httpx.AsyncClient(base_url=site, timeout=60, verify=False) as http,
        ):
            yield Client(http), opened[0]


async def again(client: Client, incoming: Incoming) -> list[Said]:
    def wait_until(seconds: float) -> None:
        incoming.frozen = BEGAN + round(seconds * SECOND)

    return await replayed(RECORDED, client, wait_until)


async def test_a_recorded_ordinary_conversation_meets_no_refusal(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the limits as they are when nobody sets any; every request is answered as it was."""
    async with product(settings, monkeypatch, IncomingRules()) as (client, incoming):
        heard = await again(client, incoming)
        assert not incoming.strict
    assert heard == RECORDED
    assert {one.status for one in heard} == {200, 202}


async def test_the_same_conversation_is_refused_where_a_limit_leaves_no_room_for_it(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So the limits count it, by the clock of the recording: five at once pass, and a step of five calls earns too little."""
    plenty = Rate(100_000)
    rules = IncomingRules(process=plenty, mcp=DoorRules(plenty, Rate(1, 5, 5)))
    async with product(settings, monkeypatch, rules) as (client, incoming):
        heard = await again(client, incoming)
    assert heard[0].status == 200
    assert 429 in {one.status for one in heard}


def test_the_recording_has_all_an_assistant_does_and_a_row_of_origin() -> None:
    (origin,) = [json.loads(line) for line in (FOLDER / "ORIGIN.jsonl").read_text(encoding="utf-8").splitlines()]
    assert origin["file"] == "gesprek.jsonl"
    assert origin["why_kept"]
    methods = [one.body["method"] for one in RECORDED]
    assert methods[:3] == ["initialize", "notifications/initialized", "tools/list"]
    called = [one.body["params"]["name"] for one in RECORDED if one.body["method"] == "tools/call"]
    assert {"zoek", "lees", "zoek_in_document", "controleer_citaat"} == set(called)
    assert called.count("lees") > 5
    assert [one.seconds for one in RECORDED] == sorted(one.seconds for one in RECORDED)
