"""The whole product on loopback: stand-ins and site, each a real server, asked over real HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import httpx
import pytest
from pytest_django import Settings

from besluitbron.asgi import make_application
from besluitbron.standins import make_application as make_stand_ins
from tests.support.serving import served


@dataclass(frozen=True, slots=True)
class Product:
    """A running product: ``site`` asks the pages, ``stand_ins`` the control address."""

    site: httpx.AsyncClient
    stand_ins: httpx.AsyncClient

    async def put(self, platform: str, state: str, seconds: float = 5) -> None:
        """Change how a stand-in behaves."""
        answer = await self.stand_ins.post(f"/_stand/{platform}", json={"staat": state, "seconden": seconds})
        assert answer.status_code == 200

    async def counted(self, platform: str) -> dict[str, float]:
        """What a stand-in has counted."""
        answer = await self.stand_ins.get(f"/_stand/{platform}")
        counted: dict[str, float] = answer.json()
        return counted


@pytest.fixture
async def product(settings: Settings) -> AsyncIterator[Product]:
    pages = "http://localhost:8000"
    settings.SITE_ADDRESS = pages
    async with served(make_stand_ins(pages)) as stand_ins:
        settings.STAND_INS_ADDRESS = stand_ins
        async with (
            served(make_application(), lifespan="on") as site,
            httpx.AsyncClient(base_url=site, timeout=30, verify=False) as browser,
            httpx.AsyncClient(base_url=stand_ins, verify=False) as control,
        ):
            yield Product(browser, control)
            await asyncio.sleep(0)
