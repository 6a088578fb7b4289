"""The whole product: a person asks on the page, a real worker makes it, and the page, its files and the API give it."""

from __future__ import annotations

import asyncio
import io
import math
import re
from collections.abc import AsyncIterator
from datetime import datetime, timedelta

import pytest
from lxml import html
from pypdf import PdfReader
from pytest_django import Settings

from besluitbron.running.options import Options
from connectors.moments import AMSTERDAM
from reports.records import ReportStatus
from tests.product.conftest import Product, running
from tests.product.test_reports_page import form_of, post
from tests.reports.making.conftest import PATIENCE, worker
from tests.support.pages import main_text
from throttling.incoming_rules import DoorRules, IncomingRules, Rate

pytestmark = pytest.mark.anyio


@pytest.fixture
async def product(settings: Settings) -> AsyncIterator[Product]:
    plenty = Rate(100_000)
    doors = DoorRules(plenty, plenty)
    settings.INCOMING_RULES = IncomingRules(process=plenty, mcp=doors, page=doors, api=doors, vendors={})
    async with running(settings) as one:
        yield one


async def ask(product: Product, words: str = "zonnepanelen") -> str:
    """The address of a report that was asked for below the answers."""
    page = await product.site.get("/zoeken", params={"vraag": words})
    answer = await post(product, form_of(page.text))
    assert answer.status_code == 303, main_text(answer.text)
    return str(answer.headers["location"])


async def state(product: Product, address: str) -> str:
    found: str = (await product.site.get(f"/api/v1{address}")).json()["staat"]
    return found


async def test_a_report_over_all_bodies_goes_from_the_button_to_the_paper(
    product: Product, settings: Settings, to_worker: Options
) -> None:
    address = await ask(product)
    assert await state(product, address) == ReportStatus.REQUESTED
    assert "Uw rapport is aan de beurt." in main_text((await product.site.get(address)).text)
    with worker(to_worker, settings.STAND_INS_ADDRESS):
        async with asyncio.timeout(PATIENCE):
            while await state(product, address) != ReportStatus.READY:
                await asyncio.sleep(0.1)
    page = (await product.site.get(address)).text
    found = (await product.site.get(f"/api/v1{address}")).json()["uitkomst"]
    titles = html.document_fromstring(page).xpath("//ul[@class='treffers']/li")
    assert len(titles) == found["aantal"] > 10
    assert len(found["perOrganisatie"]) > 3
    assert len(html.document_fromstring(page).xpath("//mark")) > 5
    assert "heeft meer treffers dan in dit rapport passen." in main_text(page)
    paper = PdfReader(io.BytesIO((await product.site.get(f"{address}.pdf")).content))
    assert paper.metadata is not None
    assert paper.metadata.title == "Rapport: zonnepanelen"
    rows = (await product.site.get(f"{address}.ris")).text.count("TY  - ")
    assert rows == found["aantal"]
    assert await ask(product) == address


async def test_who_asks_too_many_in_an_hour_hears_when_to_come_back_and_the_earlier_ones_stay(product: Product) -> None:
    """Rule L12."""
    addresses = [await ask(product, words) for words in ("zon", "wind", "water", "gas", "licht")]
    assert len(set(addresses)) == 5
    page = await product.site.get("/zoeken", params={"vraag": "kernenergie"})
    refused = await post(product, form_of(page.text))
    assert (refused.status_code, 3000 < int(refused.headers["retry-after"]) <= 3600) == (429, True)
    assert re.search(r"Vraag het na \d\d:\d\d uur opnieuw aan|Vraag het na .* om \d\d:\d\d", main_text(refused.text))
    assert await ask(product, "zon") == addresses[0]


async def test_a_report_that_was_cancelled_stays_so_and_is_cancelled_again_without_a_fault(product: Product) -> None:
    address = await ask(product)
    fields = form_of((await product.site.get(address)).text, f"{address}/annuleren")
    for _ in range(2):
        assert (await post(product, fields, f"{address}/annuleren")).status_code == 303
        assert await state(product, address) == ReportStatus.CANCELLED
    again = form_of((await product.site.get(address)).text)
    answer = await post(product, again)
    assert answer.headers["location"] != address
    assert await state(product, address) == ReportStatus.CANCELLED


async def test_a_report_that_waits_says_its_place_and_when_it_starts(product: Product) -> None:
    """Rule L5: the page and the API say the same start, as a clock reads it."""
    for words in ("zon", "wind", "water", "gas"):
        await ask(product, words)
    address = await ask(product, "licht")
    text = main_text((await product.site.get(address)).text)
    assert "U bent nummer 1 in de rij." in text
    found = (await product.site.get(f"/api/v1{address}")).json()
    assert (found["staat"], found["plaats"]) == ("wacht", 1)
    asked, starts = (datetime.fromisoformat(found[name]) for name in ("tijdstip", "verwachteStart"))
    wait = starts - asked
    assert timedelta(seconds=1) <= wait <= timedelta(minutes=30)
    said = re.search(r"begint over (minder dan een minuut|ongeveer (\d+) minu\w+), rond (\d\d):(\d\d) uur", text)
    assert said is not None
    assert abs(int(said[2] or 1) - math.ceil(wait.total_seconds() / 60)) <= 1
    local = starts.astimezone(AMSTERDAM)
    minutes = abs(int(said[3]) * 60 + int(said[4]) - local.hour * 60 - local.minute)
    assert min(minutes, 24 * 60 - minutes) <= 2
