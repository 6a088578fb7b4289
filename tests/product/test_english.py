"""Every page under ``/en/``, in every state, speaks English: no Dutch of ours is left, and words of sources are marked."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
from lxml import html
from pytest_django import Settings

from besluitbron.language import in_english
from connectors.language import Language, say, speaking
from connectors.platforms import PLATFORMS
from connectors.records import Kind
from tests.product.conftest import Product, running
from tests.support.english import dutch_left
from tests.support.pages import main_text, sections, words_of
from throttling.incoming_rules import DoorRules, Rate

pytestmark = pytest.mark.anyio
STATES = {"dood": "fout", "onzin": "fout", "vol": "afgewezen", "onderhoud": "fout"}
PAGES = (
    "/",
    "/zoeken",
    "/status",
    "/privacy",
    "/toegankelijkheid",
    "/aansluiten",
    "/api",
    "/problemen/te-veel-verzoeken",
    "/vragenbank",
    "/fout-melden",
    "/rapporten",
    "/bronnen/rechtspraak",
    "/bronnen/opentk",
)
TYPED = (
    "Wat is er in Ede besloten over parkeren?",
    "subsidie",
    "parkeren in Cuijk",
    "parkeren",
    "xyzzyq",
    "Zorg",
    "zorg",
    "warmtenet",
)


with speaking(Language.ENGLISH):
    KINDS = {say(kind.value) for kind in Kind}
ASKED: tuple[dict[str, Any], ...] = (
    {"vraag": "xyzzyq"},
    {
        "vraag": 'xyzzyq "a b"',
        "soort": "motie",
        "van": "2020-01-01",
        "organisatie": "gemeente-ede",
        "platform": "opentk",
    },
    {"vraag": "parkeren in Cuijk", "soort": "motie", "sorteer": "oudste"},
    {"vraag": "subsidie NOT zorg*", "platform": "tweede-kamer"},
    {"vraag": "subsidie", "platform": "opentk", "pagina": "2"},
    {"vraag": "ECLI:NL:HR:1900:1"},
    {"vraag": "gmb-1900-1"},
    {"vraag": "https://www.tweedekamer.nl/nergens"},
    {"vraag": "gemeente Utrecht fietspad"},
    {
        "vraag": "Wat is er in Ede besloten over parkeren?",
        "van": "2020-01-01",
        "tot": "2021-01-01",
        "sorteer": "nieuwste",
    },
    {"vraag": "subsidie", "organisatie": "gemeente-boxmeer"},
    {"vraag": "subsidie", "fractie": "GroenLinks-PvdA", "commissie": "Financiën"},
)


async def names(product: Product) -> list[str]:
    """What stays as it is on any page: names of bodies, and what these tests type."""
    return [*filter(None, re.split(r"[\n\t]", (await product.site.get("/organisaties/namen")).text)), *TYPED]


async def read(product: Product, address: str, status: int = 200, **params: Any) -> str:
    """A page in English, with nothing of ours in Dutch on it."""
    answer = await product.site.get(f"/en{address}", params=params or None)
    assert answer.status_code == status
    assert dutch_left(answer.text, await names(product)) == []
    (root,) = html.document_fromstring(answer.text).xpath("/html")
    assert root.get("lang") == "en"
    assert "set-cookie" not in answer.headers
    assert "vary" not in answer.headers or "accept-language" not in answer.headers["vary"].lower()
    return answer.text


async def test_every_page_about_ourselves_is_english(product: Product) -> None:
    for address in PAGES:
        await read(product, address)


async def test_what_is_not_there_is_said_in_english(product: Product) -> None:
    for address in ("/nergens", "/document/nee/x", "/document/opentk/x", "/api/v1/platforms", "/zoeken.atom"):
        assert "Go to the front page" in await read(product, address, 404)


async def test_answers_of_all_sources_and_a_document_of_each_are_english_around_the_words_of_the_source(
    product: Product,
) -> None:
    """Eis V10."""
    page = await read(product, "/zoeken", vraag="subsidie")
    shown = [section for section in sections(page) if section.titles]
    assert {section.platform for section in shown} == {platform.key for platform in PLATFORMS}
    for section in shown:
        assert section.links[0].startswith("/en/document/")
        for asked in ("", "?in-stuk=subsidie"):
            document = await read(product, section.links[0].removeprefix("/en") + asked)
            assert "How to cite this document" in main_text(document)
            tree = html.document_fromstring(document)
            (title,) = tree.xpath("//h1")
            (kind,) = tree.xpath("//dl[@class='feiten']//dt[.='Kind']/following-sibling::dd")
            assert (title.get("lang"), kind.get("lang")) == ("nl", None)
            assert words_of(kind) in KINDS


async def test_the_same_document_at_another_source_is_told_of_in_english(product: Product) -> None:
    asked = {"platform": "open-raadsinformatie", "vraag": "subsidie dorpshuis"}
    (found, *_) = sections((await product.site.get("/zoeken", params=asked)).text)[-1:]
    (address,) = (one for one in found.links if one.endswith("ori_weesp:1122811"))
    page = await read(product, f"{address}?elders=ja")
    assert "This document at other sources" in main_text(page)
    assert "/en/document/openbesluitvorming/document:notubiz:gemeente:weesp:2900198" in page


async def test_a_vote_is_english(product: Product) -> None:
    page = await product.site.get("/en/zoeken", params={"vraag": "studentenwoningen", "platform": "tweede-kamer"})
    seen = 0
    for link in [link for section in sections(page.text) for link in section.links][:5]:
        seen += "Votes by party" in await read(product, link.removeprefix("/en"))
    assert seen


@pytest.mark.parametrize(
    "state", [one if one != "vol" else pytest.param(one, marks=pytest.mark.lang) for one in STATES]
)
async def test_a_source_in_trouble_is_told_of_in_english(product: Product, state: str) -> None:
    await product.put("opentk", state)
    page = await read(product, "/zoeken", vraag="subsidie", platform=["opentk", "rechtspraak"])
    *_, section = (one for one in sections(page) if one.platform == "opentk")
    assert section.state == STATES[state]  # for programs the state is the same in every language
    assert "Ask only OpenTK again" in section.text
    links = [one for one in html.document_fromstring(page).xpath("//section//a/@href") if "platform=opentk" in one]
    assert links
    assert all(one.startswith("/en/zoeken?") for one in links)
    if state != "vol":  # then the page of a document goes on waiting
        await read(product, "/document/opentk/2024D00001", 502)


async def test_a_source_that_still_waits_is_told_of_in_english(settings: Settings) -> None:
    async with running(settings, patience=0.2) as product:
        await product.put("opentk", "traag", 60)
        page = await read(product, "/zoeken", vraag="subsidie", platform=["opentk", "rechtspraak"])
        await product.put("opentk", "goed")
    (stream,) = html.document_fromstring(page).xpath("//@data-stroom")
    assert stream.startswith("/en/zoeken/stroom?")
    assert "needs more time and is still being asked" in main_text(page)


async def test_what_comes_after_the_page_is_english(product: Product) -> None:
    asked = {"vraag": "subsidie", "wacht": ["rechtspraak", "opentk"]}
    answer = await product.site.get("/en/zoeken/stroom", params=asked)
    known, told = await names(product), answer.text.splitlines()
    blocks = "\n".join(line.removeprefix("data: ") for line in told if not line.startswith("data: {"))
    assert dutch_left(f"<html lang='en'><body>{blocks}</body></html>", known) == []
    assert "/en/document/opentk/" in blocks
    assert all("results" in line for line in told if line.startswith("data: {"))


async def test_what_was_chosen_and_what_came_of_it_is_said_in_english(product: Product) -> None:
    for asked in ASKED:
        await read(product, "/zoeken", **asked)


async def test_what_is_wrong_with_a_question_is_said_in_english_and_the_ways_out_stay_english(product: Product) -> None:
    wrong = {"vraag": "…", "soort": "fout", "van": "gisteren", "organisatie": "Ed", "platform": "nee", "sorteer": "q"}
    page = await read(product, "/zoeken", 400, **wrong, pagina="0", periode="ooit")
    ways_out = html.document_fromstring(page).xpath("//div[@role='alert']//li/ul//a/@href")
    assert ways_out
    assert all(address.startswith("/en/zoeken?") for address in ways_out)


async def test_whoever_asks_too_much_is_told_so_in_english(settings: Settings) -> None:
    settings.INCOMING_RULES = replace(settings.INCOMING_RULES, page=DoorRules(Rate(1000, 1, 1000), Rate(2, 60, 2)))
    async with running(settings) as product:
        known = await names(product)
        await product.site.get("/en/privacy")
        answer = await product.site.get("/en/zoeken?vraag=x", headers={"accept": "text/html"})
    assert (answer.status_code, dutch_left(answer.text, known)) == (429, [])
    assert "Wait 30 seconds and then refresh this page." in main_text(answer.text)


async def test_a_name_that_is_not_ours_is_refused_in_english(product: Product) -> None:
    answer = await product.site.get("/en/", headers={"host": "elders.example"})
    assert (answer.status_code, dutch_left(answer.text)) == (400, [])


async def test_what_breaks_says_so_in_english(product: Product, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("besluitbron.pages.contact", lambda: 1 / 0)
    answer = await product.site.get("/en/privacy")
    assert (answer.status_code, dutch_left(answer.text)) == (500, [])


@pytest.mark.parametrize(
    "address", ["/", "/status", "/zoeken?vraag=warmtenet&soort=motie&soort=brief&van=2020-01-01", "/privacy"]
)
async def test_every_page_offers_itself_in_the_other_language_with_all_that_was_asked(
    product: Product, address: str
) -> None:
    for here, other, language in ((address, f"/en{address}", "en"), (f"/en{address}", address, "nl")):
        page = html.document_fromstring((await product.site.get(here)).text)
        (link,) = page.xpath("//header//a[@hreflang]")
        assert (link.get("lang"), link.get("hreflang")) == (language, language)
        assert urlsplit(link.get("href")).path == urlsplit(other).path
        assert parse_qsl(urlsplit(link.get("href")).query) == parse_qsl(urlsplit(other).query)
        told = {one.get("hreflang"): one.get("href") for one in page.xpath("//link[@hreflang]")}
        assert told == {
            "nl": f"http://localhost:8000{address}",
            "en": f"http://localhost:8000/en{address}",
        }


async def test_every_link_to_ourselves_on_an_english_page_stays_english_where_there_is_english(
    product: Product,
) -> None:
    """Eis V10."""
    for address in ("/", "/zoeken?vraag=subsidie+in+Ede&platform=opentk", "/status", "/privacy", "/api"):
        page = html.document_fromstring((await product.site.get(f"/en{address}")).text)
        links = [
            link for link in page.xpath("//body//a[not(@hreflang)]/@href | //form/@action") if link.startswith("/")
        ]
        dutch = [link for link in links if not link.startswith("/en/") and in_english(urlsplit(link).path)]
        assert links
        assert dutch == []


async def test_two_languages_asked_at_once_never_mix(product: Product) -> None:
    """What is kept and joined between requests is data: each page is wholly of its own language."""
    asked = {"vraag": "subsidie", "platform": ["opentk", "rechtspraak", "tweede-kamer"]}
    known = await names(product)
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(product.site.get(f"{'/en' * (turn % 2)}/zoeken", params=asked)) for turn in range(8)]
    pages = [task.result() for task in tasks]
    assert all(dutch_left(page.text, known) == [] for page in pages[1::2])
    assert {"Geen " in page.text or "resultaten" in page.text for page in pages[::2]} == {True}
    assert not any("results" in main_text(page.text) for page in pages[::2])


@pytest.mark.parametrize("form", ["csv", "ris", "json"])
async def test_a_file_has_one_language_and_why_there_is_none_is_said_in_that_of_its_page(
    product: Product, form: str
) -> None:
    asked = {"vraag": "dwergvleermuis", "platform": "openbesluitvorming"}
    page = html.document_fromstring((await product.site.get("/en/zoeken", params=asked)).text)
    (address,) = page.xpath(f"//nav[@class='uitvoer']//a[contains(@href, 'zoeken.{form}?')]/@href")
    assert address.startswith("/en/")
    files = [(await product.site.get(one)).text for one in (address, address.removeprefix("/en"))]
    assert all("Milieueffectrapport met bijlagen" in one for one in files)
    assert not [one for one in files if "searched" in one or "/en/document" in one]
    refused = await product.site.get(f"/en/zoeken.{form}?vraag=a&van=gisteren")
    assert (refused.status_code, refused.headers["content-type"]) == (400, "text/plain; charset=utf-8")
    assert refused.text.splitlines()[0] == "We cannot run this search."
    assert "datum" not in refused.text
    for platform in ("opentk", "openbesluitvorming"):
        await product.put(platform, "dood")
    silent = await product.site.get(f"/en/zoeken.{form}?vraag=klimaat&platform=opentk")
    assert silent.status_code == 503
    assert silent.text.startswith("None of the sources gave an answer. So no file was made.\nOpenTK: ")
    assert "bron" not in silent.text
    empty = await product.site.get(f"/en/zoeken.{form}")
    assert empty.text == "There is no question in this address. Search first, and then choose a file.\n"


async def test_what_programs_read_has_one_language(product: Product) -> None:
    for address in (
        "/en/api/v1/platforms",
        "/en/zoeken.atom?vraag=x",
        "/en/opensearch.xml",
        "/en/beheer/",
        "/en/static/tokens.css",
        "/en/mcp/unified/v1",
    ):
        assert (await product.site.get(address)).status_code == 404
    moved: httpx.Response = await product.site.get("/en")
    assert (moved.status_code, moved.headers["location"]) == (308, "/en/")
