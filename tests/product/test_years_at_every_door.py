"""The years that a source has of a body are known at every door once one of them looked them up (field report 18)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from lxml import html
from mcp import Client

from connectors.models import BodyYears
from connectors.platforms import PLATFORMS
from tests.product.conftest import Product
from tests.support.pages import words_of
from tests.support.serving import BOUND

pytestmark = [pytest.mark.anyio, pytest.mark.django_db(transaction=True)]
SOEST, ORI, OBV = "gemeente-soest", "open-raadsinformatie", "openbesluitvorming"


@pytest.fixture(autouse=True)
def always_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept is read again for each page, and not once a minute."""
    monkeypatch.setattr("search.statuses._SECONDS", 0.0)
    monkeypatch.setattr("search.status_page._SECONDS", 0.0)


async def look_up(product: Product) -> dict[str, dict[str, Any]]:
    """What the tool of assistants says when it looks the years up, by platform."""
    address = f"{str(product.site.base_url).rstrip('/')}/mcp/unified/v1"
    async with asyncio.timeout(BOUND * 6), Client(address) as client:
        answer = await client.call_tool("organisaties", {"naam": SOEST, "jaren": True})
    assert answer.structured_content
    (body,) = answer.structured_content["organisaties"]
    return {one["platform"]: one for one in body["bronnen"]}


async def in_api(product: Product) -> dict[str, dict[str, Any]]:
    answer = await product.site.get(f"/api/v1/organisaties/{SOEST}")
    return {one["platform"]: one for one in answer.json()["bezit"]}


async def on_page(product: Product) -> str:
    answer = await product.site.get("/zoeken", params={"vraag": "subsidie", "organisatie": SOEST})
    (told,) = html.document_fromstring(answer.text).xpath("//details[@class='jaren']")
    return words_of(told)


async def calls(product: Product) -> float:
    return sum([(await product.counted(one.key))["aanroepen"] for one in PLATFORMS])


async def test_what_the_tool_looked_up_page_api_and_status_know_and_before_that_they_say_it_was_not(
    product: Product,
) -> None:
    """Field report 18: never a guess, and no call to a platform for it."""
    before = await in_api(product)
    assert before[ORI]["melding"].endswith("is nog niet nagegaan.")
    assert "is nog niet nagegaan" in await on_page(product)
    assert "Soest" not in words_of(html.document_fromstring((await product.site.get("/status")).text))
    found = await look_up(product)
    asked = await calls(product)
    told = await in_api(product)
    for platform in (ORI, OBV, "open-archivaris"):
        assert found[platform]["eersteStuk"]
        assert told[platform]["eersteDatum"] == found[platform]["eersteStuk"]
        assert told[platform]["laatsteDatum"] == found[platform]["nieuwsteStuk"]
        assert told[platform]["melding"] == found[platform]["jaren"]
    status = html.document_fromstring((await product.site.get("/status")).text)
    assert "Soest" in words_of(status.xpath(f"//section[@id='{ORI}']")[0])
    assert await calls(product) == asked
    page = await on_page(product)
    assert found[ORI]["jaren"] in page
    assert found[OBV]["jaren"] in page


async def test_where_nobody_looked_a_link_leads_to_the_oldest_papers_of_that_source(product: Product) -> None:
    """Field report 18: one more question, and only for who wants to know."""
    answer = await product.site.get("/zoeken", params={"vraag": "subsidie", "organisatie": SOEST})
    (row,) = html.document_fromstring(answer.text).xpath(
        "//details[@class='jaren']//li[starts-with(., 'Open Raadsinformatie')]"
    )
    (link,) = row.xpath("./a")
    assert words_of(link) == "Bekijk de oudste stukken van deze organisatie bij Open Raadsinformatie"
    oldest = await product.site.get(link.get("href"))
    (section,) = html.document_fromstring(oldest.text).xpath(f"//section[@data-bron='{ORI}']")
    days = section.xpath(".//article//time/@datetime | .//li//time/@datetime")
    assert len(days) > 1
    assert days == sorted(days)
    await look_up(product)
    known = await product.site.get("/zoeken", params={"vraag": "subsidie", "organisatie": SOEST})
    assert not html.document_fromstring(known.text).xpath(
        "//details[@class='jaren']//li[starts-with(., 'Open Raadsinformatie')]/a"
    )


async def test_nothing_of_who_asked_is_kept_with_the_years(product: Product) -> None:
    await look_up(product)
    kept = await asyncio.to_thread(lambda: list(BodyYears.objects.filter(platform=ORI).values()))
    (row,) = kept
    assert row.keys() == {"id", "platform", "body", "mode", "first", "last", "on"}
    assert (row["body"], row["mode"]) == (SOEST, "stand-ins")


async def test_years_looked_up_at_the_stand_ins_are_nothing_of_the_live_platforms(product: Product) -> None:
    await look_up(product)
    await asyncio.to_thread(BodyYears.objects.update, mode="live")
    assert (await in_api(product))[ORI]["melding"].endswith("is nog niet nagegaan.")


async def test_a_source_that_did_not_answer_is_still_to_be_looked_up(product: Product) -> None:
    await product.put(ORI, "dood")
    await look_up(product)
    told = await in_api(product)
    assert told[ORI]["melding"].endswith("is nog niet nagegaan.")
    assert told[OBV]["eersteDatum"]
