"""What comes after a page was sent: events that join the same calls, end by themselves, and are counted."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
from lxml import html
from pytest_django import Settings

from connectors.exceptions import ClosedError
from connectors.platforms import OPENBESLUITVORMING, OPENTK, RECHTSPRAAK, TWEEDE_KAMER
from search.answers import PlatformAnswer, State
from search.organisations import Register
from search.parameters import read_parameters
from search.whole import later_address
from tests.product.conftest import Product
from tests.support.pages import sections, words_of
from tests.support.serving import BOUND

pytestmark = pytest.mark.anyio
STREAM = "/zoeken/stroom"
NOWHERE = "xyzzyplugh"


@pytest.fixture(autouse=True)
def few_streams(settings: Settings) -> None:
    settings.STREAMS_PER_CLIENT = 1
    settings.PING_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Event:
    """One event as a browser reads it."""

    name: str
    data: str
    identifier: str


def events(text: str) -> list[Event]:
    found = []
    for block in text.split("\n\n"):
        fields: dict[str, list[str]] = {}
        for line in block.splitlines():
            name, _, value = line.partition(": ")
            fields.setdefault(name, []).append(value)
        if "event" in fields:
            found.append(Event(fields["event"][0], "\n".join(fields["data"]), fields.get("id", [""])[0]))
    return found


def words_over_all(text: str) -> list[dict[str, str]]:
    """What was said over all sources, each time."""
    return [json.loads(one.data) for one in events(text) if one.name == "stand"]


def in_any_order(box: html.HtmlElement) -> list[str]:
    """The words of a box: its sources stand in the order in which they came."""
    return sorted(re.findall(r"\w+", words_of(box)))


async def test_each_source_that_waited_comes_as_a_section_and_the_stream_ends(product: Product) -> None:
    """Eis V2."""
    asked = {"vraag": "subsidie", "wacht": ["rechtspraak", "opentk"]}
    answer = await product.site.get(STREAM, params=asked)
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert answer.headers["x-accel-buffering"] == "no"
    found = events(answer.text)
    blocks = [one for one in found if one.name == "blok"]
    assert {sections(one.data)[0].platform for one in blocks} == {"rechtspraak", "opentk"}
    assert all(sections(one.data)[0].titles for one in blocks)
    told = words_over_all(answer.text)
    assert "Nog 1 bron wordt gevraagd: " in told[0]["zin"]
    assert told[0]["titel"] == "subsidie – nog 1 bron wordt gevraagd – BesluitBron"
    assert told[-1]["zin"].startswith("2 van 2 gevraagde bronnen gaven antwoord, ")
    assert "gevraagd:" not in told[-1]["zin"]
    assert all("resultaten" in one["zin"] and one["niets"] == "" for one in told)
    assert set(blocks[-1].identifier.split(",")) == {"rechtspraak", "opentk"}
    assert (found[-1].name, found[-1].identifier) == ("einde", "einde")


async def test_the_section_of_a_stream_is_the_section_of_the_page(product: Product) -> None:
    asked = {"vraag": "subsidie", "platform": "rechtspraak"}
    page = sections((await product.site.get("/zoeken", params=asked)).text)
    (block,) = [
        one
        for one in events((await product.site.get(STREAM, params=asked | {"wacht": "rechtspraak"})).text)
        if one.name == "blok"
    ]
    assert sections(block.data)[0].links == page[0].links


@pytest.mark.usefixtures("buffer")
async def test_page_and_stream_at_once_cost_one_call(product: Product) -> None:
    """Eis V2."""
    await product.put("openbesluitvorming", "traag", 1)
    asked = {"vraag": "subsidie", "platform": "openbesluitvorming"}
    page, stream = await asyncio.gather(
        product.site.get("/zoeken", params=asked),
        product.site.get(STREAM, params=asked | {"wacht": "openbesluitvorming"}),
    )
    assert sections(page.text)[0].titles
    assert any(one.name == "blok" and sections(one.data)[0].titles for one in events(stream.text))
    assert (await product.counted("openbesluitvorming"))["aanroepen"] == 1


async def test_what_the_page_has_already_is_folded_in_what_comes_later(product: Product) -> None:
    asked = {
        "vraag": "parkeren",
        "organisatie": "gemeente-ede",
        "wacht": "open-raadsinformatie",
        "bij": "open-archivaris",
    }
    await product.site.get("/zoeken", params={"vraag": "parkeren", "organisatie": "gemeente-ede"})  # so both are kept
    found = [one for one in events((await product.site.get(STREAM, params=asked)).text) if one.name == "blok"]
    assert [sections(one.data)[0].platform for one in found] == ["open-raadsinformatie"]


async def test_a_reader_that_comes_back_gets_what_it_lacks_and_one_that_has_all_is_sent_away(product: Product) -> None:
    asked = {"vraag": "subsidie", "wacht": ["rechtspraak", "opentk"]}
    again = await product.site.get(STREAM, params=asked, headers={"Last-Event-ID": "rechtspraak"})
    blocks = [one for one in events(again.text) if one.name == "blok"]
    assert {sections(one.data)[0].platform for one in blocks} == {"opentk"}
    for last in ("rechtspraak,opentk", "einde"):
        done = await product.site.get(STREAM, params=asked, headers={"Last-Event-ID": last})
        assert (done.status_code, done.content) == (204, b"")


@pytest.mark.parametrize(
    ("parameters", "status"),
    [
        ({"vraag": "subsidie"}, 204),
        ({"vraag": "subsidie", "wacht": "droom"}, 204),
        ({"vraag": "", "wacht": "rechtspraak"}, 204),
        ({"vraag": "subsidie", "wacht": "rechtspraak", "van": "gisteren"}, 400),
    ],
)
async def test_a_stream_of_nothing_is_not_opened(product: Product, parameters: dict[str, str], status: int) -> None:
    assert (await product.site.get(STREAM, params=parameters)).status_code == status
    assert (await product.counted("rechtspraak"))["aanroepen"] == 0


@pytest.mark.usefixtures("buffer")
@pytest.mark.parametrize("words", ["subsidie", NOWHERE])
async def test_what_is_said_over_all_sources_after_the_last_came_is_what_the_page_says(
    product: Product, words: str
) -> None:
    """Eis Z13: a source that was late and answers, with hits or without, is no longer said to be late. It costs no call."""
    sources = ["opentk", "rechtspraak"]
    page = html.document_fromstring(
        (await product.site.get("/zoeken", params={"vraag": words, "platform": sources})).text
    )
    asked = {"vraag": words, "platform": sources, "bij": "opentk", "wacht": "rechtspraak"}
    last = words_over_all((await product.site.get(STREAM, params=asked)).text)[-1]
    (status,) = page.xpath("//p[@role='status']")
    assert (last["zin"], last["titel"]) == (words_of(status), status.get("data-titel"))
    boxes = page.xpath("//section[@class='niets']")
    later = [html.fragment_fromstring(one) for one in [last["niets"]] if one]
    assert [in_any_order(one) for one in later] == [in_any_order(one) for one in boxes]
    assert bool(boxes) is (words == NOWHERE)
    assert [(await product.counted(key))["aanroepen"] for key in sources] == [1, 1]


async def test_what_stands_at_more_than_one_source_follows_what_comes_late(product: Product) -> None:
    asked: dict[str, Any] = {"vraag": "flexbonus", "platform": ["tweede-kamer", "opentk"]}
    page = html.document_fromstring((await product.site.get("/zoeken", params=asked)).text)
    (whole,) = page.xpath("//details[@class='gedeeld']")
    came = words_over_all(
        (await product.site.get(STREAM, params=asked | {"bij": "opentk", "wacht": "tweede-kamer"})).text
    )
    (later,) = (html.fragment_fromstring(came[-1]["gedeeld"]),)
    assert words_of(later.xpath("./summary")[0]) == words_of(whole.xpath("./summary")[0])
    assert sorted(later.xpath(".//a/@href")) == sorted(whole.xpath(".//a/@href"))
    alone = words_over_all((await product.site.get(STREAM, params={"vraag": "flexbonus", "wacht": "opentk"})).text)
    assert alone[-1]["gedeeld"] == ""


async def test_a_source_that_is_late_is_said_to_be_asked_still_until_it_is_given_up(
    product: Product, settings: Settings
) -> None:
    settings.PATIENCE_SECONDS, settings.PAGE_SECONDS = 0.3, 0.3
    await product.put("rechtspraak", "traag", 60)
    asked = {"vraag": NOWHERE, "platform": "rechtspraak"}
    (section,) = sections((await product.site.get("/zoeken", params=asked)).text)
    assert section.state == "te-laat"
    assert "Rechtspraak heeft meer tijd nodig en wordt nog gevraagd." in section.text
    assert "Probeer het over een paar minuten opnieuw" not in section.text
    streamed = (await product.site.get(STREAM, params=asked | {"wacht": "rechtspraak"})).text
    assert "Rechtspraak antwoordt nu niet op tijd." in streamed
    assert "Probeer het over een paar minuten opnieuw." in streamed


async def test_a_source_that_gave_no_answer_counts_and_is_not_asked_again_to_say_so(product: Product) -> None:
    asked = {"vraag": NOWHERE, "wacht": "rechtspraak", "fout": ["opentk", "droom"], "dicht": "tweede-kamer"}
    last = words_over_all((await product.site.get(STREAM, params=asked)).text)[-1]
    assert last["zin"] == "1 van 3 gevraagde bronnen gaf antwoord en vond niets."
    assert "Hier is niet gezocht: OpenTK (geen antwoord), Tweede Kamer (niet gevraagd)." in words_of(
        html.fragment_fromstring(last["niets"])
    )
    assert (await product.counted("opentk"))["aanroepen"] == (await product.counted("tweede-kamer"))["aanroepen"] == 0


async def test_a_reader_that_comes_back_hears_of_what_it_has_too(product: Product) -> None:
    asked = {"vraag": "subsidie", "wacht": ["rechtspraak", "opentk"]}
    again = await product.site.get(STREAM, params=asked, headers={"Last-Event-ID": "rechtspraak"})
    assert words_over_all(again.text)[-1]["zin"].startswith("2 van 2 gevraagde bronnen gaven antwoord, ")


async def test_once_the_stream_ends_what_did_not_come_was_too_late(product: Product, settings: Settings) -> None:
    settings.PAGE_SECONDS = 0.3
    await product.put("rechtspraak", "traag", 60)
    asked = {"vraag": NOWHERE, "wacht": "rechtspraak"}
    last = words_over_all((await product.site.get(STREAM, params=asked)).text)[-1]
    assert last["titel"] == f"{NOWHERE} – BesluitBron"
    assert "Geen van de bronnen gaf antwoord." in last["zin"]
    assert "Hier is niet gezocht: Rechtspraak (te laat)." in words_of(html.fragment_fromstring(last["niets"]))


def test_the_script_asks_what_was_typed_and_hears_where_each_source_stands() -> None:
    typed = read_parameters({"vraag": ["subsidie in Ede"]}, Register.of([]), max_characters=100)
    answers = [
        PlatformAnswer(platform=RECHTSPRAAK, state=State.TOO_LATE),
        PlatformAnswer(platform=OPENTK, state=State.EMPTY),
        PlatformAnswer(platform=TWEEDE_KAMER, state=State.REFUSED),
        PlatformAnswer(platform=OPENBESLUITVORMING, state=State.FAILED, failure=ClosedError("openbesluitvorming", 9.0)),
    ]
    address = later_address(typed, answers)
    assert address == (
        "/zoeken/stroom?vraag=subsidie+in+Ede&wacht=rechtspraak&bij=opentk&afgewezen=tweede-kamer&dicht=openbesluitvorming"
    )
    assert later_address(typed, answers[1:]) == ""


async def figures(product: Product) -> dict[str, float]:
    lines = (await product.site.get("/metrics")).text.splitlines()
    pairs = (line.split(" ") for line in lines if line.startswith("besluitbron_streams_") and "_created" not in line)
    return {name: float(value) for name, value in pairs}


async def test_one_client_holds_so_many_streams_each_is_counted_and_a_place_comes_back(product: Product) -> None:
    await product.put("rechtspraak", "traag", 60)
    asked = {"vraag": "subsidie", "wacht": "rechtspraak"}
    async with asyncio.timeout(BOUND * 2):
        async with product.site.stream("GET", STREAM, params=asked) as held:
            pieces = held.aiter_text()
            await alive(pieces)
            refused = await product.site.get(STREAM, params=asked)
            assert refused.status_code == 503
            assert refused.headers["retry-after"] == "60"
            counted = await figures(product)
            assert counted["besluitbron_streams_open"] == 1
            assert counted["besluitbron_streams_opened_total"] == 1
            assert counted["besluitbron_streams_refused_total"] == 1
        while (await figures(product))["besluitbron_streams_open"]:
            pass


async def alive(pieces: AsyncIterator[str]) -> None:
    """Read until the stream shows that it lives."""
    while ": leeft" not in await anext(pieces):
        pass


async def test_a_page_whose_sources_are_all_done_opens_no_stream(product: Product) -> None:
    page = await product.site.get("/zoeken", params={"vraag": "subsidie", "platform": "rechtspraak"})
    (status,) = html.document_fromstring(page.text).xpath("//*[@role='status']")
    assert status.get("data-stroom") is None


async def test_a_page_of_all_sources_with_its_styles_and_script_weighs_less_than_60_kb_packed(product: Product) -> None:
    page = await product.site.get("/zoeken", params={"vraag": "subsidie"})
    tree = html.document_fromstring(page.text)
    parts = tree.xpath("//link[@rel='stylesheet']/@href | //script/@src | //img/@src")
    assert all(str(part).startswith("/static/") for part in parts)
    bodies = [page.content, *[(await product.site.get(str(part))).content for part in dict.fromkeys(parts)]]
    assert len({section.platform for section in sections(page.text)}) == 7
    assert sum(len(gzip.compress(body)) for body in bodies) <= 60_000


async def test_the_script_is_small_and_runs_nothing_that_it_was_sent(product: Product) -> None:
    """Eis V2."""
    script = await product.site.get("/static/besluitbron.js")
    assert len(script.content) < 4096
    assert not [word for word in (b"eval", b"Function(", b'setTimeout("', b"document.write") if word in script.content]
