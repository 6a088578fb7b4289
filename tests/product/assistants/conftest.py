"""Tools on a real federation, which asks the stand-ins over real HTTP with real turns."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator
from pytest_django import Settings

from assistants.arguments import called
from assistants.tool import Outcome, Visit
from assistants.tools import tools_for
from besluitbron.composition import open_federation, open_reach
from besluitbron.standins import make_application
from connectors.platforms import PLATFORMS
from tests.support.serving import BOUND, served
from throttling.callers import Caller

PAGES = "http://localhost:8000"
KEYS = tuple(platform.key for platform in PLATFORMS)


@dataclass(slots=True)
class Assistant:
    """Calls tools as an assistant does, and holds every outcome against the schema of its tool."""

    visit: Visit
    control: httpx.AsyncClient
    told: list[str] = field(default_factory=list)

    async def call(self, name: str, **given: Any) -> Outcome:
        (tool,) = (tool for tool in tools_for(self.visit.platforms) if tool.name == name)
        outcome = await called(tool, given, self.visit)
        Draft202012Validator(dict(tool.output_schema)).validate(outcome.data)
        return outcome

    async def data(self, name: str, **given: Any) -> dict[str, Any]:
        return (await self.call(name, **given)).data

    def at(self, *platforms: str) -> Assistant:
        """The same at the endpoint of these platforms."""
        return replace(self, visit=replace(self.visit, platforms=platforms))

    async def put(self, platform: str, state: str, seconds: float = 5) -> None:
        """Change how a stand-in behaves."""
        answer = await self.control.post(f"/_stand/{platform}", json={"staat": state, "seconden": seconds})
        assert answer.status_code == 200


@pytest.fixture
async def assistant(settings: Settings) -> AsyncIterator[Assistant]:
    settings.SITE_ADDRESS = PAGES
    settings.PATIENCE_SECONDS = BOUND * 4
    async with served(make_application(PAGES)) as stand_ins:
        settings.STAND_INS_ADDRESS = stand_ins
        async with (
            open_reach() as reach,
            open_federation(reach) as federation,
            httpx.AsyncClient(base_url=stand_ins, verify=False) as control,
        ):
            told: list[str] = []

            async def tell(text: str) -> None:
                told.append(text)

            caller = Caller(session="mcp:proef", heir_of="adres:proef")
            visit = Visit(federation=federation, platforms=KEYS, caller=caller, tell=tell, pages=PAGES)
            yield Assistant(visit, control, told)
