"""An operator changes the threshold on the page, and whoever asks for reports sees the effect, without a restart."""

from __future__ import annotations

import asyncio

import pytest

from reports.records import ReportStatus
from tests.product.conftest import Product
from tests.reports.making.conftest import PATIENCE
from tests.reports.making.operators import FORM, RULES, operator
from tests.reports.making.test_through_the_pages import ask, product, state
from tests.support.pages import main_text
from tests.support.threads import in_thread

__all__ = ["product"]
pytestmark = pytest.mark.anyio
ONE = {"shut_plaatsen": "20"}
"""Of five slots, one is used."""


async def test_a_changed_threshold_lets_a_report_that_waits_start_and_a_new_one_wait(product: Product) -> None:
    """Rule L12, by the doors alone: the operators' form, the pages of who asks, and the API."""
    client = await in_thread(operator, "view_loadchange", "change_loadchange")

    async def set_rules(minutes: str, **changes: str) -> None:
        """Set them, and wait until the website says what it goes by: it reads them within seconds."""
        answer = await in_thread(client.post, RULES, FORM | changes | {"longest_wait": minutes})
        assert answer.status_code == 302
        async with asyncio.timeout(PATIENCE):
            while f"langer dan {minutes} minuten" not in main_text((await product.site.get("/rapporten")).text):
                await asyncio.sleep(0.1)

    await set_rules("29", **ONE)
    first, waits = await ask(product, "zon"), await ask(product, "wind")
    assert [await state(product, one) for one in (first, waits)] == [ReportStatus.REQUESTED, ReportStatus.WAITS]
    assert "U bent nummer 1 in de rij." in main_text((await product.site.get(waits)).text)
    await set_rules("28")
    assert await state(product, waits) == ReportStatus.REQUESTED
    assert "Uw rapport is aan de beurt." in main_text((await product.site.get(waits)).text)
    await set_rules("27", **ONE)
    assert await state(product, await ask(product, "water")) == ReportStatus.WAITS
    assert [await state(product, one) for one in (first, waits)] == [ReportStatus.REQUESTED, ReportStatus.REQUESTED]
