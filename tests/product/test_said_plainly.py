"""What cannot be asked, is not there or was left out is said in the right words, with a way on."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from lxml import html

from tests.product.conftest import Product
from tests.support.pages import main_text

pytestmark = pytest.mark.anyio
COURTS = {"vraag": "warmtenet", "platform": "rechtspraak"}


async def refused(product: Product, asked: dict[str, Any]) -> tuple[str, list[dict[str, list[str]]]]:
    """What the page says of a question that it does not ask, and the questions that its links offer instead."""
    page = await product.site.get("/zoeken", params=asked)
    assert page.status_code == 400
    links = html.document_fromstring(page.text).xpath("//main//a[starts-with(@href, '/zoeken?')]/@href")
    return main_text(page.text), [parse_qs(urlsplit(link).query) for link in links]


async def test_a_period_by_name_beside_days_is_refused_with_both_ways_on(product: Product) -> None:
    """Field report 8: neither is left out in silence."""
    text, ways = await refused(product, COURTS | {"periode": "week", "van": "2024-01-01"})
    assert "U koos een periode, en ook een begin- of einddatum." in text
    base = {name: [value] for name, value in COURTS.items()}
    assert ways == [base | {"periode": ["week"]}, base | {"van": ["2024-01-01"]}]


async def test_two_questions_in_one_address_are_refused_with_each_as_a_link(product: Product) -> None:
    """Field report 8."""
    text, ways = await refused(product, {"vraag": ["warmtenet", "parkeren"], "platform": "rechtspraak"})
    assert "‘vraag’ staat meer dan één keer in het adres" in text
    assert [way["vraag"] for way in ways] == [["warmtenet"], ["parkeren"]]
    file = await product.site.get("/zoeken.csv", params={"vraag": ["warmtenet", "parkeren"]})
    assert file.status_code == 400
    same = await product.site.get("/zoeken", params={"vraag": ["warmtenet", "warmtenet"], "platform": "rechtspraak"})
    assert same.status_code == 200


async def test_only_joining_words_are_not_called_a_question_without_letters(product: Product) -> None:
    text, _ = await refused(product, {"vraag": "AND OR NOT"})
    assert "staan alleen AND, OR of NOT" in text
    assert "geen letter" not in text
    told = (await product.site.get("/api/v1/_zoek", params={"vraag": "AND OR NOT"})).json()
    assert "alleen AND, OR of NOT" in told["invalidParams"][0]["reason"]


async def test_a_page_behind_the_last_says_so_and_leads_back(product: Product) -> None:
    page = await product.site.get("/zoeken", params={"vraag": "subsidie", "platform": "rechtspraak", "pagina": "50"})
    text = main_text(page.text)
    assert "Pagina 50 is er niet" in text
    assert "Niets gevonden" not in text
    assert "spelling" not in text
    links = html.document_fromstring(page.text).xpath("//section[contains(@class, 'niets')]//a/@href")
    assert "pagina" not in parse_qs(urlsplit(links[-1]).query)
    for link in links:
        there = html.document_fromstring((await product.site.get(link)).text)
        assert there.xpath("//ol[@class='treffers']/li")


async def test_a_ruling_that_does_not_come_is_linked_at_its_source(product: Product) -> None:
    await product.put("rechtspraak", "onderhoud")
    page = await product.site.get("/document/rechtspraak/ECLI:NL:HR:2019:2006")
    assert page.status_code == 502
    (link,) = html.document_fromstring(page.text).xpath("//a[.='bij de bron zelf']/@href")
    assert link == "https://deeplink.rechtspraak.nl/uitspraak?id=ECLI:NL:HR:2019:2006"


async def test_a_time_of_day_is_not_called_words_between_quotes_alone(product: Product) -> None:
    """Field report 5."""
    page = await product.site.get("/zoeken", params={"vraag": "14:30", "platform": "open-archivaris"})
    assert "(tussen aanhalingstekens, of zoals in 14:30)" in main_text(page.text)
