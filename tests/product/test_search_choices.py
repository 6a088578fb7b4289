"""What a search was understood as, and how to take back each part of it, at the page itself."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from lxml import html

from besluitbron.composition import addresses, registry
from search.lives import shipped_lives
from search.organisations import Register
from tests.product.conftest import Product
from tests.support.pages import main_text, sections, words_of

pytestmark = pytest.mark.anyio
COUNCILS = ["openbesluitvorming", "open-archivaris"]
SIGNED = "//dl[@class='feiten']/div[contains(dt, 'ndertekenaar') or contains(dt, 'ndiener') or dt = 'Betrokken']/dd"


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
    assert tree.xpath("//input[@name='vraag']/@value") == ["parkeren in Ede"]
    assert not tree.xpath("//input[@name='organisatie' and @checked]")
    assert "organisatie: Gemeente Ede" in main_text(page.text)
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
    assert tree.xpath("//input[@name='vraag']/@value") == [typed]
    assert not tree.xpath("//input[@name='organisatie' and @checked]")
    said = "Zo lazen we uw vraag: we zoeken op “warmtenetten”, alleen bij Gemeente Ede, omdat u die noemde."
    assert said in main_text(page.text)
    (undo,) = links(page.text, "als gewone woorden")
    assert given(undo) == {"vraag": [typed], "platform": COUNCILS, "letterlijk": ["ja"]}
    undone = await product.site.get(undo)
    assert html.document_fromstring(undone.text).xpath("//input[@name='vraag']/@value") == [typed]
    assert "Zo lazen we" not in main_text(undone.text)


async def test_a_sentence_beside_a_chosen_body_keeps_that_body_and_its_kind_becomes_a_filter(product: Product) -> None:
    asked = {"vraag": "Welke moties gaan over subsidie?", "organisatie": "ede", "platform": "openbesluitvorming"}
    page = await product.site.get("/zoeken", params=asked)
    tree = html.document_fromstring(page.text)
    assert tree.xpath("//input[@name='vraag']/@value") == [asked["vraag"]]
    assert tree.xpath("//input[@name='organisatie' and @checked]/@value") == ["gemeente-ede"]
    assert not tree.xpath("//input[@name='soort' and @checked]")
    assert "Zo lazen we uw vraag: we zoeken op “subsidie”, alleen de soort motie." in main_text(page.text)


async def test_a_kind_and_a_time_in_a_question_become_filters_that_each_can_be_taken_back(product: Product) -> None:
    """Field report 9."""
    typed = "Welke moties zijn er sinds maart 2024 in Ede over warmtenetten?"
    page = await product.site.get("/zoeken", params={"vraag": typed, "platform": "openbesluitvorming"})
    said = (
        "Zo lazen we uw vraag: we zoeken op “warmtenetten”, alleen de soort motie, vanaf 1 maart 2024, "
        "alleen bij Gemeente Ede, omdat u die noemde."
    )
    assert said in main_text(page.text)
    read = {
        "vraag": ["warmtenetten"],
        "platform": ["openbesluitvorming"],
        "organisatie": ["gemeente-ede"],
        "soort": ["motie"],
        "van": ["2024-03-01"],
    }
    (canonical,) = html.document_fromstring(page.text).xpath("//link[@rel='canonical']/@href")
    assert given(canonical) == read
    for name in ("soort", "van", "organisatie"):
        without = {key: value for key, value in read.items() if key != name}
        assert without in [given(link) for link in html.document_fromstring(page.text).xpath("//main//a/@href")], name
    (undo,) = links(page.text, "als gewone woorden")
    assert given(undo) == {"vraag": [typed], "platform": ["openbesluitvorming"], "letterlijk": ["ja"]}


@pytest.mark.parametrize("typed", ["moties", "moties stikstof", '"moties over stikstof"', "stikstof 2024"])
async def test_a_kind_or_a_year_that_stands_alone_or_between_quotes_stays_a_word(product: Product, typed: str) -> None:
    page = await product.site.get("/zoeken", params={"vraag": typed, "platform": "openbesluitvorming"})
    assert html.document_fromstring(page.text).xpath("//input[@name='vraag']/@value") == [typed]
    assert "Zo lazen we" not in main_text(page.text)


async def test_what_was_understood_is_said_in_english_too(product: Product) -> None:
    asked = {"vraag": "Which motions are there since March 2024 about stikstof?", "platform": "openbesluitvorming"}
    page = await product.site.get("/en/zoeken", params=asked)
    said = "This is how we read your question: we search for “stikstof”, only of the kind motion, from 1 March 2024 on."
    assert said in main_text(page.text)


@pytest.mark.parametrize(
    ("asked", "said", "choices"),
    [
        (
            {"vraag": "snelfietsroute rotterdam", "organisatie": "gemeente-ede"},
            "U noemt Gemeente Rotterdam, maar koos Gemeente Ede. We zoeken alleen bij wat u koos.",
            {
                "Zoek bij Gemeente Rotterdam": {"vraag": ["snelfietsroute rotterdam"]},
                "Zoek bij allebei": {
                    "vraag": ["snelfietsroute"],
                    "organisatie": ["gemeente-ede", "gemeente-rotterdam"],
                },
            },
        ),
        (
            {"vraag": "parkeren utrecht", "organisatie": "gemeente-ede"},
            "maar koos Gemeente Ede.",
            {"Zoek bij Provincie Utrecht": {"vraag": ["parkeren"], "organisatie": ["provincie-utrecht"]}},
        ),
        (
            {"vraag": "moties over stikstof", "soort": "besluit"},
            "U noemt de soort motie, maar koos besluit. We zoeken alleen in wat u koos.",
            {"Zoek in motie": {"vraag": ["moties over stikstof"]}},
        ),
        (
            {"vraag": "moties over stikstof in 2022", "van": "2024-01-01"},
            "U noemt een andere tijd dan u koos. We zoeken alleen in de tijd die u koos.",
            {"Zoek in de tijd die u noemt": {"vraag": ["moties over stikstof in 2022"]}},
        ),
    ],
)
async def test_what_a_question_names_beside_what_was_chosen_is_said_with_a_way_to_it(
    product: Product, asked: dict[str, str], said: str, choices: dict[str, dict[str, list[str]]]
) -> None:
    page = await product.site.get("/zoeken", params=asked | {"platform": "openbesluitvorming"})
    assert said in main_text(page.text)
    for words, leads in choices.items():
        (link,) = links(page.text, words)
        assert given(link) == leads | {"platform": ["openbesluitvorming"]}


@pytest.mark.parametrize(
    "asked",
    [
        {"vraag": "parkeren in Ede", "organisatie": "gemeente-ede"},
        {"vraag": "parkeren in Boxmeer", "organisatie": "gemeente-land-van-cuijk"},
        {"vraag": "moties over stikstof in 2022", "soort": "motie", "van": "2022-01-01", "tot": "2022-12-31"},
    ],
)
async def test_what_was_chosen_and_is_named_too_is_not_said_to_differ(product: Product, asked: dict[str, str]) -> None:
    page = await product.site.get("/zoeken", params=asked | {"platform": "openbesluitvorming"})
    assert "maar koos" not in main_text(page.text)
    assert "een andere tijd" not in main_text(page.text)


async def test_the_next_page_of_a_source_asks_the_question_as_it_was_typed(product: Product) -> None:
    """What was read from a question is read again, and lapses when the question changes."""
    page = await product.site.get("/zoeken", params={"vraag": "besluit in Ede", "platform": "openbesluitvorming"})
    (more,) = links(page.text, "Meer van OpenBesluitvorming")
    assert given(more) == {"vraag": ["besluit in Ede"], "platform": ["openbesluitvorming"], "pagina": ["2"]}
    second = await product.site.get(more)
    assert "organisatie: Gemeente Ede" in main_text(second.text)
    tree = html.document_fromstring(second.text)
    bodies = {words_of(body) for body in tree.xpath("//section[@data-bron]//span[@class='organisatie']")}
    assert bodies == {"Gemeente Ede"}


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
    assert "Stukken van daarna staan bij Gemeente Land van Cuijk. We zoeken daar ook." in main_text(page.text)
    alone = await product.site.get("/zoeken", params=asked | {"voorgangers": "nee"})
    (heir,) = links(alone.text, "Zoek bij Gemeente Land van Cuijk")
    assert given(heir)["organisatie"] == ["gemeente-land-van-cuijk"]


async def test_a_part_of_a_name_gives_the_choices_as_links_without_scripts(product: Product) -> None:
    page = await product.site.get("/zoeken", params={"vraag": "subsidie", "organisatie": "Sint Hubert"})
    assert page.status_code == 400
    (choice,) = links(page.text, "Gemeente Mill en Sint Hubert")
    assert given(choice)["organisatie"] == ["gemeente-mill-en-sint-hubert"]


async def test_the_names_to_choose_from_are_all_names_of_the_register(product: Product) -> None:
    """Field report 14: a water board is named with the word for its kind. Eis Z2."""
    answer = await product.site.get("/organisaties/namen")
    lines = [line.partition("\t") for line in answer.text.splitlines()]
    others = {name for name, _, about in lines if about not in {"", "bestaat niet meer"}}
    names = [name for name, _, _ in lines if name not in others]
    register = Register.of([one.organisations() for one in registry(addresses())], shipped_lives())
    assert names == sorted({body.name for body in register.everybody()})
    assert {"Gemeente Ede", "Waterschap De Dommel", "Gemeente Boxmeer"} <= set(names)
    assert [name for name in (*names, *others) if not register.find(name)] == []


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


async def submitters(product: Product, address: str) -> set[str]:
    """The fracties of who signed a paper, among the facts of its page and of its case; those that only voted are not there."""
    tree = html.document_fromstring((await product.site.get(address)).text)
    facts = [*tree.xpath(SIGNED)]
    related = tree.xpath("//section[@class='verwant']//dd/a/@href")
    for case in (one for one in related if re.search(r"/tweede-kamer/\d{4}Z\d+$", one)):
        facts += html.document_fromstring((await product.site.get(case)).text).xpath(SIGNED)
    return {party for fact in facts for party in re.findall(r"\(([^()]+)\)", words_of(fact))}


async def test_a_fractie_narrows_what_the_kamer_gives_to_what_it_made(product: Product) -> None:
    """Eis Z3."""
    _, all_of_them = await found_at_the_kamer(product, vraag="energie", soort="motie")
    told: dict[str, tuple[str, ...]] = {}
    for party in ("D66", "Volt", "PvdD", "VVD", "CDA", "SP", "BBB"):
        _, told[party] = await found_at_the_kamer(product, vraag="energie", soort="motie", fractie=party)
    assert any(told.values())
    assert set().union(*told.values()) <= set(all_of_them)
    seen: set[str] = set()
    for address in all_of_them:
        signed = await submitters(product, address)
        assert {party for party, found in told.items() if address in found} == signed & set(told), address
        seen |= signed & set(told)
    assert seen == {party for party, found in told.items() if found}


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


async def test_a_source_that_cannot_choose_by_a_fractie_is_not_asked_and_can_be_without_it(product: Product) -> None:
    """Field reports 8 and 15. Eis Z3."""
    asked = {"vraag": "energie", "fractie": "D66", "platform": ["openbesluitvorming", "tweede-kamer"]}
    page = await product.site.get("/zoeken", params=asked)
    texts = {section.platform: section.text for section in sections(page.text)}
    assert (
        "kan niet kiezen op een fractie of commissie. Deze bron is daarom niet gevraagd." in texts["openbesluitvorming"]
    )
    assert "niet kiezen op een fractie" not in texts["tweede-kamer"]
    (elsewhere,) = links(page.text, "Zoek hier zonder die keuze")
    assert given(elsewhere) == {"vraag": ["energie"], "platform": ["openbesluitvorming"]}
    assert "Kiezen op fractie kan alleen bij Tweede Kamer. De andere bronnen zijn daarom niet gevraagd." in page.text
    alone = await product.site.get("/zoeken", params=asked | {"platform": "tweede-kamer"})
    assert "Kiezen op fractie" not in alone.text
    (without,) = links(page.text, "fractie: D66")
    assert "fractie" not in given(without)
