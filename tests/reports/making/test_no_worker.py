"""Nobody makes reports: whoever asks for one, and whoever runs the place, hears what is true. No worker is started here."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from pytest_django import Settings

from connectors.moments import now
from reports.records import Reason, ReportStatus
from reports.rules import change
from reports.watching import AlarmKind
from tests.product.conftest import Product, running
from tests.product.test_reports_page import form_of, post
from tests.reports.making.conftest import CALM, PATIENCE
from tests.support.pages import main_text
from tests.support.threads import in_thread

pytestmark = pytest.mark.anyio


@pytest.fixture
async def product(settings: Settings) -> AsyncIterator[Product]:
    """A start that no worker takes is said again after a second, and nothing waits longer than some seconds."""
    await in_thread(change, replace(CALM, slots=1, lease=1.0, longest_wait=12.0), "beheerder", now())
    async with running(settings) as one:
        yield one


async def ask(product: Product, words: str) -> str:
    page = await product.site.get("/zoeken", params={"vraag": words})
    answer = await post(product, form_of(page.text))
    assert answer.status_code == 303, main_text(answer.text)
    return str(answer.headers["location"])


async def until(product: Product, address: str, state: ReportStatus) -> dict[str, object]:
    """How it stands, once it stands so; no other state comes after it."""
    async with asyncio.timeout(PATIENCE):
        while True:
            told: dict[str, object] = (await product.site.get(f"/api/v1{address}")).json()
            if told["staat"] == state:
                return told
            await asyncio.sleep(0.05)


async def test_without_any_worker_page_api_health_and_alarm_say_so_and_the_refusal_names_it(product: Product) -> None:
    """Rules L5, L6 and L11."""
    has_a_slot, waits = await ask(product, "zonnepanelen"), await ask(product, "windmolens")
    for address in (has_a_slot, waits):
        told = await until(product, address, ReportStatus.UNMANNED)
        assert (told["verwachteStart"], told["opnieuwNa"]) == (None, 10)
        text = main_text((await product.site.get(address)).text)
        assert "De machine die rapporten maakt, is nu niet bereikbaar." in text
        assert "aan de beurt" not in text
    async with asyncio.timeout(PATIENCE):
        while not (notes := (await product.site.get("/gezondheid/klaar")).json()["opmerkingen"]):
            await asyncio.sleep(0.1)
    assert ["geen werker" in note for note in notes] == [True]
    assert f'besluitbron_load_alarm{{alarm="{AlarmKind.NO_WORKER}"}} 1.0' in (await product.site.get("/metrics")).text
    for address in (has_a_slot, waits):
        told = await until(product, address, ReportStatus.REFUSED)
        assert told["reden"] == Reason.NO_WORKER
        text = main_text((await product.site.get(address)).text)
        assert "De machine die rapporten maakt, was te lang niet bereikbaar." in text
        assert "drukte" not in text
