"""Numbers, times and languages as readers and programs get them."""

from __future__ import annotations

import asyncio
import re
from datetime import datetime, timedelta

import pytest
from lxml import html

from connectors.moments import AMSTERDAM, now
from search.progress import Progress
from tests.product.conftest import Product
from tests.product.test_document_waits import full_queues
from tests.support.pages import main_text, sections, words_of
from tests.support.serving import BOUND

pytestmark = pytest.mark.anyio
MEETING = "openbesluitvorming:meeting:notubiz:gemeente:ermelo:580648"
SOON = 9
"""The last second of "in a moment"."""


@pytest.mark.parametrize("seconds", [0, SOON, 60, 61])
async def test_a_page_that_waits_says_in_a_moment_or_the_minute_and_is_never_early(
    product: Product, monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    """Eis 6.13."""
    monkeypatch.setattr(Progress, "say", lambda _: float(seconds))
    asked = {"vraag": "fietspad", "platform": "opentk"}
    async with full_queues(), asyncio.timeout(BOUND * 2), product.site.stream("GET", "/zoeken", params=asked) as answer:
        begun, page = now(), ""
        async for piece in answer.aiter_text():
            page += piece
            if "De vraag start" in page:
                break
    said = re.search(r"De vraag start ([^.]*)\.", page)
    assert said
    if seconds <= SOON:
        assert said[1] == "zo meteen"
        return
    told = re.fullmatch(r"rond (\d\d):(\d\d) uur", said[1])
    assert told
    start = (begun + timedelta(seconds=seconds)).astimezone(AMSTERDAM)
    minute = start.replace(hour=int(told[1]), minute=int(told[2]), second=0, microsecond=0)
    assert start.replace(second=0, microsecond=0) <= minute <= start + timedelta(seconds=60 + BOUND)


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        ({"vraag": "dwergvleermuis"}, "1 resultaat"),
        ({"vraag": "gevolgen stikstof bouwplannen", "soort": "voorstel"}, "2 resultaten"),
        ({"vraag": "qwertyuiop"}, "0 resultaten"),
    ],
)
async def test_one_is_a_result_and_two_are_results_in_the_section_and_in_the_sentence_over_all(
    product: Product, asked: dict[str, str], count: str
) -> None:
    """Eis 7.7."""
    page = await product.site.get("/zoeken", params=asked | {"platform": "openbesluitvorming"})
    (heading,) = html.document_fromstring(page.text).xpath("//section[@data-bron]//h2/*[@class='aantal']")
    assert words_of(heading) == count
    number, word = count.split()
    other = {"resultaat": "resultaten", "resultaten": "resultaat"}[word]
    assert f"{number} {other}" not in main_text(page.text).replace(count, "")
    if number != "0":
        assert f"1 van 1 gevraagde bron gaf antwoord, {count}." in main_text(page.text)


async def test_a_meeting_begins_as_the_clock_in_the_netherlands_stood_and_in_utc_for_programs(product: Product) -> None:
    """Eis 7.8."""
    key, _, number = MEETING.partition(":")
    page = (await product.site.get(f"/document/{key}/{number}")).text
    assert "22 maart 2016, 19:30 uur" in main_text(page)
    data = (await product.site.get(f"/api/v1/documenten/{MEETING}")).json()
    (moment,) = {one["tijdstip"] for one in data["data"] if one["tijdstip"]}
    assert moment == "2016-03-22T18:30:00Z"
    shown = html.document_fromstring(page).xpath("//dl[@class='feiten']//time/@datetime")[0]
    assert datetime.fromisoformat(shown) == datetime.fromisoformat(moment)


async def test_a_reader_sees_how_far_a_report_was_read_and_that_a_file_has_no_text(product: Product) -> None:
    """Eis Z11."""
    asked = {"vraag": "dwergvleermuis", "platform": "openbesluitvorming"}
    (section,) = sections((await product.site.get("/zoeken", params=asked)).text)
    assert "908 pagina's, 40 doorzocht" in section.text
    assert "908 pagina's, 40 gelezen" in main_text((await product.site.get(section.links[0])).text)
    asked = {"vraag": "presentatie havenvisie", "platform": "openbesluitvorming"}
    (section,) = sections((await product.site.get("/zoeken", params=asked)).text)
    assert "Van dit stuk geeft de bron geen tekst." in main_text((await product.site.get(section.links[0])).text)
    asked = {"vraag": "gescande brief vergunning", "platform": "tweede-kamer"}
    (section,) = sections((await product.site.get("/zoeken", params=asked)).text)
    assert "Dit bestand heeft geen tekstlaag" in main_text((await product.site.get(section.links[0])).text)
