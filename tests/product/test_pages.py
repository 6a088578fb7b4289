"""A citizen at the page: one question, answers with their source, a document, and what happens when something is wrong."""

from __future__ import annotations

import asyncio
from typing import NoReturn
from urllib.parse import urlencode

import pytest
from lxml import html

from besluitbron.composition import addresses
from connectors.connector import Connector
from connectors.registry import default_registry
from search.federation import Federation, StillWaitingError
from search.views import EXAMPLES
from tests.product.conftest import Product
from tests.support.pages import main_text, sections, words_of
from tests.support.serving import BOUND
from tests.support.valkey import Valkey

pytestmark = pytest.mark.anyio
BOTH = {"openbesluitvorming", "rechtspraak"}
CONNECTORS = tuple(default_registry(addresses()))
TWO = sorted(BOTH)  # what most tests here ask; each further source is asked by the test of all of them


@pytest.mark.parametrize("question", ["subsidie", "vergunning"])
async def test_one_question_shows_hits_of_both_platforms_and_a_document_of_each_opens_with_its_text(
    product: Product, question: str
) -> None:
    page = await product.site.get("/zoeken", params={"platform": TWO, "vraag": question})
    assert page.status_code == 200
    found = {section.platform: section for section in sections(page.text)}
    assert found.keys() == BOTH
    for section in found.values():
        assert section.state == "klaar"
        assert section.titles
        document = await product.site.get(section.links[0])
        assert document.status_code == 200
        text = main_text(document.text)
        assert "Zo verwijst u naar dit stuk" in text
        assert len(text) > 1000


@pytest.mark.parametrize("connector", CONNECTORS, ids=lambda connector: connector.platform.key)
async def test_every_source_finds_something_and_opens_a_document_with_its_text(
    product: Product, connector: Connector
) -> None:
    page = await product.site.get("/zoeken", params={"vraag": "subsidie", "platform": connector.platform.key})
    (section,) = sections(page.text)
    assert section.state == "klaar"
    texts = [main_text((await product.site.get(link)).text) for link in section.links[:3]]
    assert max(map(len, texts)) > 1000
    assert all("Zo verwijst u naar dit stuk" in text for text in texts)


async def test_one_question_without_a_choice_goes_to_every_source(product: Product) -> None:
    page = await product.site.get("/zoeken", params={"vraag": "subsidie"})
    assert {section.platform for section in sections(page.text)} == {c.platform.key for c in CONNECTORS}


async def test_rulings_stand_in_one_search_with_papers_of_councils_and_of_the_kamer(product: Product) -> None:
    """Field report 29: who looks for leads finds rulings without another search."""
    tree = html.document_fromstring((await product.site.get("/zoeken", params={"vraag": "subsidie"})).text)
    kinds = {
        str(section.get("data-bron")): {words_of(kind) for kind in section.xpath("./ol/li//span[@class='soort']")}
        for section in tree.xpath("//section[@data-bron]")
    }
    assert kinds["rechtspraak"]
    assert all(kind.startswith(("uitspraak", "conclusie")) for kind in kinds["rechtspraak"])
    assert kinds["openbesluitvorming"]
    assert kinds["tweede-kamer"]
    assert not kinds["rechtspraak"] & (kinds["openbesluitvorming"] | kinds["tweede-kamer"])


async def test_every_hit_names_its_organisation_kind_date_and_source(product: Product) -> None:
    """Eis Z1."""
    page = await product.site.get("/zoeken", params={"platform": TWO, "vraag": "vergunning"})
    tree = html.document_fromstring(page.text)
    hits = tree.xpath("//ol[@class='treffers']/li")
    assert hits
    for hit in hits:
        assert hit.xpath(".//span[@class='organisatie']")[0].text_content().strip()
        assert hit.xpath(".//span[@class='soort']")[0].text_content().strip()
        assert hit.xpath(".//time/@datetime") or "datum onbekend" in hit.text_content()
        assert hit.xpath(".//p[@class='herkomst']/a/@href")[0].startswith("http")
    assert len(tree.xpath("//section/@data-opgehaald")) == len(BOTH)


async def test_with_one_platform_dead_or_slow_the_other_arrives_at_once(product: Product) -> None:
    """Eis 6.2."""
    await product.put("openbesluitvorming", "traag", 60)
    arrived = ""
    async with product.site.stream("GET", "/zoeken", params={"platform": TWO, "vraag": "vergunning"}) as response:
        pieces = response.aiter_text()
        async with asyncio.timeout(BOUND):
            async for piece in pieces:
                arrived += piece
                if (
                    'data-bron="rechtspraak"' in arrived
                    and "</section>" in arrived.rpartition('data-bron="rechtspraak"')[2]
                ):
                    break
    assert 'data-bron="openbesluitvorming"' not in arrived
    await product.put("openbesluitvorming", "dood")
    # Another question: who asks the same shares the call that is still under way.
    page = await product.site.get("/zoeken", params={"platform": TWO, "vraag": "subsidie"})
    assert {s.platform: s.state for s in sections(page.text)} == {"openbesluitvorming": "fout", "rechtspraak": "klaar"}


@pytest.mark.parametrize(
    ("condition", "state", "words"),
    [
        ("dood", "fout", "niet bereikbaar"),
        ("onzin", "fout", "webpagina in plaats van een antwoord"),
        ("onderhoud", "fout", "kon dit nu niet beantwoorden"),
        ("vol", "afgewezen", "te druk"),
    ],
)
@pytest.mark.parametrize("platform", sorted(BOTH))
async def test_a_platform_that_gives_no_answer_says_what_happened_and_the_other_stands(
    product: Product, platform: str, condition: str, state: str, words: str
) -> None:
    await product.put(platform, condition)
    page = await product.site.get("/zoeken", params={"platform": TWO, "vraag": "vergunning"})
    found = {section.platform: section for section in sections(page.text)}
    assert found[platform].state == state
    assert words in found[platform].text
    assert found[(BOTH - {platform}).pop()].state == "klaar"


async def test_a_municipality_is_not_asked_of_the_courts_nor_a_court_of_the_councils(product: Product) -> None:
    page = await product.site.get("/zoeken", params={"platform": TWO, "vraag": "subsidie", "organisatie": "ede"})
    states = {section.platform: section.state for section in sections(page.text)}
    assert states == {"openbesluitvorming": "klaar", "rechtspraak": "niet-ondersteund"}
    assert (await product.counted("rechtspraak"))["aanroepen"] == 0
    page = await product.site.get(
        "/zoeken", params={"platform": TWO, "vraag": "vergunning", "organisatie": "Raad van State"}
    )
    states = {section.platform: section.state for section in sections(page.text)}
    assert states["openbesluitvorming"] == "niet-ondersteund"


HOSTILE = [
    "14:30",
    "kosten/baten",
    "a+b",
    "pad\\",
    '"ongebalanceerd',
    "subsidie\x00",
    "🔥 subsidie",
    "\u202esubsidie\u202c",
    "<script>alert(1)</script>",
    "' OR 1=1 --",
    "{{ 7*7 }}",
    "%00%0a",
    "a" * 500,
    "é" * 300,
]


@pytest.mark.parametrize("question", HOSTILE)
async def test_odd_questions_are_searched_and_shown_as_typed_text(product: Product, question: str) -> None:
    """Field report 5."""
    page = await product.site.get("/zoeken?" + urlencode({"vraag": question, "platform": TWO}, doseq=True))
    assert page.status_code == 200
    assert {section.state for section in sections(page.text)} <= {"klaar", "leeg", "niet-ondersteund"}
    scripts = html.document_fromstring(page.text).xpath("//script")
    assert [script.get("src") for script in scripts] == ["/static/besluitbron.js"]


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"vraag": "a" * 10_000}, "te lang"),
        ({"vraag": "?!"}, "geen letter of cijfer"),
        ({"vraag": "a", "van": "2023-02-30"}, "geen datum die bestaat"),
        ({"vraag": "a", "van": "2024-01-02", "tot": "2024-01-01"}, "voor de begindatum"),
        ({"vraag": "a", "organisatie": "Atlantis"}, "kennen geen organisatie"),
        ({"vraag": "a", "organisatie": "Utrecht"}, "Gemeente Utrecht"),
        ({"vraag": "a", "soort": "droom"}, "bestaat niet"),
        ({"vraag": "a", "platform": "droom"}, "bestaat niet"),
        ({"vraag": "a", "pagina": "-1"}, "bestaat niet"),
    ],
)
async def test_a_question_that_cannot_be_asked_gets_400_a_clear_message_and_loses_nothing(
    product: Product, parameters: dict[str, str], words: str
) -> None:
    """Field report 8."""
    page = await product.site.get("/zoeken", params=parameters)
    assert page.status_code == 400
    assert words in main_text(page.text)
    (box,) = html.document_fromstring(page.text).xpath("//input[@name='vraag']")
    assert box.get("value") == parameters["vraag"]
    assert (await product.counted("openbesluitvorming"))["aanroepen"] == 0


@pytest.mark.parametrize(("words", "address"), EXAMPLES)
async def test_every_example_on_the_front_page_finds_something(product: Product, words: str, address: str) -> None:
    page = await product.site.get(f"/zoeken?{address}")
    assert any(section.titles for section in sections(page.text)), words


async def test_a_choice_is_a_link_that_mends_the_question(product: Product) -> None:
    page = await product.site.get("/zoeken", params={"vraag": "subsidie", "organisatie": "Utrecht", "soort": "motie"})
    (link,) = html.document_fromstring(page.text).xpath("//main//li/a[text()='Provincie Utrecht']/@href")
    assert link == "/zoeken?vraag=subsidie&organisatie=provincie-utrecht&soort=motie"


async def test_a_refused_question_keeps_every_choice_that_was_made(product: Product) -> None:
    asked = [("vraag", "a"), ("platform", "rechtspraak"), ("van", "x"), ("tot", "1-2-2020")]
    asked += [
        ("organisatie", "gemeente-ede"),
        ("organisatie", "gemeente-soest"),
        ("soort", "motie"),
        ("soort", "brief"),
    ]
    page = await product.site.get("/zoeken?" + urlencode(asked))
    (form,) = html.document_fromstring(page.text).xpath("//form[@action='/zoeken']")
    kept = {(name, value) for name, value in form.form_values() if value}
    expected = {pair for pair in asked if pair[0] != "tot"} | {("tot", "2020-02-01"), ("sorteer", "relevantie")}
    assert kept == expected


async def test_when_no_source_answered_no_number_is_named(product: Product) -> None:
    for platform in BOTH:
        await product.put(platform, "dood")
    text = main_text((await product.site.get("/zoeken", params={"platform": TWO, "vraag": "subsidie"})).text)
    assert "Geen van de bronnen gaf antwoord" in text
    assert "0 resultaten" not in text


async def test_mending_one_organisation_keeps_the_others(product: Product) -> None:
    asked = [("vraag", "a"), ("organisatie", "ede"), ("organisatie", "Utrecht")]
    page = await product.site.get("/zoeken?" + urlencode(asked))
    (link,) = html.document_fromstring(page.text).xpath("//main//li/a[text()='Gemeente Utrecht']/@href")
    assert link == "/zoeken?vraag=a&organisatie=ede&organisatie=gemeente-utrecht"


async def test_past_the_last_page_it_says_so_and_never_that_there_are_no_results(product: Product) -> None:
    page = await product.site.get("/zoeken", params={"platform": TWO, "vraag": "subsidie", "pagina": "150"})
    for section in sections(page.text):
        assert "staat niets meer" in section.text
        assert "Geen resultaten" not in section.text


async def test_a_quoted_phrase_finds_less_than_its_loose_words(product: Product) -> None:
    """Field report 6: a phrase was searched as loose words."""
    found = []
    for question in ("het voorstel", '"het voorstel"', '"voorstel het"'):
        answer = await product.site.get("/zoeken", params={"vraag": question, "platform": "openbesluitvorming"})
        found.append(sections(answer.text)[0].text)
    totals = [int(text.split()[1]) for text in found]
    assert totals[0] > totals[1] > totals[2]


@pytest.mark.parametrize("parameters", [{}, {"vraag": ""}, {"vraag": "   "}])
async def test_an_empty_question_shows_examples(product: Product, parameters: dict[str, str]) -> None:
    """Eis 7.6."""
    page = await product.site.get("/zoeken", params=parameters)
    assert page.status_code == 200
    assert "Voorbeelden" in main_text(page.text)


@pytest.mark.parametrize("question", ['"a b"~10', "water OR dijk", "water -dijk", "water*"])
async def test_an_operator_that_no_platform_knows_is_refused_with_a_hint(product: Product, question: str) -> None:
    """Field report 7."""
    page = await product.site.get("/zoeken", params={"platform": TWO, "vraag": question})
    for section in sections(page.text):
        assert section.state == "niet-ondersteund"
        assert "kan hier niet" in section.text


@pytest.mark.parametrize(
    "path",
    [
        "/document/rechtspraak/document:notubiz:gemeente:ede:1",
        "/document/openbesluitvorming/ECLI:NL:HR:2024:1",
        "/document/openbesluitvorming/..%2F..%2Fetc",
        "/document/openbesluitvorming/%00",
        "/document/onbekend/1",
        "/document/tweede-kamer/1",
        "/document/rechtspraak/ECLI:NL:HR:1899:999999",
        "/document/openbesluitvorming/document:notubiz:gemeente:ede:999999999",
    ],
)
async def test_an_id_of_another_platform_or_of_nothing_is_404(product: Product, path: str) -> None:
    page = await product.site.get(path)
    assert page.status_code == 404
    assert "Naar de voorpagina" in main_text(page.text)


async def test_an_ecli_in_any_spelling_leads_to_one_address(product: Product) -> None:
    """Field report 30."""
    listed = await product.site.get("/zoeken", params={"vraag": "vergunning", "platform": "rechtspraak"})
    link = sections(listed.text)[0].links[0]
    ecli = link.rpartition("/")[2]
    for spelling in (ecli.lower(), ecli.replace(":", " "), ecli.removeprefix("ECLI:")):
        answer = await product.site.get(f"/document/rechtspraak/{spelling}")
        assert answer.status_code == 302
        assert answer.headers["location"] == link


async def test_the_next_page_holds_other_hits(product: Product) -> None:
    """Eis Z7."""
    first = await product.site.get("/zoeken", params={"vraag": "subsidie", "platform": "openbesluitvorming"})
    (more,) = html.document_fromstring(first.text).xpath("//a[@rel='next']/@href")
    second = await product.site.get(str(more))
    ones, others = sections(first.text)[0].links, sections(second.text)[0].links
    assert ones
    assert others
    assert not set(ones) & set(others)


async def test_every_page_says_that_the_answers_come_from_the_bundled_collection(product: Product) -> None:
    for path in ("/", "/zoeken?vraag=subsidie", "/document/rechtspraak/x", "/nergens", "/beheer/login/"):
        page = await product.site.get(path)
        assert "Proefmodus: antwoorden uit een meegeleverde verzameling" in page.text, path


async def test_head_asks_no_platform(product: Product) -> None:
    answer = await product.site.head("/zoeken", params={"vraag": "subsidie"})
    assert (answer.status_code, answer.content) == (200, b"")
    assert (await product.counted("openbesluitvorming"))["aanroepen"] == 0


async def test_without_our_own_store_the_pages_say_that_the_fault_is_ours_and_blame_no_source(
    product: Product, store: Valkey
) -> None:
    store.kill()
    try:
        answers = await product.site.get("/zoeken?vraag=subsidie&platform=rechtspraak&platform=opentk")
        document = await product.site.get("/document/rechtspraak/ECLI:NL:RVS:2023:1")
    finally:
        store.start()
    assert answers.text.count("Aan die bron ligt het niet.") == 2
    assert "Daarom is er geen bron gevraagd." in answers.text
    assert "niet bereikbaar" not in answers.text
    assert document.status_code == 503
    assert "BesluitBron zelf heeft nu een storing" in document.text


async def test_a_document_whose_turn_does_not_come_says_when_it_will_be_there_and_nothing_else(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def waits(*_: object) -> NoReturn:
        raise StillWaitingError(115.0)

    monkeypatch.setattr(Federation, "document", waits)
    answer = await product.site.get("/document/rechtspraak/ECLI:NL:RVS:2023:1")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "120")
    assert "Uw vraag houdt haar plek in de rij." in answer.text
    assert "over een paar minuten" not in answer.text
