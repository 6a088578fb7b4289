"""What everybody must be able to do at the page with nothing but its form and its links, and what it must never do."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree, html
from pytest_django import Settings

from connectors import kamer_corpus
from connectors.council_papers import council_papers
from connectors.council_papers.papers import AgendaItem
from connectors.openbesluitvorming.standin_entities import identifier
from connectors.records import Certainty, Total
from search.answers import PlatformAnswer
from search.asking import Asking
from tests.product.conftest import Product
from tests.product.test_api_rules import another
from tests.product.test_document_waits import full_queues
from tests.support.pages import sections, words_of
from tests.support.serving import BOUND

pytestmark = pytest.mark.anyio
ATOM = {"a": "http://www.w3.org/2005/Atom"}


async def sent(product: Product, page: str, typed: Mapping[str, str], ticked: Sequence[tuple[str, str]] = ()) -> str:
    """The page that comes when the search form of ``page`` is sent, filled in as a browser without scripts does."""
    (form,) = html.document_fromstring(page).xpath("//form[@action='/zoeken']")
    assert form.method == "GET"
    boxes = {(box.name, box.get("value")) for box in form.xpath(".//input[@type='checkbox']")}
    assert set(ticked) <= boxes
    form.fields.update(typed)
    values = [pair for pair in form.form_values() if pair not in boxes]
    answer = await product.site.get(form.action, params=[*values, *ticked])
    assert answer.status_code == 200
    return answer.text


def follow(page: str, path: str) -> str:
    (address,) = html.document_fromstring(page).xpath(path)
    return str(address)


async def test_form_filters_and_paging_work_with_nothing_but_the_form_and_links(product: Product) -> None:
    """Eis 6.1; Eis V1. Eis Z1."""
    home = (await product.site.get("/")).text
    ticked = [("platform", "openbesluitvorming"), ("platform", "rechtspraak"), ("soort", "voorstel")]
    page = await sent(product, home, {"vraag": "subsidie", "sorteer": "nieuwste"}, ticked)
    found = {section.platform: section for section in sections(page)}
    assert {key: one.state for key, one in found.items()} == {
        "openbesluitvorming": "klaar",
        "rechtspraak": "niet-ondersteund",
    }
    dates = html.document_fromstring(page).xpath("//section[@data-bron='openbesluitvorming']//time/@datetime")
    assert [str(one)[:10] for one in dates] == sorted((str(one)[:10] for one in dates), reverse=True)
    more = (
        await product.site.get(follow(page, "//section[@data-bron='openbesluitvorming']//a[@rel='next']/@href"))
    ).text
    *_, second = sections(more)
    assert second.titles
    assert not set(second.links) & set(found["openbesluitvorming"].links)
    wider = (await product.site.get(follow(page, "//nav[@class='filters']//a[contains(., 'soort')]/@href"))).text
    assert {one.platform: one.state for one in sections(wider)} == dict.fromkeys(found, "klaar")


async def test_without_scripts_a_dead_and_a_waiting_source_are_said_and_the_rest_is_there(
    product: Product, settings: Settings
) -> None:
    """Eis 6.1, Eis 6.2."""
    settings.PAGE_SECONDS = 4
    home = (await product.site.get("/")).text
    ticked = [("platform", key) for key in ("openbesluitvorming", "opentk", "rechtspraak")]
    await product.put("openbesluitvorming", "dood")
    async with full_queues(), another() as site:  # a process that keeps its pages open for as long as is said now
        page = await sent(Product(site, product.stand_ins, product.edge), home, {"vraag": "subsidie"}, ticked)
    last = {section.platform: section for section in sections(page)}
    assert {key: one.state for key, one in last.items()} == {
        "openbesluitvorming": "fout",
        "opentk": "gepland",
        "rechtspraak": "klaar",
    }
    assert "OpenTK wacht op een vrije plek." in last["opentk"].text
    assert "niet bereikbaar" in last["openbesluitvorming"].text
    again = follow(page, "//section[@data-bron='openbesluitvorming']//a[contains(., 'opnieuw')]/@href")
    await product.put("openbesluitvorming", "goed")
    assert sections((await product.site.get(again)).text)[0].titles


async def test_one_status_sentence_tells_how_it_went_and_the_lists_of_results_are_not_read_out(
    product: Product,
) -> None:
    """Eis 6.9: what a program that reads aloud is told. In a browser: ``tests/browser``."""
    page = await product.site.get("/zoeken", params={"vraag": "subsidie", "platform": ["rechtspraak", "opentk"]})
    tree = html.document_fromstring(page.text)
    (status,) = tree.xpath("//*[@role='status']")
    assert re.match(r"2 van 2 gevraagde bronnen gaven antwoord, .*resultaten\.", words_of(status))
    assert not tree.xpath("//*[@aria-live or @role='alert' or @autofocus]")
    assert not status.xpath(".//ol | ancestor::section[@data-bron]")
    assert tree.xpath("//ol[@class='treffers']")
    assert tree.xpath("//section[@data-bron]/@aria-busy") == []


async def test_ten_readers_who_leave_free_their_places_and_the_site_answers_on(product: Product) -> None:
    """Eis 6.10."""
    asked = {"vraag": "subsidie", "platform": "opentk"}

    async def leaves(address: str, more: dict[str, str]) -> None:
        async with product.site.stream("GET", address, params=asked | more) as answer:
            pieces, seen = answer.aiter_text(), ""
            while "OpenTK wacht" not in seen:
                seen += await anext(pieces)

    async with full_queues() as queues, asyncio.timeout(BOUND * 4):
        for address, more in (("/zoeken", {}), ("/zoeken/stroom", {"wacht": "opentk"})):
            await asyncio.gather(*(leaves(address, more) for _ in range(5)))
        while await queues.waiting():
            await asyncio.sleep(0.01)
    page = await product.site.get("/zoeken", params=asked)
    assert sections(page.text)[0].state == "klaar"


async def test_feed_table_references_data_and_api_hold_the_same_documents(product: Product) -> None:
    """Eis 6.11."""
    question = {"vraag": "warmtenet", "platform": "open-raadsinformatie"}
    got = {form: await product.site.get(f"/zoeken.{form}", params=question) for form in ("csv", "ris", "json", "atom")}
    rows = csv.DictReader(io.StringIO(got["csv"].content.decode("utf-8-sig"), newline=""), delimiter=";")
    ids = {
        "csv": {row["nummer bij de bron"] for row in rows} - {""},
        "ris": set(re.findall(r"^SN  - (.*)\r$", got["ris"].text, re.MULTILINE)),
        "json": {hit["bronId"] for source in got["json"].json()["bronnen"] for hit in source["treffers"]},
        "atom": {
            str(entry).partition(f"{question['platform']}:")[2]
            for entry in etree.fromstring(got["atom"].content).xpath("//a:entry/a:id/text()", namespaces=ATOM)
        },
    }
    assert len(ids["csv"]) > 10
    assert ids == dict.fromkeys(ids, ids["csv"])
    api = (await product.site.get("/api/v1/_zoek", params=question)).json()
    told = {hit["bronId"] for source in api["bronnen"] for hit in source["treffers"]}
    assert told
    assert told <= ids["csv"]


async def test_an_estimate_is_shown_as_one_at_its_source_in_the_sum_and_to_programs(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Field report 4; Eis Z8. Field report 3."""
    tell = Asking.tell

    def told_as_guess(here: Asking, answer: PlatformAnswer) -> None:
        guessed = answer.platform.key == "opentk" and answer.result
        as_guess = replace(guessed, total=Total(2500, Certainty.ESTIMATE)) if guessed else answer.result
        tell(here, replace(answer, result=as_guess))

    monkeypatch.setattr(Asking, "tell", told_as_guess)
    question = {"vraag": "subsidie", "platform": ["opentk", "rechtspraak"]}
    tree = html.document_fromstring((await product.site.get("/zoeken", params=question)).text)
    said = {
        one.get("data-bron"): words_of(one.xpath(".//span[@class='aantal']")[0])
        for one in tree.xpath("//section[@data-staat='klaar']")
    }
    exact = int(said["rechtspraak"].split()[0])
    assert said["opentk"] == "ongeveer 2.500 resultaten"
    (status,) = tree.xpath("//*[@role='status']")
    assert f", ongeveer 2.{500 + exact} resultaten." in words_of(status)
    told = (await product.site.get("/api/v1/_zoek", params=question)).json()["bronnen"]
    assert {one["platform"]: one["totaal"]["zekerheid"] for one in told} == {
        "opentk": "schatting",
        "rechtspraak": "exact",
    }


async def test_every_field_has_a_name_results_are_links_and_every_page_its_own_title(product: Product) -> None:
    """Field report 38. Eis 7.1."""
    asked = {"vraag": "vergunning", "platform": ["rechtspraak", "opentk"]}
    page = (await product.site.get("/zoeken", params=asked)).text
    tree = html.document_fromstring(page)
    named = set(tree.xpath("//label/@for"))
    fields = tree.xpath("//form//*[self::input or self::select][not(@type='checkbox' or @type='hidden')]/@id")
    assert fields
    assert set(fields) <= named
    assert all(box.xpath("ancestor::label") for box in tree.xpath("//input[@type='checkbox']"))
    for hit in tree.xpath("//ol[@class='treffers']/li"):
        (link,) = hit.xpath("./h3/a/@href")
        assert link.startswith("/document/")
    documents = [link for section in sections(page) for link in section.links[:2]]
    addresses = ["/", "/zoeken?vraag=dijk", "/status", "/privacy", "/aansluiten", *documents]
    pages = [html.document_fromstring((await product.site.get(one)).text) for one in addresses]
    titles = [one.findtext(".//title") for one in pages]
    assert len(set(titles)) == len(titles)
    assert all(one.get("lang") == "nl" for one in pages)


async def test_what_was_promised_says_on_its_page_whether_it_was_kept(product: Product) -> None:
    """Field report 28."""
    asked = {"vraag": "kamer", "platform": "tweede-kamer", "soort": "toezegging"}
    *_, section = sections((await product.site.get("/zoeken", params=asked)).text)
    tree = html.document_fromstring((await product.site.get(section.links[0])).text)
    facts = {words_of(row[0]): words_of(row[1]) for row in tree.xpath("//dl[@class='feiten']/div")}
    assert (facts["Soort"], facts["Status"], facts["Nagekomen op"]) == ("toezegging", "Voldaan", "15 september 2025")


async def test_a_vote_shows_every_party_that_voted_at_the_source(product: Product) -> None:
    """Field report 44: none of the votes at the source is lost on the way to the page. Field report 15."""
    rows = json.loads((Path(kamer_corpus.__file__).parent / "corpus" / "moties-met-stemmingen.json").read_text("utf-8"))
    (case,) = (row for row in rows if "studentenwoningen" in row["Onderwerp"])
    at_the_source = [vote["ActorFractie"] for decision in case["Besluit"] for vote in decision["Stemming"]]
    asked = {"vraag": "studentenwoningen", "platform": "tweede-kamer"}
    *_, section = sections((await product.site.get("/zoeken", params=asked)).text)
    tree = html.document_fromstring((await product.site.get(section.links[0])).text)
    shown = [words_of(row) for row in tree.xpath("//section[@class='stemming']//tbody/tr/th")]
    assert len(shown) == 20
    assert sorted(shown) == sorted(at_the_source)


async def test_a_water_board_is_found_and_shown_with_what_it_is_whatever_its_source_calls_it(product: Product) -> None:
    """Field report 14."""
    for typed in ("De Dommel", "Waterschap De Dommel", "waterschap-de-dommel"):
        page = (await product.site.get("/zoeken", params={"vraag": "dijk", "organisatie": typed})).text
        (chip,) = html.document_fromstring(page).xpath("//nav[@class='filters']//a[contains(., 'organisatie')]")
        assert "Waterschap De Dommel" in words_of(chip)


def all_items(items: Iterable[AgendaItem]) -> Iterator[AgendaItem]:
    for item in items:
        yield item
        yield from all_items(item.items)


async def test_the_longest_meeting_of_the_stand_ins_shows_every_item_and_links_every_paper_in_one_call(
    product: Product,
) -> None:
    """Field report 37."""
    meeting = max(council_papers().meetings, key=lambda one: sum(1 + len(i.papers) for i in all_items(one.agenda)))
    items = list(all_items(meeting.agenda))
    papers = [native for item in items for native in item.papers]
    assert (len(items), len(papers)) >= (10, 9)
    found = identifier("meeting", meeting.body, meeting.native)
    tree = html.document_fromstring((await product.site.get(f"/document/openbesluitvorming/{found}")).text)
    assert len(tree.xpath("//section[@class='deel']")) == len(items)
    links = tree.xpath("//section[@class='verwant']//dd//a/@href")
    assert sorted(link.rpartition(":")[2] for link in links) == sorted(papers)
    assert (await product.counted("openbesluitvorming"))["aanroepen"] == 1


async def test_sources_that_cannot_answer_stand_folded_behind_the_results(product: Product) -> None:
    page = html.document_fromstring((await product.site.get("/zoeken?vraag=parkeren&organisatie=gemeente-ede")).text)
    (folded,) = page.xpath("//details[@class='niet-gevraagd']")
    inside = folded.xpath(".//section[@data-bron]")
    assert folded.get("open") is None
    assert {one.get("data-staat") for one in inside} == {"niet-ondersteund"}
    assert {one.get("data-bron") for one in inside} == {"tweede-kamer", "opentk", "rechtspraak"}
    named = words_of(folded.xpath("./summary")[0])
    assert sorted(re.split(", | en ", named.removeprefix("Niet gevraagd: "))) == [
        "OpenTK",
        "Rechtspraak",
        "Tweede Kamer",
    ]
    order = [one.get("data-staat") for one in page.xpath("//section[@data-bron]")]
    assert order.index("niet-ondersteund") == len(order) - len(inside)
    assert "Rechtspraak heeft geen stukken van deze organisatie." in words_of(folded)


async def test_where_no_source_can_answer_each_says_so_in_the_open(product: Product) -> None:
    asked = "/zoeken?vraag=huur&organisatie=gemeente-ede&platform=rechtspraak"
    page = html.document_fromstring((await product.site.get(asked)).text)
    assert not page.xpath("//details[@class='niet-gevraagd']")
    assert len(page.xpath("//section[@data-staat='niet-ondersteund']")) == 1
