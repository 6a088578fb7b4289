"""What stands in an address and means nothing here is named and never left out in silence, at every page that reads any."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from lxml import html

from tests.product.conftest import Product
from tests.support.pages import main_text, sections, words_of

pytestmark = pytest.mark.anyio
ASKED = "/zoeken?vraag=warmtenet&soorten=motie&platform=openbesluitvorming&utm_source=brief&fbclid=x"
PAPER = "/document/rechtspraak/ECLI:NL:PHR:1995:AA3128"
MAILED = "utm_source=brief&UTM_Campaign=x&mc_cid=1&mc_eid=2&fbclid=a&gclid=b"


def ways_out(page: str) -> dict[str, dict[str, list[str]]]:
    """The links of a page that mend an address: their words, and what they ask."""
    links = html.document_fromstring(page).xpath("//div[@role='alert']//a")
    return {words_of(link): parse_qs(urlsplit(link.get("href")).query) for link in links}


async def test_a_name_in_the_address_that_is_unknown_is_named_with_the_one_that_was_meant(product: Product) -> None:
    """Field report 8. Eis Z6."""
    page = await product.site.get(ASKED)
    assert page.status_code == 400
    assert "‘soorten’ in het adres kennen we niet. Bedoelde u ‘soort’?" in main_text(page.text)
    tree = html.document_fromstring(page.text)
    assert tree.xpath("//title/text()")[0].startswith("Fout: ")
    assert tree.xpath("//input[@name='vraag']/@value") == ["warmtenet"]
    assert tree.xpath("//input[@name='platform' and @checked]/@value") == ["openbesluitvorming"]
    kept = {"vraag": ["warmtenet"], "platform": ["openbesluitvorming"]}
    assert ways_out(page.text) == {
        "Zoek met ‘soort’": kept | {"soort": ["motie"]},
        "Zoek zonder ‘soorten’": kept,
    }


async def test_the_way_out_gives_what_was_meant(product: Product) -> None:
    """Field report 8."""
    page = await product.site.get(ASKED)
    (meant,) = html.document_fromstring(page.text).xpath("//div[@role='alert']//a[contains(., 'Zoek met')]/@href")
    mended, right = [
        await product.site.get(address)
        for address in (meant, "/zoeken?vraag=warmtenet&platform=openbesluitvorming&soort=motie")
    ]
    assert mended.status_code == 200
    assert sections(mended.text)[0].links == sections(right.text)[0].links


async def test_a_way_out_of_one_fault_keeps_what_else_was_given(product: Product) -> None:
    """Field report 8: another unknown name is refused in its turn, and not lost on the way."""
    page = await product.site.get("/zoeken?vraag=dijk&soort=moties&organisaties=ede&xyzzy=1")
    assert page.status_code == 400
    ways = ways_out(page.text)
    assert ways["Zoek zonder ‘xyzzy’"] == {"vraag": ["dijk"], "soort": ["moties"], "organisaties": ["ede"]}
    assert "Zoek met ‘organisatie’" in ways
    assert all("xyzzy" in asked for words, asked in ways.items() if words != "Zoek zonder ‘xyzzy’" and asked)


@pytest.mark.parametrize("form", ["csv", "ris", "json", "atom"])
async def test_a_file_is_refused_in_words_where_a_name_in_its_address_is_unknown(product: Product, form: str) -> None:
    """Field report 8."""
    answer = await product.site.get(f"/zoeken.{form}?vraag=warmtenet&soorten=motie")
    assert (answer.status_code, answer.headers["content-type"]) == (400, "text/plain; charset=utf-8")
    assert "‘soorten’ in het adres kennen we niet. Bedoelde u ‘soort’?" in answer.text


@pytest.mark.parametrize(
    "address",
    [
        "/zoeken?vraag=redelijke&platform=rechtspraak",
        "/zoeken.csv?vraag=redelijke&platform=rechtspraak",
        f"{PAPER}?in-stuk=het",
    ],
)
async def test_names_that_mailings_and_advertisers_hang_behind_a_link_change_nothing(
    product: Product, address: str
) -> None:
    page = await product.site.get(f"{address}&{MAILED}")
    assert page.status_code == 200
    assert "utm_" not in page.text.lower()
    assert "fbclid" not in page.text


async def test_the_page_of_a_document_names_what_it_does_not_know_and_leads_to_the_document(product: Product) -> None:
    """Field report 8."""
    page = await product.site.get(f"{PAPER}?in-stuk=hof&elder=ja&gclid=x")
    assert page.status_code == 400
    assert "‘elder’ in het adres kennen we niet. Bedoelde u ‘elders’?" in main_text(page.text)
    (way,) = html.document_fromstring(page.text).xpath("//main//a[contains(., 'Bekijk het stuk')]/@href")
    assert way == f"{PAPER}?in-stuk=hof"
    assert (await product.site.get(way)).status_code == 200


async def test_what_a_script_asks_later_is_refused_as_the_page_is(product: Product) -> None:
    """Field report 8."""
    known = await product.site.get("/zoeken/stroom?vraag=dijk&bij=rechtspraak&fout=opentk&dicht=x&afgewezen=y")
    unknown = await product.site.get("/zoeken/stroom?vraag=dijk&wachten=rechtspraak")
    assert (known.status_code, unknown.status_code) == (204, 400)


async def test_an_unknown_name_is_shown_as_text_and_in_english_too(product: Product) -> None:
    page = await product.site.get("/en/zoeken?vraag=dijk&<script>=1&soorten=motie")
    assert page.status_code == 400
    assert "<script>=" not in page.text
    assert "‘<script>’ in the address is not something we know." in main_text(page.text)
    assert "Did you mean ‘soort’?" in main_text(page.text)
    assert all(
        href.startswith("/en/zoeken?")
        for href in html.document_fromstring(page.text).xpath("//div[@role='alert']//li/ul//@href")
    )
