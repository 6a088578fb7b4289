"""One word too many, a place that a source does not know, a number among other words: each has a way on without typing."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from lxml import html

from search.group_names import GroupNames, Named
from tests.product.conftest import Product
from tests.support.pages import main_text, sections, words_of

pytestmark = pytest.mark.anyio
RULING = "rechtspraak:ECLI:NL:RVS:2015:231"


def links(page: str, words: str) -> list[str]:
    """Where the links with these words lead."""
    tree = html.document_fromstring(page)
    return [str(link.get("href")) for link in tree.xpath("//main//a") if words in words_of(link)]


def given(address: str) -> dict[str, list[str]]:
    return parse_qs(urlsplit(address).query)


async def test_who_found_nothing_may_leave_out_each_word_the_least_telling_first(product: Product) -> None:
    page = await product.site.get("/zoeken", params={"vraag": "zwembad openblijven ede"})
    shorter = [words_of(link) for link in html.document_fromstring(page.text).xpath("//p[@class='korter']/a")]
    assert shorter == ["zonder ‘openblijven’", "zonder ‘zwembad’"]
    (without,) = links(page.text, "zonder ‘openblijven’")
    assert given(without) == {"vraag": ["zwembad ede"]}
    assert "organisatie: Gemeente Ede" in main_text((await product.site.get(without)).text)


async def test_leaving_out_a_word_keeps_every_filter(product: Product) -> None:
    asked = {"vraag": "dijk xyzzyplugh", "organisatie": "gemeente-ede", "soort": "motie", "van": "2020-01-01"}
    page = await product.site.get("/zoeken", params=asked)
    (without,) = links(page.text, "zonder ‘xyzzyplugh’")
    assert given(without) == {
        "vraag": ["dijk"],
        "organisatie": ["gemeente-ede"],
        "soort": ["motie"],
        "van": ["2020-01-01"],
    }


async def test_a_phrase_is_left_out_whole_and_a_sentence_stays_read_as_it_was(product: Product) -> None:
    typed = 'Welke moties zijn er over "redelijke xyzzyplugh" en dijken?'
    page = await product.site.get("/zoeken", params={"vraag": typed})
    (without,) = links(page.text, "zonder ‘redelijke xyzzyplugh’")
    shorter = await product.site.get(without)
    assert "op “dijken”, alleen de soort motie" in main_text(shorter.text)


async def test_while_a_source_gave_no_answer_no_word_is_said_to_be_too_many(product: Product) -> None:
    await product.put("rechtspraak", "dood")
    page = await product.site.get("/zoeken", params={"vraag": "dijk xyzzyplugh"})
    assert not links(page.text, "zonder ‘")


async def test_programs_hear_which_words_may_be_left_out_and_only_where_nothing_was_found(product: Product) -> None:
    empty = (await product.site.get("/api/v1/_zoek", params={"vraag": "zwembad openblijven"})).json()
    assert empty["wegTeLaten"] == ["openblijven", "zwembad"]
    found = (await product.site.get("/api/v1/_zoek", params={"vraag": "subsidie energie"})).json()
    assert found["wegTeLaten"] == []


async def test_a_place_in_the_question_is_a_word_for_sources_without_municipalities_and_that_is_said(
    product: Product,
) -> None:
    page = await product.site.get("/zoeken", params={"vraag": "bestemmingsplan MOB-complex Bussum"})
    found = {section.platform: section for section in sections(page.text)}
    assert found["rechtspraak"].links == ("/document/" + RULING.replace(":", "/", 1),)
    (courts,) = html.document_fromstring(page.text).xpath("//section[@data-bron='rechtspraak']")
    assert "Deze bron kent geen gemeenten. We zochten met ‘Bussum’ als woord." in words_of(courts)
    for key in ("rechtspraak", "opentk"):
        assert (await product.counted(key))["aanroepen"] == 1


async def test_a_place_that_was_chosen_shuts_such_a_source_out_with_a_link_to_ask_it(product: Product) -> None:
    asked = {"vraag": "bestemmingsplan MOB-complex", "organisatie": "gemeente-bussum"}
    page = await product.site.get("/zoeken", params=asked)
    assert (await product.counted("rechtspraak"))["aanroepen"] == 0
    there = [link for link in links(page.text, "met ‘Bussum’ als gewoon woord") if "rechtspraak" in link]
    answer = await product.site.get(there[0])
    (section,) = sections(answer.text)
    assert section.links == ("/document/" + RULING.replace(":", "/", 1),)


async def test_of_two_places_no_source_is_asked_both_as_words(product: Product) -> None:
    page = await product.site.get("/zoeken", params={"vraag": "parkeren in Ede en Soest"})
    assert {one.platform: one.state for one in sections(page.text)}["rechtspraak"] == "niet-ondersteund"


@pytest.mark.parametrize(
    ("typed", "leads"),
    [
        ("ECLI:NL:CBB:2022:1 wat is de hoofdregel", "/document/rechtspraak/ECLI:NL:CBB:2022:1"),
        (
            "ecli:nl:cbb:2022:1 — kernoverweging, en het wetsartikel zoals dat toen gold",
            "/document/rechtspraak/ECLI:NL:CBB:2022:1",
        ),
        ("arrest LJN BC6074 huurrecht", "/zoeken?vraag=LJN+BC6074"),
        ("stemming bij kst-36045-299", "/document/officiele-bekendmakingen/kst-36045-299"),
    ],
)
async def test_a_number_among_other_words_is_offered_as_the_paper_it_is(
    product: Product, typed: str, leads: str
) -> None:
    """Field report 30."""
    page = await product.site.get("/zoeken", params={"vraag": typed})
    (offer,) = html.document_fromstring(page.text).xpath("//p[contains(@class, 'aanbod')][contains(., 'Bedoelt u')]")
    assert leads in offer.xpath("./a/@href")


@pytest.mark.parametrize(
    ("typed", "leads"),
    [
        ("wat staat er in ECLI:NL:CBB:2022:1?", "/document/rechtspraak/ECLI:NL:CBB:2022:1"),
        ("open uitspraak ecli:nl:cbb:2022:1", "/document/rechtspraak/ECLI:NL:CBB:2022:1"),
        ("LJN BC6074", "/document/rechtspraak/ECLI:NL:GHSGR:2008:BC6074"),
        ("wat zegt LJN BC6074?", "/document/rechtspraak/ECLI:NL:GHSGR:2008:BC6074"),
    ],
)
async def test_a_sentence_that_only_asks_for_a_numbered_paper_leads_to_it(
    product: Product, typed: str, leads: str
) -> None:
    """Field report 30."""
    answer = await product.site.get("/zoeken", params={"vraag": typed})
    assert (answer.status_code, answer.headers.get("location")) == (302, leads)


async def test_two_letters_and_four_digits_alone_are_no_ruling(product: Product) -> None:
    answer = await product.site.get("/zoeken", params={"vraag": "postcode BC6074 dijk"})
    assert "Bedoelt u dit stuk" not in answer.text


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("Zoek moties over stikstof", "op “stikstof”, alleen de soort motie."),
        ("alle moties over stikstof in 2024", "op “stikstof”, alleen de soort motie, vanaf 1 januari 2024"),
        ("Zoek raadsbesluiten over warmtenetten", "we zoeken op “warmtenetten”."),
        (
            "kamervragen over PFAS oktober 2025",
            "alleen de soort vraag, vanaf 1 oktober 2025, tot en met 31 oktober 2025",
        ),
        ("de nieuwste moties over stikstof", "op “stikstof”, alleen de soort motie, nieuwste eerst."),
        ("wat besloot B&W over windmolens", "we zoeken op “windmolens”."),
        ("windmolens op zee, hoe zit dat", "we zoeken op “windmolens zee”."),
    ],
)
async def test_a_question_is_read_by_what_its_words_are_and_says_so(product: Product, typed: str, said: str) -> None:
    page = await product.site.get(
        "/zoeken", params={"vraag": typed, "platform": ["openbesluitvorming", "tweede-kamer"]}
    )
    assert said in main_text(page.text)


async def test_newest_first_that_was_read_can_be_taken_back_alone(product: Product) -> None:
    page = await product.site.get("/zoeken", params={"vraag": "nieuwste moties over stikstof", "platform": "opentk"})
    (undo,) = list(links(page.text, "volgorde: nieuwste"))
    assert given(undo) == {"vraag": ["stikstof"], "platform": ["opentk"], "soort": ["motie"]}


@pytest.mark.parametrize(
    ("typed", "right"),
    [("parkeren in Edde", "parkeren in Ede"), ("windmolens Overijsel", "windmolens Overijssel")],
)
async def test_a_body_that_is_misspelt_is_offered_as_the_question_with_its_right_name(
    product: Product, typed: str, right: str
) -> None:
    page = await product.site.get("/zoeken", params={"vraag": typed, "platform": "openbesluitvorming"})
    (offer,) = html.document_fromstring(page.text).xpath(
        "//p[contains(., 'Bedoelt u een van deze organisaties?')]/a/@href"
    )
    assert given(offer)["vraag"] == [right]


@pytest.mark.parametrize("typed", ["warmtenet Stationskwartier", "parkeren in Ede", "kosten van de Jaarwisseling"])
async def test_a_word_that_is_no_name_of_a_body_is_left_alone(product: Product, typed: str) -> None:
    page = await product.site.get("/zoeken", params={"vraag": typed, "platform": "openbesluitvorming"})
    assert "Bedoelt u een" not in page.text


async def test_a_body_that_ended_is_asked_with_the_one_it_went_to_and_that_can_be_taken_back(product: Product) -> None:
    """Field report 13."""
    page = await product.site.get("/zoeken", params={"vraag": "cultuurnota Cuijk"})
    assert "Stukken van daarna staan bij Gemeente Land van Cuijk. We zoeken daar ook." in main_text(page.text)
    bodies = html.document_fromstring(page.text).xpath("//section[@data-bron]//span[@class='organisatie']")
    assert "Gemeente Land van Cuijk" in {words_of(body) for body in bodies}
    (alone,) = links(page.text, "Laat die weg")
    assert given(alone) == {"vraag": ["cultuurnota Cuijk"], "voorgangers": ["nee"]}
    left = html.document_fromstring((await product.site.get(alone)).text)
    bodies = left.xpath("//section[@data-bron]//span[@class='organisatie']")
    assert "Gemeente Land van Cuijk" not in {words_of(body) for body in bodies}


async def test_the_field_for_a_body_knows_other_names_and_marks_what_is_no_more(product: Product) -> None:
    lines = (await product.site.get("/organisaties/namen")).text.splitlines()
    assert "Den Bosch\tGemeente 's-Hertogenbosch" in lines
    assert "Gemeente Cuijk\tbestaat niet meer" in lines
    assert "Gemeente Ede" in lines


async def test_a_source_that_finds_a_word_inside_others_says_so_and_counts_about(product: Product) -> None:
    page = await product.site.get("/zoeken", params={"vraag": "ede", "platform": "tweede-kamer", "letterlijk": "ja"})
    (section,) = html.document_fromstring(page.text).xpath("//section[@data-bron='tweede-kamer']")
    assert "Deze bron zoekt ook midden in woorden: niet elk resultaat gaat over ‘ede’." in words_of(section)
    assert "ongeveer" in words_of(section.xpath("./h2")[0])
    assert {words_of(mark).lower() for mark in section.xpath(".//mark")} <= {"ede"}


@pytest.mark.parametrize(
    ("given_name", "meant"),
    [("groenlinks", "GL"), ("Groenlinsk", "GL"), ("D6", "D66"), ("VDD", "VVD"), ("XYZ", None), ("Qwertyuiop", None)],
)
async def test_a_fractie_that_stands_in_no_list_is_said_with_what_it_may_be(
    product: Product, monkeypatch: pytest.MonkeyPatch, given_name: str, meant: str | None
) -> None:
    async def listed(*_: object) -> tuple[Named, ...]:
        return (Named("GL", "GroenLinks"), Named("D66", "Democraten 66"), Named("VVD", "VVD"))

    monkeypatch.setattr(GroupNames, "listed", listed)
    asked = {"vraag": "stikstof", "platform": "tweede-kamer", "fractie": given_name}
    page = await product.site.get("/zoeken", params=asked)
    assert f"Fractie ‘{given_name}’ staat niet in de lijst van de Tweede Kamer." in main_text(page.text)
    offers = html.document_fromstring(page.text).xpath("//p[contains(., 'staat niet in de lijst')]/a")
    assert [words_of(one) for one in offers] == ([meant] if meant else [])
    known = await product.site.get("/zoeken", params=asked | {"fractie": "gl"})
    assert "staat niet in de lijst" not in known.text


async def test_a_program_hears_of_a_fractie_that_stands_in_no_list_as_well(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def listed(*_: object) -> tuple[Named, ...]:
        return (Named("GL", "GroenLinks"), Named("D66", "Democraten 66"))

    monkeypatch.setattr(GroupNames, "listed", listed)
    asked = {"vraag": "stikstof", "platform": "tweede-kamer", "fractie": "D6"}
    said = "Fractie ‘D6’ staat niet in de lijst van de Tweede Kamer. Bedoelt u: D66?"
    whole = await product.site.get("/api/v1/_zoek", params=asked)
    assert said in whole.json()["opmerkingen"]
    stream = await product.site.get("/api/v1/_zoek", params=asked, headers={"Accept": "text/event-stream"})
    assert said in stream.text
    known = await product.site.get("/api/v1/_zoek", params=asked | {"fractie": "d66"})
    assert not any("staat niet in de lijst" in one for one in known.json()["opmerkingen"])
