"""What only looks like what was asked does not count as found, and does not hide what helps who found nothing."""

from __future__ import annotations

import csv
import io
import re

import pytest
from lxml import etree, html

from tests.product.conftest import Product
from tests.support.pages import main_text, words_of

pytestmark = pytest.mark.anyio
UNKNOWN = "ECLI:NL:HR:2024:12"
ALIKE = "lijkt erop, niet alle woorden"
ATOM = {"a": "http://www.w3.org/2005/Atom"}
PART = {"vraag": "parkeren qqqq", "platform": "open-archivaris"}
"""Papers with one of the words, and none with both."""
MIXED = {"vraag": "warmtenet Stationskwartier", "platform": "open-archivaris"}
"""Papers with both, and others with one of them."""


async def test_an_unknown_number_finds_nothing_and_shows_the_help_beside_what_looks_like_it(product: Product) -> None:
    """Field report 4."""
    asked = {"vraag": UNKNOWN, "platform": ["open-archivaris", "rechtspraak"], "letterlijk": "ja"}
    page = await product.site.get("/zoeken", params=asked)
    tree = html.document_fromstring(page.text)
    (section,) = tree.xpath("//section[@data-bron='open-archivaris']")
    assert section.get("data-staat") == "leeg"
    assert section.xpath(".//ol[@class='treffers']/li")
    assert [words_of(one) for one in section.xpath(".//h2/*[@class='aantal']")] == [ALIKE]
    text = main_text(page.text)
    assert "Lijkt erop, niet alle woorden: in titel en fragment van" in text
    assert "gaven antwoord en vonden niets. Wat erop lijkt, maar niet alle woorden toont, staat hieronder." in text
    (help_,) = tree.xpath("//*[contains(@class, 'niets')]")
    assert "Niets gevonden" in words_of(help_)
    assert "uitspraken.rechtspraak.nl" in html.tostring(help_, encoding="unicode")
    assert "0 resultaten" in page.text


async def test_what_shows_all_words_counts_and_hides_the_help(product: Product) -> None:
    page = await product.site.get(
        "/zoeken", params={"vraag": "warmtenet Stationskwartier", "platform": "open-archivaris"}
    )
    tree = html.document_fromstring(page.text)
    (count,) = tree.xpath("//section[@data-bron='open-archivaris']//h2/*[@class='aantal']")
    assert words_of(count).startswith("minstens ")
    assert "Niets gevonden" not in main_text(page.text)


async def test_a_program_hears_it_too(product: Product) -> None:
    answer = await product.site.get("/api/v1/_zoek", params={"vraag": UNKNOWN, "platform": "open-archivaris"})
    (source,) = answer.json()["bronnen"]
    assert source["treffers"]
    assert source["totaal"]["waarde"] == 0
    assert any(one.startswith("Lijkt erop, niet alle woorden") for one in source["opmerkingen"])


async def test_the_page_marks_each_paper_that_only_looks_like_the_question(product: Product) -> None:
    tree = html.document_fromstring((await product.site.get("/zoeken", params=PART)).text)
    papers = tree.xpath("//section[@data-bron='open-archivaris']//ol[@class='treffers']/li")
    marks = [words_of(one) for one in tree.xpath("//section[@data-bron='open-archivaris']//*[@class='lijkt']")]
    assert 0 < len(marks) == len(papers)
    assert set(marks) == {ALIKE}
    (count,) = tree.xpath("//section[@data-bron='open-archivaris']//h2/*[@class='aantal']")
    assert words_of(count) == ALIKE


async def test_page_files_and_api_count_the_same_and_mark_the_same_papers(product: Product) -> None:
    """What fits and what only looks like it, at every door that shows both."""
    for question in (PART, MIXED):
        data = (await product.site.get("/zoeken.json", params=question)).json()
        (source,) = data["bronnen"]
        marked = {hit["bronId"]: hit["lijktErop"] for hit in source["treffers"]}
        assert any(marked.values())
        fits = [number for number, alike in marked.items() if not alike]
        assert source["staat"] == ("klaar" if fits else "leeg")
        assert source["totaal"]["waarde"] == len(fits)
        rows = await table_of(product, question)
        assert {row["nummer bij de bron"]: row["lijkt erop"] == "ja, telt niet mee" for row in rows} == marked
        (told,) = (await product.site.get("/api/v1/_zoek", params=question)).json()["bronnen"]
        assert told["staat"] == ("klaar" if told["totaal"]["waarde"] else "leeg")
        assert all(marked[hit["bronId"]] == hit["lijktErop"] for hit in told["treffers"])
        assert told["totaal"]["waarde"] == sum(not hit["lijktErop"] for hit in told["treffers"])


async def table_of(product: Product, question: dict[str, str]) -> list[dict[str, str]]:
    body = (await product.site.get("/zoeken.csv", params=question)).content.decode("utf-8-sig")
    rows = csv.DictReader(io.StringIO(body, newline=""), delimiter=";")
    return [row for row in rows if row["nummer bij de bron"]]


async def test_a_feed_and_references_hold_only_what_fits_and_say_so(product: Product) -> None:
    """A feed reader takes each entry for news, and a library of references each record for a source."""
    for question in (PART, MIXED):
        rows = await table_of(product, question)
        fits = [row["nummer bij de bron"] for row in rows if row["lijkt erop"] == "nee"]
        feed = etree.fromstring((await product.site.get("/zoeken.atom", params=question)).content)
        assert len(feed.findall("a:entry", ATOM)) == len(fits)
        assert "Wat er alleen op lijkt, staat hier niet in." in (feed.findtext("a:subtitle", "", ATOM))
        references = (await product.site.get("/zoeken.ris", params=question)).text
        assert sorted(re.findall(r"^SN  - (.*)\r$", references, re.MULTILINE)) == sorted(fits)
        assert references.count("N1  - Wat er alleen op lijkt, staat hier niet in.") == len(fits)
