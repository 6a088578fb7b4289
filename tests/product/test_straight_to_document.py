"""A number or address of a document, in any spelling, leads straight to it; one of nothing becomes a search that says so."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from search.federation import Federation
from tests.product.conftest import Product
from tests.support.pages import main_text, sections

pytestmark = pytest.mark.anyio


async def first_link(product: Product, platform: str, question: str = "subsidie") -> str:
    page = await product.site.get("/zoeken", params={"vraag": question, "platform": platform})
    return sections(page.text)[0].links[0]


async def leads_to(product: Product, typed: str) -> str:
    answer = await product.site.get("/zoeken", params={"vraag": typed})
    assert answer.status_code == 302, typed
    return answer.headers["location"]


async def test_an_ecli_in_any_spelling_leads_to_its_ruling(product: Product) -> None:
    """Field report 30. Eis Z5."""
    link = await first_link(product, "rechtspraak")
    ecli = link.rpartition("/")[2]
    for typed in (
        ecli,
        ecli.lower(),
        ecli.replace(":", " "),
        f"  {ecli}. ",
        f"https://uitspraken.rechtspraak.nl/details?id={ecli}",
        f"https://deeplink.rechtspraak.nl/uitspraak?id={quote(ecli)}",
        f"HTTPS://Uitspraken.Rechtspraak.NL/details?id={ecli.lower()}",
        f"uitspraken.rechtspraak.nl/details?id={ecli}",
    ):
        assert await leads_to(product, typed) == link, typed
    assert (await product.site.get(link)).status_code == 200


SPELLINGS = {
    "gmb-2024-216934": ("gmb-2024-216934", "GMB-2024-216934", "GMB 2024 216934", "  gmb 2024-216934. "),
    "stcrt-2015-4711": ("stcrt-2015-4711", "Stcrt-2015-4711", "STCRT 2015 4711", "stcrt–2015–4711"),
    "kst-19637-3233": ("kst-19637-3233", "KST 19637 3233", "Kst-19637-3233"),
}


@pytest.mark.parametrize(("number", "spellings"), SPELLINGS.items(), ids=SPELLINGS)
async def test_a_number_of_a_publication_in_any_spelling_leads_to_it(
    product: Product, number: str, spellings: tuple[str, ...]
) -> None:
    """Eis Z5."""
    link = f"/document/officiele-bekendmakingen/{number}"
    addresses = [f"zoek.officielebekendmakingen.nl/{number}{ending}" for ending in (".html", ".pdf", "")]
    for typed in (*spellings, *addresses, *(f"https://{one}" for one in addresses)):
        assert await leads_to(product, typed) == link, typed
    assert (await product.site.get(link)).status_code == 200


async def test_a_number_that_two_sources_know_leads_to_the_first_that_has_it(product: Product) -> None:
    """A number of the Tweede Kamer is one at OpenTK too: it stands for one document."""
    link = await first_link(product, "opentk")
    number = link.rpartition("/")[2]
    assert await leads_to(product, number) in {link, f"/document/tweede-kamer/{number}"}


async def test_the_address_of_our_own_page_leads_to_it(product: Product) -> None:
    """Eis Z5."""
    link = await first_link(product, "openbesluitvorming")
    assert await leads_to(product, f"http://localhost:8000{link}") == link


async def test_a_number_of_nothing_is_searched_and_the_page_says_so(product: Product) -> None:
    page = await product.site.get("/zoeken", params={"vraag": "ECLI:NL:HR:1899:999", "platform": "rechtspraak"})
    assert page.status_code == 200
    assert "Bij Rechtspraak is geen stuk (meer) met dit nummer." in main_text(page.text)
    assert sections(page.text)


async def test_a_number_whose_source_is_dead_is_searched_and_the_page_says_what_it_does_not_know(
    product: Product,
) -> None:
    await product.put("rechtspraak", "dood")
    asked = {"vraag": "ECLI:NL:HR:2024:1", "platform": ["rechtspraak", "openbesluitvorming"]}
    page = await product.site.get("/zoeken", params=asked)
    assert "weten we niet: er kwam geen antwoord" in main_text(page.text)
    assert {section.platform for section in sections(page.text)} == {"rechtspraak", "openbesluitvorming"}


async def test_an_address_of_nothing_is_searched_and_the_page_says_so(product: Product) -> None:
    asked = {"vraag": "https://nergens.example/x", "platform": "openbesluitvorming"}
    page = await product.site.get("/zoeken", params=asked)
    assert "Bij dit adres vinden we geen stuk." in main_text(page.text)


@pytest.mark.parametrize("condition", ["dood", "onzin", "vol", "onderhoud"])
async def test_an_address_that_its_source_could_not_look_up_is_not_called_unknown(
    product: Product, condition: str
) -> None:
    await product.put("open-raadsinformatie", condition)
    asked = {"vraag": "https://api.notubiz.nl/document/1234567/1", "platform": "open-raadsinformatie"}
    text = main_text((await product.site.get("/zoeken", params=asked)).text)
    assert "Of dit stuk bij Open Raadsinformatie staat, weten we niet: er kwam geen antwoord." in text
    assert "vinden we geen stuk" not in text


async def test_a_fault_of_ours_on_the_way_to_a_document_leaves_the_search_standing(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def breaks(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(Federation, "document", breaks)
    asked = {"vraag": "ECLI:NL:HR:2024:1", "platform": "rechtspraak"}
    page = await product.site.get("/zoeken", params=asked)
    assert page.status_code == 200
    assert "weten we niet: er kwam geen antwoord" in main_text(page.text)


@pytest.mark.parametrize("typed", ["subsidie 2024", "klimaat 2030", "COVID-19", "14:30", "artikel 3.1", "36045"])
async def test_words_with_numbers_in_them_are_words(product: Product, typed: str) -> None:
    page = await product.site.get("/zoeken", params={"vraag": typed, "platform": "openbesluitvorming"})
    assert page.status_code == 200


async def test_whoever_wants_the_words_of_a_number_gets_them(product: Product) -> None:
    link = await first_link(product, "rechtspraak")
    asked = {"vraag": link.rpartition("/")[2], "platform": "rechtspraak", "letterlijk": "ja"}
    assert (await product.site.get("/zoeken", params=asked)).status_code == 200
