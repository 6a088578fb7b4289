"""Nobody makes reports: whoever asks for one, and whoever runs the place, hears what is true. No worker is started here."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from pytest_django import Settings

from besluitbron.running.options import Options
from connectors.moments import now
from reports.records import Reason, ReportStatus
from reports.rules import change
from reports.watching import AlarmKind
from tests.product.conftest import Product, running
from tests.product.test_reports_page import form_of, post
from tests.reports.making.conftest import CALM, PATIENCE, worker
from tests.reports.making.operators import PAGE, operator
from tests.support.pages import main_text
from tests.support.threads import in_thread
from tests.throttling.test_presence import AgedStore

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
        assert "De machine die rapporten maakt, neemt nu geen werk aan." in text
        assert "Wacht het langer dan 1 minuut, dan weigeren we het." in text
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
        assert "De machine die rapporten maakt, nam te lang geen werk aan." in text
        assert "drukte" not in text


async def notes(product: Product) -> list[str]:
    found: list[str] = (await product.site.get("/gezondheid/klaar")).json()["opmerkingen"]
    return found


async def test_a_missing_worker_is_said_before_anybody_asks_for_a_report_and_no_more_once_it_is_there(
    product: Product, to_worker: Options, settings: Settings
) -> None:
    """On ``/status`` in both languages, in the health note, in the admin and at ``/metrics``: by its sign of life alone."""
    async with AgedStore(settings.STATE_STORE) as store, asyncio.timeout(PATIENCE):
        while True:
            await store.set_back("rapporten", 600)
            if said := await notes(product):
                break
            await asyncio.sleep(0.1)
        assert ["geen teken van leven" in note for note in said] == [True]
        for address, words in (("/status", "geen teken van leven"), ("/en/status", "no sign of life")):
            assert words in main_text((await product.site.get(address)).text)
        ringing = f'besluitbron_load_alarm{{alarm="{AlarmKind.NO_WORKER}"}} 1.0'
        assert ringing in (await product.site.get("/metrics")).text
        client = await in_thread(operator, "view_loadchange")
        assert "Er is al 10 min geen werker" in (await in_thread(client.get, PAGE)).content.decode()
        with worker(to_worker, settings.STAND_INS_ADDRESS):
            while await notes(product):
                await asyncio.sleep(0.1)
