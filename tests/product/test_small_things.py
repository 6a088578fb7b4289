"""Small things that tell whether a site was made with care."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from datetime import date

import pytest
from lxml import html
from pytest_django import Settings

from besluitbron.running.layout import PROJECT
from connectors.coverage import Coverage
from connectors.load_status import LoadState
from connectors.moments import now
from connectors.platforms import PLATFORMS, Platform
from connectors.records import ListItem
from search.kept import KeptStatus
from tests.product.conftest import Product, running
from tests.support.pages import main_text, sections, words_of
from tests.support.serving import BOUND
from tests.support.valkey import Valkey

pytestmark = pytest.mark.anyio
ALL = [platform.key for platform in PLATFORMS]


@pytest.mark.parametrize("platform", PLATFORMS, ids=ALL)
async def test_every_source_has_a_page_that_says_what_it_is_and_what_we_ask_of_it(
    product: Product, platform: Platform
) -> None:
    """Eis 7.11: what it holds, since when, whether it is official, the limits that we keep and the last contact."""
    answer = await product.site.get(f"/bronnen/{platform.key}")
    assert answer.status_code == 200
    tree = html.document_fromstring(answer.text)
    assert tree.findtext(".//title") == f"Over {platform.name} – BesluitBron"
    facts = {words_of(row[0]): words_of(row[1]) for row in tree.xpath("//dl[@class='feiten'][1]/div")}
    assert {"Officieel?", "Van wie", "Welke stukken", "Vanaf wanneer", "Waarop zij zelf kiest"} <= set(facts)
    assert all(facts.values())
    services = [
        {words_of(row[0]): words_of(row[1]) for row in one.xpath("./div")}
        for one in tree.xpath("//section[@aria-labelledby='grenzen']/dl")
    ]
    assert [one["Dienst"] for one in services] == [service.key for service in platform.services]
    for one, service in zip(services, platform.services, strict=True):
        assert str(service.origin) in one["Grens"]
        assert {"Stand", "Laatste contact"} <= set(one)
    assert (await product.counted(platform.key))["aanroepen"] == 0


async def test_the_page_of_a_source_is_reached_from_where_its_name_stands(product: Product) -> None:
    """Eis 7.11."""
    home = (await product.site.get("/")).text
    answers = (await product.site.get("/zoeken?vraag=subsidie&platform=rechtspraak")).text
    status = (await product.site.get("/status")).text
    assert all(f'href="/bronnen/{key}"' in page for key in ALL for page in (home, status))
    assert 'href="/bronnen/rechtspraak"' in answers
    assert (await product.site.get("/bronnen/geen")).status_code == 404


async def test_every_page_leads_to_where_a_fault_is_told_and_that_says_whom(product: Product) -> None:
    """Eis 7.12."""
    for path in ("/", "/zoeken?vraag=dijk&platform=rechtspraak", "/status", "/nergens", "/privacy"):
        (link,) = html.document_fromstring((await product.site.get(path)).text).xpath(
            "//footer//a[.='Meld een fout']/@href"
        )
        assert link == "/fout-melden"
    text = main_text((await product.site.get("/fout-melden")).text)
    for words in (
        "griffie",
        "Meld het dan bij die bron",
        "Schrijf de beheerder",
        "wat u verwachtte en wat u zag",
        "lek",
    ):
        assert words in text


async def test_the_title_of_an_answer_page_holds_the_question_and_with_the_script_how_much_there_is(
    product: Product,
) -> None:
    """Eis 7.3. The head is sent before any source answered, so the number comes into the title by the script alone."""
    page = (await product.site.get("/zoeken?vraag=vergunning&platform=rechtspraak")).text
    tree = html.document_fromstring(page)
    assert tree.findtext(".//title") == "vergunning – BesluitBron"
    (told,) = tree.xpath("//*[@role='status']/@data-titel")
    (count,) = tree.xpath("//section[@data-bron]//span[@class='aantal']")
    assert told == f"vergunning – {words_of(count)} – BesluitBron"
    script = (await product.site.get("/static/besluitbron.js")).text
    assert "document.title = told.dataset.titel" in script


async def test_the_form_is_a_search_with_the_right_keys_on_a_telephone(product: Product) -> None:
    """Eis 7.4, Eis 7.5."""
    tree = html.document_fromstring((await product.site.get("/")).text)
    (box,) = tree.xpath("//search//form//input[@name='vraag']")
    assert (box.get("type"), box.get("inputmode"), box.get("enterkeyhint")) == ("search", "search", "search")


async def test_robots_read_no_answers_and_no_documents(product: Product) -> None:
    """Eis 7.10."""
    rules = (await product.site.get("/robots.txt")).text.splitlines()
    assert next(rule for rule in rules if not rule.startswith("#")) == "User-agent: *"
    assert {"Disallow: /zoeken", "Disallow: /document/", "Disallow: /api/v1/"} <= set(rules)
    answer = await product.site.get("/zoeken?vraag=dijk&platform=rechtspraak")
    assert answer.headers["x-robots-tag"] == "noindex"


async def test_what_is_not_there_is_said_in_dutch_also_without_database_and_store(
    product: Product, store: Valkey
) -> None:
    """Eis 7.9. A page that breaks: ``test_logs``. No test of this file has a database."""
    store.kill()
    try:
        answer = await product.site.get("/nergens")
    finally:
        store.start()
    assert answer.status_code == 404
    assert "Deze pagina bestaat niet" in main_text(answer.text)


@pytest.mark.parametrize(("path", "names"), [("/fracties/namen", ["CDA", "VVD"]), ("/commissies/namen", ["Financiën"])])
async def test_fracties_and_committees_can_be_chosen_from_a_list_of_the_platform_that_has_them(
    product: Product, monkeypatch: pytest.MonkeyPatch, path: str, names: list[str]
) -> None:
    """Eis Z3."""
    rows = {
        "fracties": ["Christen-Democratisch Appèl (CDA), sinds 11-10-1980", "VVD, 24-01-1948 tot 01-01-2020", "VVD"],
        "commissies": ["Financiën (FIN), sinds 01-01-2001"],
    }

    def kept(platform: str, name: str) -> tuple[ListItem, ...]:
        assert platform == "tweede-kamer"
        return tuple(ListItem(str(place), one) for place, one in enumerate(rows[name]))

    monkeypatch.setattr("besluitbron.kept._rows", kept)
    answer = await product.site.get(path)
    assert answer.text.splitlines() == names
    assert answer.headers["cache-control"] == "public, max-age=3600"
    field = path.split("/")[1]
    form = html.document_fromstring((await product.site.get("/")).text)
    assert form.xpath(f"//input[@list='{field}']")
    assert form.xpath(f"//datalist[@id='{field}']/@data-namen") == [path]


async def test_a_list_of_names_that_cannot_be_read_is_empty_and_no_fault(product: Product) -> None:
    """Eis Z3."""
    answer = await product.site.get("/fracties/namen")
    assert (answer.status_code, answer.text) == (200, "")


async def test_how_much_a_source_has_of_what_its_suppliers_had_is_a_picture_and_a_table(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eis Z21."""
    counted = Coverage(912, 870, date(2025, 9, 11), date(2026, 9, 11), is_at_most=True)
    rows = (
        LoadState("ermelo", "Gemeente Ermelo", "ok", now(), now(), 9933, counted),
        LoadState("houten", "Gemeente Houten", "ok", now(), now(), 655, Coverage(655, 655)),
        LoadState("ede", "Gemeente Ede", "ok", now(), now(), 10),
    )

    def kept(platforms: Sequence[str]) -> tuple[KeptStatus, ...]:
        del platforms
        return (KeptStatus(platform="openbesluitvorming", generated_at=now(), fetched_at=now(), organisations=rows),)

    monkeypatch.setattr("besluitbron.kept._load_status", kept)
    monkeypatch.setattr("besluitbron.kept._lists", lambda platforms: ())
    monkeypatch.setattr("besluitbron.kept._years", tuple)
    monkeypatch.setattr("besluitbron.kept._canaries", tuple)
    tree = html.document_fromstring((await product.site.get("/status")).text)
    (picture,) = tree.xpath("//figure[contains(figcaption, 'Dekking')]/svg")
    told = [words_of(one) for one in picture.xpath(".//text")]
    assert told == ["Ermelo", "hooguit 95%", "Houten", "100%"]
    assert "voor 2 organisaties" in picture.get("aria-label")
    cells = {
        words_of(row[0]): words_of(row[-1]) for row in tree.xpath("//table[contains(caption, 'Laadstatus')]/tbody/tr")
    }
    assert (
        cells["Gemeente Ermelo"]
        == "hooguit 95%: 870 van 912, stukken van 11 september 2025 tot en met 11 september 2026"
    )
    assert cells["Gemeente Ede"] == "onbekend"
    assert "kan stukken missen" in main_text((await product.site.get("/status")).text)
    (told,) = (await product.site.get("/api/v1/laadstatus?platform=openbesluitvorming")).json()["platforms"]
    assert {row["sleutel"]: row["dekking"] for row in told["organisaties"]} == {
        "ermelo": {
            "bijLeverancier": 912,
            "aanwezig": 870,
            "hooguit": True,
            "van": "2025-09-11",
            "totEnMet": "2026-09-11",
        },
        "houten": {"bijLeverancier": 655, "aanwezig": 655, "hooguit": False, "van": None, "totEnMet": None},
        "ede": None,
    }


async def test_without_scripts_the_page_names_every_source_of_a_shared_document_in_one_place(product: Product) -> None:
    """Eis Z9."""
    page = await product.site.get("/zoeken", params={"vraag": "parkeren", "organisatie": "gemeente-ede"})
    tree = html.document_fromstring(page.text)
    (box,) = tree.xpath("//details[@class='gedeeld']")
    shared = box.xpath("./ul/li")
    assert str(len(shared)) in words_of(box.xpath("./summary")[0])
    names = {platform.name for platform in PLATFORMS}
    for one in shared:
        links = one.xpath("./a")
        assert len(links) > 1
        for link in links:
            (place,) = tree.xpath(f"//*[@id='{link.get('href')[1:]}']")
            assert words_of(link) == f"bij {place.xpath('ancestor::section/@aria-label')[0]}"
            assert words_of(link).removeprefix("bij ") in names
    assert len(sections(page.text)) == 7


@pytest.mark.parametrize("path", ["/api/v1/platforms", "/mcp/unified/v1"])
async def test_a_program_that_asks_under_another_name_gets_a_problem_and_a_person_a_page(
    product: Product, path: str
) -> None:
    refused = await product.site.get(path, headers={"Host": "elders.example"})
    assert (refused.status_code, refused.headers["content-type"]) == (400, "application/problem+json")
    told = refused.json()
    assert (told["title"], told["status"]) == ("Onbekende naam", 400)
    assert told["type"] == "http://localhost:8000/problemen/onbekende-naam"
    page = await product.site.get("/", headers={"Host": "elders.example"})
    assert page.headers["content-type"].startswith("text/html")
    assert "Onbekende naam" in page.text


@pytest.mark.django_db(transaction=True)
async def test_every_metric_has_a_chapter_and_every_chapter_a_metric(settings: Settings) -> None:
    """Eis 6.7."""
    # The load is measured where reports are taken on.
    settings.RECEPTION_FACTORY = "besluitbron.reception.open_reception"
    async with running(settings) as product, asyncio.timeout(BOUND):
        await product.site.get("/")
        told = (await product.site.get("/metrics")).text
        while "besluitbron_load_threshold" not in told:
            await asyncio.sleep(0.05)
            told = (await product.site.get("/metrics")).text
    lines = (line.split("{")[0].split(" ")[0] for line in told.splitlines() if not line.startswith("#"))
    names = {re.sub("_(bucket|sum|count)$", "", line) for line in lines}
    page = (PROJECT / "docs" / "naslag" / "metingen.md").read_text("utf-8")
    described = set(re.findall(r"^## `(\w+)`$", page, re.MULTILINE))
    assert {name for name in names if not name.endswith("_created")} <= described
    for name in described:
        assert f"# HELP {name.removesuffix('_total')} " in told or f"# HELP {name} " in told


async def test_a_document_is_cited_in_five_forms_with_the_day_of_reading(product: Product) -> None:
    """Eis Z16."""
    *_, section = sections((await product.site.get("/zoeken?vraag=vergunning&platform=rechtspraak")).text)
    tree = html.document_fromstring((await product.site.get(section.links[0])).text)
    (box,) = tree.xpath("//section[@aria-labelledby='verwijzing']")
    (plain,) = box.xpath(".//p[contains(@class, 'verwijzing')]")
    ecli = section.links[0].rpartition("/")[2]
    assert re.search(
        rf"^.+ \d+ \w+ \d{{4}}, {ecli}, https?://\S+ \(geraadpleegd op \d+ \w+ \d{{4}}\)$", words_of(plain)
    )
    forms = {words_of(head): str(head.getnext().text_content()) for head in box.xpath(".//h3")}
    assert {"Markdown", "BibTeX", "RIS", "CSL-JSON"} <= set(forms)
    assert re.search(r"\(geraadpleegd|\\\(geraadpleegd", forms["Markdown"])
    assert ", \\(" not in forms["Markdown"]
    assert "urldate" in forms["BibTeX"]
    assert forms["RIS"].startswith("TY  - CASE")
    assert '"accessed"' in forms["CSL-JSON"]
