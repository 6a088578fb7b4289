"""A paper of which a part was read does not look whole: the page, the API and assistants say so, and where the rest is."""

from __future__ import annotations

import pytest
from lxml import html

from connectors.council_papers import oddities
from tests.product.assistants.conftest import Assistant
from tests.product.assistants.conftest import assistant as _assistant
from tests.product.conftest import Product
from tests.support.pages import words_of

pytestmark = pytest.mark.anyio
assistant = _assistant
LONG = f"document:notubiz:gemeente:alkmaar:{oddities.LARGE_REPORT}"
SAID = "908 pagina's, 40 gelezen door de bron."


async def test_the_page_of_a_long_report_says_above_and_below_its_text_how_much_was_read(product: Product) -> None:
    """Field report 22."""
    page = await product.site.get(f"/document/openbesluitvorming/{LONG}")
    tree = html.document_fromstring(page.text)
    above, below = tree.xpath("//article//p[contains(@class, 'rest')]")
    assert [words_of(one) for one in (above, below)] == [f"{SAID} Naar het origineel"] * 2
    assert above.xpath("following::dl[@class='feiten']")
    assert below.xpath("preceding::section[@class='deel']")
    assert not below.xpath("following::section[@class='deel']")
    (link,) = below.xpath("a/@href")
    (original,) = tree.xpath("//dt[.='Origineel']/following-sibling::dd/a/@href")
    assert link == original


async def test_a_made_report_without_an_original_does_not_lead_to_itself_for_its_rest(product: Product) -> None:
    address = "/document/tweede-kamer/2025D90001"
    tree = html.document_fromstring((await product.site.get(address)).text)
    rests = tree.xpath("//article//p[contains(@class, 'rest')]")
    assert len(rests) == 2
    for one in rests:
        assert words_of(one).endswith("In de proefmodus is de rest er niet: dit stuk staat niet bij Tweede Kamer.")
        assert not one.xpath("a")
    told = (await product.site.get("/api/v1/documenten/tweede-kamer:2025D90001")).json()
    assert told["opmerkingen"][0].endswith("dit stuk staat niet bij Tweede Kamer.")


async def test_a_paper_of_a_few_pages_says_nothing_of_pages_that_were_not_read(product: Product) -> None:
    found = (
        await product.site.get("/zoeken.json", params={"vraag": "parkeren", "platform": "openbesluitvorming"})
    ).json()
    short = [hit["bronId"] for hit in found["bronnen"][0]["treffers"] if hit["bronId"].startswith("document:")][:3]
    assert short
    for number in short:
        page = await product.site.get(f"/document/openbesluitvorming/{number}")
        assert page.status_code == 200
        assert not html.document_fromstring(page.text).xpath("//p[contains(@class, 'rest')]")


async def test_the_api_says_it_with_the_paper_and_with_its_parts(product: Product) -> None:
    for behind in ("", "/delen"):
        told = (await product.site.get(f"/api/v1/documenten/openbesluitvorming:{LONG}{behind}")).json()
        assert told["tekst"] == "deels"
        assert told["opmerkingen"][0].startswith(f"{SAID} De rest: http")


async def test_an_assistant_hears_it_before_the_text_and_behind_its_last_part(assistant: Assistant) -> None:
    outcome = await assistant.call("lees", id=f"openbesluitvorming:{LONG}")
    assert outcome.data["stuk"]["opmerkingen"][0].startswith(SAID)
    assert not outcome.data["stuk"]["tekstVolledig"]
    assert outcome.data["volgende"] is None
    assert outcome.text.count(SAID) == 2
    assert outcome.text.rstrip().splitlines()[-1].startswith(f"{SAID} De rest: http")
