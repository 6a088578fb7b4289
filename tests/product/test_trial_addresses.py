"""A made paper has no address at its source: in the trial every link and file says that its address is of this website."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from lxml import etree, html

from search.trial import is_ours
from tests.support.pages import words_of

pytestmark = pytest.mark.anyio
MADE = {"vraag": "warmtenet", "platform": "open-raadsinformatie"}
REAL = {"vraag": "subsidie", "platform": "rechtspraak"}
ATOM = {"a": "http://www.w3.org/2005/Atom"}
OURS = "http://localhost:8000/document/"


async def links(product: Any, question: dict[str, str]) -> list[tuple[str, str]]:
    """The words and address of each link below a hit."""
    tree = html.document_fromstring((await product.site.get("/zoeken", params=question)).text)
    found = [(words_of(link), str(link.get("href"))) for link in tree.xpath("//p[@class='herkomst']/a")]
    assert found
    return found


async def test_no_link_to_our_own_page_is_called_a_link_to_the_source(product: Any) -> None:
    named = {words for words, address in await links(product, MADE) if address.startswith(OURS)}
    assert named == {
        "op deze website; in de proefmodus niet bij Open Raadsinformatie",
        "bestand op deze website (proefmodus)",
    }
    assert {words for words, address in await links(product, REAL) if "rechtspraak.nl" in address} >= {
        "bij Rechtspraak"
    }


async def test_the_page_of_a_made_paper_says_it_too(product: Any) -> None:
    path = next(address for _, address in await links(product, MADE)).removeprefix("http://localhost:8000")
    tree = html.document_fromstring((await product.site.get(path)).text)
    for link in tree.xpath("//dd/a[@rel='noopener']"):
        assert not str(link.get("href")).startswith(OURS) or "deze website" in words_of(link)


async def test_a_feed_names_no_page_of_ours_as_the_source(product: Any) -> None:
    made = etree.fromstring((await product.site.get("/zoeken.atom", params=MADE)).content)
    assert made.findall("a:entry", ATOM)
    assert not made.findall("a:entry/a:link[@rel='via']", ATOM)
    for rights in made.findall("a:entry/a:rights", ATOM):
        assert rights.text == (
            "Bron: Open Raadsinformatie. Proefmodus: dit adres is van deze website en niet van Open Raadsinformatie."
        )
    real = etree.fromstring((await product.site.get("/zoeken.atom", params=REAL)).content)
    vias = [str(link.get("href")) for link in real.findall("a:entry/a:link[@rel='via']", ATOM)]
    assert vias
    assert not any(map(is_ours, vias))


async def test_a_table_and_a_list_of_references_say_of_each_hit_that_its_address_is_ours(product: Any) -> None:
    said = "Proefmodus: dit adres is van deze website en niet van Open Raadsinformatie."
    text = (await product.site.get("/zoeken.csv", params=MADE)).content.decode("utf-8-sig")
    rows = [row for row in csv.DictReader(io.StringIO(text, newline=""), delimiter=";") if row["titel"]]
    assert rows
    assert all((row["melding"] == said) == row["adres"].startswith(OURS) for row in rows)
    records = (await product.site.get("/zoeken.ris", params=MADE)).text
    assert records.count(f"N1  - {said}") == records.count(f"UR  - {OURS}") == len(rows)
    assert "Proefmodus" not in (await product.site.get("/zoeken.ris", params=REAL)).text


@pytest.mark.parametrize(
    ("address", "ours"),
    [
        ("http://localhost:8000/document/openbesluitvorming/document:notubiz:gemeente:ede:1", True),
        ("https://besluitbron.example/document/open-archivaris/oa-1#pagina-2", True),
        ("https://ede.raadsinformatie.nl/document/14302091/1", False),
        ("https://elders.example/document/iets-anders/1", False),
        ("https://uitspraken.rechtspraak.nl/details?id=ECLI:NL:HR:2024:1", False),
        ("", False),
        (None, False),
    ],
)
def test_an_address_tells_whether_it_is_a_page_of_ours(address: str | None, ours: bool) -> None:
    assert is_ours(address) is ours
