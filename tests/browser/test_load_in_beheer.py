"""An operator at a real browser before the pages on load and reports: narrow and dark, with changes to look at."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.async_api import Browser

from connectors.moments import now
from reports.rules import change
from tests.product.conftest import Product
from tests.support.browsing import NARROW, too_wide
from tests.support.operators import operator, own_faults, pictured
from throttling.load_rules import LoadRules, Signal

pytestmark = [pytest.mark.anyio, pytest.mark.django_db(transaction=True)]
LOAD = "/beheer/reports/loadchange/"


def fill() -> None:
    """Two changes."""
    change(replace(LoadRules(), slots=1, longest_wait=600.0), "els-met-een-lange-naam@gemeente.example", now())
    change(replace(LoadRules(), slots=3, counts=frozenset({Signal.SLOTS, Signal.PROCESSOR})), "beheer", now())


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_the_pages_on_load_fit_in_a_narrow_window_and_the_last_change_is_set_back_there(
    browser: Browser, product: Product, scheme: str
) -> None:
    async with operator(browser, product, fill, viewport=NARROW, color_scheme=scheme) as page:

        async def look(name: str) -> None:
            await pictured(page, f"{scheme}-{name}")
            assert await too_wide(page) == [], name
            assert await own_faults(page) == [], name

        await page.goto(f"{LOAD}regels/")
        await look("regels")
        await page.locator("[name=open_database]").fill("90")
        await page.get_by_role("button", name="Stel deze regels in").click()
        await page.get_by_text("Database: de lage drempel (90 %) ligt boven de hoge (80 %).").first.wait_for()
        await look("regels-fout")
        await page.goto(LOAD)
        await look("drukte")
        await page.get_by_role("link", name="Zet de laatste wijziging terug").click()
        await look("terug")
        await page.get_by_role("button", name="Ja, zet terug").click()
        await page.get_by_text("De laatste wijziging is teruggezet.").wait_for()
        await look("teruggezet")
