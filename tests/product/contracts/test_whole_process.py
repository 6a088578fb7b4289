"""The gatehouse as the product opens it: it loads its contracts by itself, and has them again after the store lost them."""

from __future__ import annotations

import asyncio

import pytest
from pytest_django import Settings

from tests.product.contracts.conftest import Doors, opened
from tests.support.agent import Platform
from tests.support.serving import BOUND
from tests.support.valkey import Valkey

pytestmark = pytest.mark.anyio


async def agreed(doors: Doors) -> None:
    """Wait until contracts are loaded, and make one."""
    agent = doors.job()
    async with asyncio.timeout(BOUND):
        while (await agent.negotiate()).status_code == 503:
            await asyncio.sleep(0.05)
    assert agent.contract["status"] == "active"
    doors.agents.append(agent)


@pytest.mark.usefixtures("database", "trusting")
async def test_a_contract_outlives_the_process_and_the_store(
    settings: Settings, platform: Platform, domain: Platform, store: Valkey
) -> None:
    """Attack 21: what a store forgot, the database has; a token goes on where it was."""
    settings.ADMISSION_FACTORY = "besluitbron.admission.open_admission"
    async with opened(settings, platform, domain) as doors:
        await agreed(doors)
        (agent,) = doors.agents
        assert (await agent.token()).status_code == 200
    store.flush()
    async with opened(settings, platform, domain) as doors:
        agent.http = doors.http
        async with asyncio.timeout(BOUND):
            while (answer := await agent.token()).status_code == 503:
                await asyncio.sleep(0.05)
        assert (answer.status_code, answer.json()["contract"]) == (200, agent.contract["contract"])
