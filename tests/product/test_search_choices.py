"""What a search was understood as, and how to take back each part of it, at the page itself."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from lxml import html

from tests.product.conftest import Product
from tests.support.pages import main_text, sections, words_of

pytestmark = pytest.mark.anyio
COUNCILS = ["openbesluitvorming", "open-archivaris"]


def links(page: str, words: str) -> list[str]:
    """Where the links with these words lead."""
    tree = html.document_fromstring(page)
    return [str(link.get("href")) for link in tree.xpath("//main//a") if words in words_of(link)]


def given(address: str) -> dict[str, list[str]]:
    return parse_qs(urlsplit(address).query)


async def test_a_body_named_in_the_question_becomes_a_filter_and_the_undo_keeps_it_as_a_word(product: Product) -> None:
    """Field report 9. Eis Z4."""
    page = await product.site.get("/zoeken", params={"vraag": "parkeren in Ede", "platform": COUNCILS})
    tree = html.document_fromstring(page.text)
    assert tree.xpath("//input[@name='vraag']/@value") == ["parkeren"]
    assert tree.xpath("//input[@name='organisatie' and @checked]/@value") == ["gemeente-ede"]
    found = sections(page.text)
    assert all(section.titles for section in found)
    assert all(
        words_of(body) == "Gemeente Ede" for body in tree.xpath("//section[@data-bron]//span[@class='organisatie']")
    )
    (undo,) = links(page.text, "als gewone woorden")
    assert given(undo) == {"vraag": ["parkeren in Ede"], "platform": COUNCILS, "letterlijk": ["ja"]}
    undone = await product.site.get(undo)
    tree = html.document_fromstring(undone.text)
    assert tree.xpath("//input[@name='vraag']/@value") == ["parkeren in Ede"]
    assert not tree.xpath("//input[@name='organisatie' and @checked]")


async def test_a_question_in_so_many_words_is_read_as_assistants_read_it_and_can_be_taken_literally(
    product: Product,
) -> None:
    """Field report 9."""
    typed = "Wat is er in Ede besloten over warmtenetten?"
    page = await product.site.get("/zoeken", params={"vraag": typed, "platform": COUNCILS})
    tree = html.document_fromstring(page.text)
    assert tree.xpath("//input[@name='vraag']/@value") == ["warmtenetten"]
    assert tree.xpath("//input[@name='organisatie' and @checked]/@value") == ["gemeente-ede"]
    said = "Zo lazen we uw vraag: we zoeken op “warmtenetten”, alleen bij Gemeente Ede, omdat u die noemde."
    assert said in main_text(page.text)
    (undo,) = links(page.text, "als gewone woorden")
    assert given(undo) == {"vraag": [typed], "platform": COUNCILS, "letterlijk": ["ja"]}
    undone = await product.site.get(undo)
    assert html.document_fromstring(undone.text).xpath("//input[@name='vraag']/@value") == [typed]
    assert "Zo lazen we" not in main_text(undone.text)


async def test_a_sentence_beside_a_chosen_body_keeps_that_body_and_loses_its_empty_words(product: Product) -> None:
    asked = {"vraag": "Welke moties gaan over subsidie?", "organisatie": "ede", "platform": "openbesluitvorming"}
    page = await product.site.get("/zoeken", params=asked)
    tree = html.document_fromstring(page.text)
    assert tree.xpath("//input[@name='vraag']/@value") == ["moties subsidie"]
    assert tree.xpath("//input[@name='organisatie' and @checked]/@value") == ["gemeente-ede"]
    assert "Zo lazen we uw vraag: we zoeken op “moties subsidie”." in main_text(page.text)


async def test_a_body_between_quotes_stays_words(product: Product) -> None:
    page = await product.site.get("/zoeken", params={"vraag": 'parkeren "in Ede"', "platform": "openbesluitvorming"})
    assert "omdat u die noemde" not in main_text(page.text)


async def test_a_name_of_two_bodies_is_a_choice_of_links_and_the_words_are_searched(product: Product) -> None:
    page = await product.site.get("/zoeken", params={"vraag": "parkeren Utrecht", "platform": "openbesluitvorming"})
    (province,) = links(page.text, "Provincie Utrecht")
    assert given(province)["organisatie"] == ["provincie-utrecht"]
    assert given(province)["vraag"] == ["parkeren"]
    assert sections(page.text)


async def test_every_filter_is_a_chip_whose_link_removes_that_one_alone(product: Product) -> None:
    asked = {
        "vraag": ["subsidie"],
        "platform": COUNCILS,
        "organisatie": ["gemeente-ede", "gemeente-soest"],
        "soort": ["motie", "voorstel"],
        "van": ["2020-01-01"],
        "tot": ["2025-12-31"],
        "sorteer": ["nieuwste"],
    }
    page = await product.site.get("/zoeken", params=asked | {"pagina": "2"})
    chips = html.document_fromstring(page.text).xpath("//nav[@aria-label='Gekozen filters']//a/@href")
    *single, clear = map(given, map(str, chips))
    flat = {(name, value) for name, values in asked.items() for value in values}
    gone = [flat - {(name, value) for name, values in left.items() for value in values} for left in single]
    assert all(len(one) == 1 for one in gone)
    assert set[tuple[str, str]]().union(*gone) == flat - {("vraag", "subsidie")}
    assert clear == {"vraag": ["subsidie"]}


async def test_the_whole_search_stands_in_one_canonical_address_without_defaults(product: Product) -> None:
    """Eis Z6."""
    typed = "/zoeken?utm_source=x&sorteer=relevantie&organisatie=&soort=&van=&tot=&pagina=1&vraag=parkeren+in+Ede"
    page = await product.site.get(typed + "&platform=openbesluitvorming")
    (canonical,) = html.document_fromstring(page.text).xpath("//link[@rel='canonical']/@href")
    assert canonical == (
        "http://localhost:8000/zoeken?vraag=parkeren&platform=openbesluitvorming&organisatie=gemeente-ede"
    )
    (feed,) = html.document_fromstring(page.text).xpath("//link[@rel='alternate'][@type='application/atom+xml']/@href")
    assert given(feed)["organisatie"] == ["gemeente-ede"]
    again = await product.site.get(canonical.removeprefix("http://localhost:8000"))
    assert sections(again.text)[0].links == sections(page.text)[0].links


async def test_asking_a_merged_municipality_asks_those_that_went_into_it_and_says_so(product: Product) -> None:
    """Field report 13. Eis Z2."""
    asked = {"vraag": "subsidie", "organisatie": "Land van Cuijk", "platform": "open-archivaris"}
    page = await product.site.get("/zoeken", params=asked)
    text = main_text(page.text)
    for name in ("Boxmeer", "Cuijk", "Grave", "Mill en Sint Hubert", "Sint Anthonis"):
        assert f"Gemeente {name}" in text
    assert "die gingen erin op" in text
    (left_out,) = links(page.text, "Laat die weg")
    assert given(left_out)["voorgangers"] == ["nee"]
    page = await product.site.get(left_out)
    assert "tellen nu niet mee" in main_text(page.text)
    (back,) = links(page.text, "Zoek daar ook")
    assert "voorgangers" not in given(back)


async def test_a_body_that_ended_names_its_successor_as_a_link(product: Product) -> None:
    """Field report 13."""
    asked = {"vraag": "subsidie", "organisatie": "Boxmeer", "platform": "open-archivaris"}
    page = await product.site.get("/zoeken", params=asked)
    assert "Gemeente Boxmeer bestaat niet meer sinds 1 januari 2022." in main_text(page.text)
    (heir,) = links(page.text, "Zoek bij Gemeente Land van Cuijk")
    assert given(heir)["organisatie"] == ["gemeente-land-van-cuijk"]


async def test_a_part_of_a_name_gives_the_choices_as_links_without_scripts(product: Product) -> None:
    page = await product.site.get("/zoeken", params={"vraag": "subsidie", "organisatie": "Sint Hubert"})
    assert page.status_code == 400
    (choice,) = links(page.text, "Gemeente Mill en Sint Hubert")
    assert given(choice)["organisatie"] == ["gemeente-mill-en-sint-hubert"]


async def test_the_names_to_choose_from_are_all_names_of_the_register(product: Product) -> None:
    """Field report 14: a water board is named with the word for its kind. Eis Z2."""
    answer = await product.site.get("/organisaties/namen")
    names = answer.text.splitlines()
    assert {"Gemeente Ede", "Waterschap De Dommel", "Gemeente Boxmeer"} <= set(names)
    assert names == sorted(set(names))


async def test_a_filter_is_named_where_a_source_does_not_apply_it(product: Product) -> None:
    """Field report 8: a filter that does nothing is worse than none. Eis Z1."""
    asked = {"vraag": "ECLI:NL:RVS:1900:1", "platform": "rechtspraak", "soort": "uitspraak", "letterlijk": "ja"}
    page = await product.site.get("/zoeken", params=asked)
    assert "Deze bron kan niet kiezen op soort. Dat is hier niet gebruikt." in main_text(page.text)


async def test_only_sources_that_can_answer_are_named_before_the_answers(product: Product) -> None:
    asked = {
        "vraag": "parkeren",
        "organisatie": "ede",
        "platform": ["openbesluitvorming", "tweede-kamer", "rechtspraak"],
    }
    page = await product.site.get("/zoeken", params=asked)
    (line,) = html.document_fromstring(page.text).xpath("//p[@id='antwoorden']")
    assert words_of(line).startswith("Bronnen die bij uw vraag passen: OpenBesluitvorming. De antwoorden")
    page = await product.site.get("/zoeken", params={**asked, "platform": "tweede-kamer"})
    (line,) = html.document_fromstring(page.text).xpath("//p[@id='antwoorden']")
    assert words_of(line) == "Geen van de bronnen past bij uw vraag. Hieronder staat waarom."


@pytest.mark.parametrize("period", ["vandaag", "week", "maand", "jaar"])
async def test_a_period_by_name_becomes_days_that_can_be_seen_and_changed(product: Product, period: str) -> None:
    """Eis Z1."""
    page = await product.site.get(
        "/zoeken", params={"vraag": "subsidie", "platform": "openbesluitvorming", "periode": period}
    )
    tree = html.document_fromstring(page.text)
    assert all(tree.xpath(f"//input[@name='{name}']/@value") != [""] for name in ("van", "tot"))
    assert len(tree.xpath("//nav[@aria-label='Gekozen filters']//li")) == 4


async def test_more_of_one_source_leads_to_the_next_page_of_that_source_alone(product: Product) -> None:
    """Eis Z7."""
    page = await product.site.get("/zoeken", params={"vraag": "subsidie", "platform": COUNCILS})
    (more,) = links(page.text, "Meer van OpenBesluitvorming")
    assert given(more) == {"vraag": ["subsidie"], "platform": ["openbesluitvorming"], "pagina": ["2"]}
    second = await product.site.get(more)
    assert [section.platform for section in sections(second.text)] == ["openbesluitvorming"]
    assert ", pagina 2" in sections(second.text)[0].text


async def found_at_the_kamer(product: Product, **asked: str) -> tuple[str, tuple[str, ...]]:
    page = await product.site.get("/zoeken", params={"platform": "tweede-kamer", **asked})
    (section,) = sections(page.text)
    return section.text, section.links


async def test_a_fractie_narrows_what_the_kamer_gives_to_what_it_made(product: Product) -> None:
    """Eis Z3."""
    _, all_of_them = await found_at_the_kamer(product, vraag="energie", soort="motie")
    told: dict[str, tuple[str, ...]] = {}
    for party in ("D66", "Volt", "PvdD", "VVD", "CDA", "SP", "BBB"):
        _, told[party] = await found_at_the_kamer(product, vraag="energie", soort="motie", fractie=party)
    parties = [party for party, found in told.items() if found]
    assert parties
    for party in parties:
        assert set(told[party]) < set(all_of_them)
        document = await product.site.get(told[party][0])
        assert party in main_text(document.text)


async def test_a_part_of_the_name_of_a_committee_is_enough(product: Product) -> None:
    """Eis Z3."""
    _, all_of_them = await found_at_the_kamer(product, vraag="energie", soort="vergadering")
    _, narrowed = await found_at_the_kamer(product, vraag="energie", soort="vergadering", commissie="klimaat")
    assert narrowed
    assert set(narrowed) <= set(all_of_them)
    document = await product.site.get(narrowed[0])
    assert "klimaat" in main_text(document.text).lower()
    text, nothing = await found_at_the_kamer(product, vraag="energie", commissie="xyzzyplugh")
    assert not nothing
    assert "Geen resultaten" in text


async def test_a_fractie_is_named_as_not_used_at_every_source_that_cannot_choose_by_it(product: Product) -> None:
    """Field reports 8 and 15. Eis Z3."""
    asked = {"vraag": "energie", "fractie": "D66", "platform": ["openbesluitvorming", "tweede-kamer"]}
    page = await product.site.get("/zoeken", params=asked)
    texts = {section.platform: section.text for section in sections(page.text)}
    assert "Deze bron kan niet kiezen op fractie. Dat is hier niet gebruikt." in texts["openbesluitvorming"]
    assert "niet kiezen op fractie" not in texts["tweede-kamer"]
    (without,) = links(page.text, "fractie: D66")
    assert "fractie" not in given(without)
