"""What platforms were seen to do wrong, through the whole product: the reader hears it, and gets what there is."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import date
from typing import Any

import pytest
from lxml import html
from pytest_django import Settings

from besluitbron.standins import make_application as make_stand_ins
from tests.product.conftest import Product, running
from tests.support.altered import Altered, Change
from tests.support.pages import main_text, sections, words_of

pytestmark = pytest.mark.anyio
COUNCIL = "openbesluitvorming"
GAZETTE = "officiele-bekendmakingen"
Faulty = Callable[[str, Change], Any]


@pytest.fixture
def faulty(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Faulty:
    """The product over stand-ins of which the answers below a path are changed."""

    @asynccontextmanager
    async def made(path: str, change: Change) -> AsyncIterator[tuple[Product, Altered]]:
        altered: list[Altered] = []

        def stand_ins(pages: str) -> Altered:
            altered.append(Altered(make_stand_ins(pages), path, change))
            return altered[-1]

        monkeypatch.setattr("tests.product.conftest.make_stand_ins", stand_ins)
        async with running(settings) as product:
            yield product, altered[-1]

    return made


def without_rows(given: Mapping[str, str], body: bytes) -> bytes | None:
    """A total, and no rows under it, as soon as a period is asked (field report 1)."""
    return json.dumps(json.loads(body) | {"results": [], "totalCount": 144}).encode() if "dateFrom" in given else None


def thirteen(given: Mapping[str, str], body: bytes) -> bytes:
    """Pages of at most thirteen rows, and empty ones that promise more (field report 2)."""
    rows = json.loads(body)["results"] if int(given.get("offset", "0")) == 0 else []
    return json.dumps({"results": rows[:13], "totalCount": 50, "totalIsApproximate": False, "hasMore": True}).encode()


async def test_a_period_that_loses_all_rows_is_asked_again_without_it_and_kept_by_us(faulty: Faulty) -> None:
    """Field report 1."""
    asked = {"vraag": "parkeren", "platform": COUNCIL, "van": "2016-01-01", "tot": "2016-12-31"}
    async with faulty(f"/{COUNCIL}/api/api/search", without_rows) as (product, altered):
        (section,) = sections((await product.site.get("/zoeken", params=asked)).text)
    assert section.titles
    assert "We hebben de bron nog eens zonder datums gevraagd en zelf op datum gekozen." in section.text
    assert "144" not in section.text
    assert set(re.findall(r"\b(?:19|20)\d\d(?=, | \()", section.text)) <= {"2016"}
    assert ["dateFrom" in one for one in altered.asked] == [True, False]


async def test_a_total_without_rows_is_never_no_results(faulty: Faulty) -> None:
    """Field report 1."""
    nothing: Change = lambda _, body: json.dumps(json.loads(body) | {"results": [], "totalCount": 144}).encode()  # noqa: E731
    async with faulty(f"/{COUNCIL}/api/api/search", nothing) as (product, _):
        (section,) = sections(
            (await product.site.get("/zoeken", params={"vraag": "parkeren", "platform": COUNCIL})).text
        )
    assert "De bron noemt een aantal, maar gaf geen stukken. Dat ligt aan de bron." in section.text
    assert "0 resultaten" not in section.text


async def test_short_pages_are_said_and_empty_ones_that_promise_more_are_the_end(faulty: Faulty) -> None:
    """Field report 2."""
    async with faulty(f"/{COUNCIL}/api/api/search", thirteen) as (product, altered):
        page = await product.site.get("/zoeken", params={"vraag": "de", "platform": COUNCIL})
        (section,) = sections(page.text)
        calls = len(altered.asked)
    assert len(section.titles) == 13
    assert "De bron gaf minder stukken per keer dan we vroegen. Er kunnen stukken ontbreken." in section.text
    assert calls == 2
    assert not html.document_fromstring(page.text).xpath("//a[@rel='next']")


async def test_an_answer_that_says_it_did_not_understand_is_a_failure_and_not_an_empty_one(faulty: Faulty) -> None:
    """Field report 33."""
    told = (
        b'<sru:searchRetrieveResponse xmlns:sru="http://docs.oasis-open.org/ns/search-ws/sruResponse">'
        b"<sru:numberOfRecords>0</sru:numberOfRecords><sru:diagnostics>"
        b'<diag:diagnostic xmlns:diag="http://docs.oasis-open.org/ns/search-ws/diagnostic">'
        b"<diag:uri>info:srw/diagnostic/1/6</diag:uri><diag:message>Unsupported parameter value</diag:message>"
        b"</diag:diagnostic></sru:diagnostics></sru:searchRetrieveResponse>"
    )
    async with faulty(f"/{GAZETTE}/zoeken/sru", lambda _, __: told) as (product, _):
        page = await product.site.get("/zoeken", params={"vraag": "subsidie", "platform": GAZETTE})
        (section,) = sections(page.text)
        paper = await product.site.get(f"/document/{GAZETTE}/gmb-2024-216934")
    assert section.state == "fout"
    assert "Geen resultaten" not in main_text(page.text)
    assert (paper.status_code, "niet (meer)" in paper.text) == (502, False)


@pytest.mark.parametrize("platform", ["tweede-kamer", "open-raadsinformatie", "openbesluitvorming"])
async def test_the_day_that_a_result_shows_finds_it_back_and_nothing_of_another_day(
    product: Product, platform: str
) -> None:
    """Field report 11: a bare day meant another day than the one that is shown."""
    asked = {"vraag": "motie", "platform": platform, "sorteer": "nieuwste"}
    shown = html.document_fromstring((await product.site.get("/zoeken", params=asked)).text)
    days = dict.fromkeys(str(day)[:10] for day in shown.xpath("//ol[@class='treffers']//time/@datetime"))
    for day in list(days)[:3]:
        date.fromisoformat(day)
        here = shown.xpath(f"//li[.//time[starts-with(@datetime, '{day}')]]//h3/a/@href")
        page = await product.site.get("/zoeken", params=asked | {"van": day, "tot": day})
        tree = html.document_fromstring(page.text)
        assert set(here) <= set(tree.xpath("//h3/a/@href"))
        assert {str(one)[:10] for one in tree.xpath("//ol[@class='treffers']//time/@datetime")} == {day}
    assert days


async def test_the_clean_edition_is_shown_where_there_is_one(product: Product) -> None:
    """Field report 23: the letters of the PDF stood apart ("T weede")."""
    asked = {"vraag": "flexbonus", "platform": "tweede-kamer"}
    page = html.document_fromstring((await product.site.get("/zoeken", params=asked)).text)
    (address, *_) = page.xpath("//h3/a/@href")
    tree = html.document_fromstring((await product.site.get(address)).text)
    text = " ".join(words_of(part) for part in tree.xpath("//section[@class='deel']"))
    assert "zonnepaneelbezitters" in text
    assert not re.findall(r"\b[B-Zb-z] [a-z]{4,}", text)


async def test_a_ruling_of_which_there_are_only_data_opens_and_says_so(product: Product) -> None:
    """Field report 32."""
    number = "ECLI:NL:CBB:1997:ZG0125"
    text = main_text((await product.site.get(f"/document/rechtspraak/{number}")).text)
    assert "Van dit stuk geeft de bron geen tekst." in text
    assert "97/1143/17000" in text
    assert "14 oktober 1997" in text
    data = (await product.site.get(f"/api/v1/documenten/rechtspraak:{number}")).json()
    assert (data["tekst"], data["delen"]) == ("geen", [])


async def test_a_search_by_filters_alone_never_promises_a_whole_from_a_page_that_was_cut(product: Product) -> None:
    """Field report 32: never more than a thousand, whatever is asked."""
    asked = {"platform": "rechtspraak", "van": "1990-01-01"}
    answer = (await product.site.get("/api/v1/_zoek", params=asked)).json()
    (source,) = answer["bronnen"]
    assert 0 < len(source["treffers"]) <= 1000
    assert source["volgendePagina"] == 2 or len(source["treffers"]) == source["totaal"]["waarde"]


ENGLISH = "Agreement between the Kingdom of the Netherlands and the United States of America on the exchange of data"


def in_english(given: Mapping[str, str], body: bytes) -> bytes:
    """The first result, and every paper that is opened, with an English title."""
    del given
    found = json.loads(body)
    (found["results"][0] if found.get("results") else found)["title"] = ENGLISH
    return json.dumps(found).encode()


async def test_a_title_in_english_is_said_to_be_in_the_answers_and_on_its_page_and_a_dutch_one_is_not(
    faulty: Faulty,
) -> None:
    """Eis 7.2; Field report 38: English papers were read with a Dutch voice."""
    asked = {"vraag": "parkeren", "platform": COUNCIL}
    async with faulty(f"/{COUNCIL}/api/api/", in_english) as (product, _):
        page = html.document_fromstring((await product.site.get("/zoeken", params=asked)).text)
        titles = {words_of(title): title for title in page.xpath("//ol[@class='treffers']//h3")}
        (address,) = titles[ENGLISH].xpath(".//a/@href")
        paper = html.document_fromstring((await product.site.get(address)).text)
        foreign = html.document_fromstring((await product.site.get("/en/zoeken", params=asked)).text)
    assert {title.get("lang") for words, title in titles.items() if words != ENGLISH} == {None}
    assert titles[ENGLISH].get("lang") == "en"
    assert (paper.get("lang"), paper.xpath("//article/h1/@lang")) == ("nl", ["en"])
    found = {words_of(title): title.get("lang") for title in foreign.xpath("//ol[@class='treffers']//h3")}
    assert found.pop(ENGLISH) == "en"
    assert set(found.values()) == {"nl"}


LONG = 190


def a_long_agenda(_: Mapping[str, str], body: bytes) -> bytes:
    """As many items as the agenda that starved itself had, each with a paper of its own."""
    items = [
        {
            "id": f"agenda_item:notubiz:gemeente:ede:{number}",
            "title": f"Punt {number}",
            "number": f"{number}.",
            "order": number,
            "is_heading": False,
            "documents": [{"id": f"document:notubiz:gemeente:ede:{9_000_000 + number}", "name": f"Stuk {number}"}],
        }
        for number in range(1, LONG + 1)
    ]
    return json.dumps(json.loads(body) | {"agenda": items, "motions": []}).encode()


async def test_a_meeting_of_190_items_links_each_of_its_papers_and_costs_its_source_one_call(faulty: Faulty) -> None:
    """Field report 37: the page asks for none of them, so that it fits what the source bears."""
    meeting = "meeting:notubiz:gemeente:ede:260075"
    async with faulty(f"/{COUNCIL}/api/api/entities/", a_long_agenda) as (product, altered):
        page = (await product.site.get(f"/document/{COUNCIL}/{meeting}")).text
        tree = html.document_fromstring(page)
        links = tree.xpath("//section[@class='verwant']//dd//a/@href")
        assert {link.rpartition(":")[2] for link in links} == {f"{9_000_001 + number}" for number in range(LONG)}
        assert len(tree.xpath("//section[@class='deel']")) == LONG
        assert not tree.xpath("//section[@class='verwant']//img")
        assert len(altered.asked) == 1
        assert (await product.counted(COUNCIL))["aanroepen"] == 1
