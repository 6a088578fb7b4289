"""Small things on the page of a paper: its original, its days in words, and a scan of which the letters stand apart."""

from __future__ import annotations

import pytest
from lxml import html

from connectors.council_papers import oddities
from tests.product.conftest import Product
from tests.support.pages import main_text, words_of

pytestmark = pytest.mark.anyio
SCAN = f"document:notubiz:gemeente:alkmaar:{oddities.SPACED_APART}"


async def test_a_paper_without_a_file_has_its_page_at_the_source_as_original(product: Product) -> None:
    page = await product.site.get("/document/tweede-kamer/2022Z03111")
    assert page.status_code == 200
    (original,) = html.document_fromstring(page.text).xpath("//dt[.='Origineel']/following-sibling::dd/a/@href")
    assert original == "https://www.tweedekamer.nl/kamerstukken/detail?id=2022Z03111"


async def test_a_day_among_the_facts_is_written_as_all_other_days(product: Product) -> None:
    page = await product.site.get("/document/officiele-bekendmakingen/h-tk-20142015-33-13")
    (day,) = html.document_fromstring(page.text).xpath("//dt[.='Vergaderdatum']/following-sibling::dd")
    assert words_of(day) == "9 december 2014"
    assert "09-12-2014" not in main_text(page.text)


async def test_the_file_of_a_motion_shows_the_outcome_of_its_motion(product: Product) -> None:
    """Field report 27."""
    asked = {"vraag": "motie", "platform": "openbesluitvorming", "soort": "motie"}
    found = (await product.site.get("/zoeken.json", params=asked)).json()
    motions = [hit["bronId"] for hit in found["bronnen"][0]["treffers"] if hit["bronId"].startswith("motion:")]
    for number in motions[:20]:
        motion = (await product.site.get(f"/api/v1/documenten/openbesluitvorming:{number}")).json()
        files = [one["id"] for one in motion["verwant"] if one["relatie"] == "Bestand"]
        if files and motion["stemming"]:
            break
    file = (await product.site.get(f"/api/v1/documenten/{files[0]}")).json()
    assert file["stemming"] == motion["stemming"]
    (above,) = [one for one in file["verwant"] if one["relatie"] == "Motie"]
    assert above["titel"] == motion["titel"]
    page = await product.site.get(f"/document/{files[0].replace(':', '/', 1)}")
    assert html.document_fromstring(page.text).xpath("//*[@id='stemming']")


async def test_a_scan_with_its_letters_apart_says_so_on_the_page_and_in_the_api(product: Product) -> None:
    """Field report 23."""
    said = "In deze tekst staan letters los van hun woord, zoals in “"
    page = await product.site.get(f"/document/openbesluitvorming/{SCAN}")
    assert said in main_text(page.text)
    told = (await product.site.get(f"/api/v1/documenten/openbesluitvorming:{SCAN}")).json()
    assert any(one.startswith(said) for one in told["opmerkingen"])
    other = await product.site.get(
        f"/document/openbesluitvorming/{SCAN.replace(oddities.SPACED_APART, oddities.LARGE_REPORT)}"
    )
    assert said not in main_text(other.text)
