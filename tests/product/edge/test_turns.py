"""What asks a source under a contract waits for its turn there as everybody does: as its contract, and as nobody else."""

from __future__ import annotations

import pytest
from django.conf import settings as product_settings

from besluitbron.limits import queue_rules
from connectors.platforms import PLATFORMS
from tests.product.edge.conftest import Make
from throttling.memory import ForgetfulMemory
from throttling.outgoing import Outgoing
from throttling.store import Store

pytestmark = pytest.mark.anyio
QUEUE = "rechtspraak/zoeken"


async def used() -> dict[str, float]:
    """What each session used of the turns at one source."""
    rules = queue_rules(PLATFORMS, product_settings.OPTIONS.limits)
    async with (
        Store(product_settings.STATE_STORE) as store,
        Outgoing(store, {QUEUE: rules[QUEUE]}, ForgetfulMemory()) as turns,
    ):
        return {one.name: one.used for one in (await turns.snapshot(QUEUE)).sessions}


async def test_the_session_of_the_outgoing_turns_is_the_contract_at_every_door(make: Make) -> None:
    """Two contracts of one address do not share their turns, and no door counts for the address or for the house."""
    jobs = [await make() for _ in range(3)]
    api, page, mcp = jobs
    for job, path in ((api, "/api/v1/_zoek"), (page, "/zoeken")):
        assert (await job.get(f"{path}?vraag={job.contract}&platform=rechtspraak")).status_code == 200
    asked = {"name": "zoek", "arguments": {"vraag": "uitkering", "platforms": ["rechtspraak"]}}
    assert (await mcp.message("tools/call", asked)).json()["result"]["structuredContent"]
    found = await used()
    assert set(found) == {f"contract:{job.contract}" for job in jobs}
    assert all(found.values())
