"""From the form below the answers to the finished report: the real website, its real desk, database and store."""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import AsyncIterator

import httpx
import pytest
from pytest_django import Settings

from besluitbron.asgi import make_application
from tests.reports.making.conftest import Bureau, capped
from tests.support.serving import served

pytestmark = pytest.mark.anyio
_FORM = re.compile(r'<form method="post" action="/rapporten">(.*?)</form>', re.DOTALL)


@pytest.fixture
async def site(bureau: Bureau, settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    settings.PATIENCE_SECONDS = 40.0
    async with (
        served(make_application(), lifespan="on") as address,
        httpx.AsyncClient(base_url=address, timeout=60, verify=False) as client,
    ):
        yield client


async def asked(site: httpx.AsyncClient, question: str, *platforms: str) -> httpx.Response:
    """The form of the page of a question, sent as a browser does."""
    page = (await site.get("/zoeken", params={"vraag": question, "platform": platforms})).text
    form = _FORM.search(page)
    assert form is not None
    fields = {name: html.unescape(value) for name, value in re.findall(r'name="([a-z-]+)" value="([^"]*)"', form[1])}
    return await site.post("/rapporten", data=fields, headers={"Sec-Fetch-Site": "same-origin"})


async def test_a_person_asks_for_a_report_sees_how_it_stands_and_reads_it(
    site: httpx.AsyncClient, bureau: Bureau
) -> None:
    answer = await asked(site, "zonnepanelen")
    assert answer.status_code == 303
    where = answer.headers["location"]
    assert (await site.get(where)).status_code == 200
    told = (await site.get(f"/api/v1{where}")).json()
    assert told["staat"] == "aangevraagd"
    assert (await asked(site, "zonnepanelen")).headers["location"] == where
    await bureau.work()
    assert (await site.get(f"/api/v1{where}")).json()["staat"] == "klaar"
    page = await site.get(where)
    assert page.status_code == 200
    assert "zonnepanelen" in page.text
    for form in ("csv", "json", "ris"):
        assert (await site.get(f"{where}.{form}")).status_code == 200


@pytest.mark.parametrize(("question", "holds"), [("parkeren qqqq", False), ("warmtenet Stationskwartier", True)])
async def test_a_report_neither_holds_nor_counts_what_only_looks_like_the_question(
    site: httpx.AsyncClient, bureau: Bureau, settings: Settings, question: str, *, holds: bool
) -> None:
    capped(settings, hits=500, texts=0)
    where = (await asked(site, question, "open-archivaris")).headers["location"]
    await bureau.work()
    report = (await site.get(f"{where}.json")).json()
    assert bool(report["aantal"]) is holds
    assert len(report["stukken"]) == sum(body["aantal"] for body in report["perOrganisatie"]) == report["aantal"]
    assert not any(one["treffer"]["lijktErop"] for one in report["stukken"])
    (left_out,) = report["ontbreekt"]
    assert left_out["reden"] == "lijkt-erop"
    assert "niet in dit rapport" in left_out["melding"]
    assert left_out["melding"] in html.unescape((await site.get(where)).text)
    (source,) = report["bronnen"]
    assert source["totaal"] == {"waarde": report["aantal"], "zekerheid": "minstens"}
    assert source["inRapport"] == report["aantal"]


async def test_the_page_of_an_address_that_nobody_has_is_not_there(site: httpx.AsyncClient) -> None:
    assert (await site.get("/rapporten/" + "x" * 32)).status_code == 404


async def test_what_the_website_measures_of_itself_reaches_the_gate_and_the_metrics(
    site: httpx.AsyncClient, bureau: Bureau
) -> None:
    """Rule L3: each process reports through the store."""
    assert (await site.get("/")).status_code == 200
    async with asyncio.timeout(30):
        while "besluitbron_load_share" not in (text := (await site.get("/metrics")).text):
            await asyncio.sleep(0.05)
    for signal in ("plaatsen", "processor", "database", "pagina"):
        assert f'besluitbron_load_share{{signal="{signal}"}}' in text
    assert 'besluitbron_load_threshold{edge="shut",signal="pagina"} 0.8' in text
