"""``/status``: how platforms fare, from the store and the database alone, also when one of these is not there."""

from __future__ import annotations

import asyncio
import json
import re
from datetime import date, datetime, timedelta
from typing import NoReturn

import pytest
from django.conf import settings
from lxml import html

from connectors.calls import Answer
from connectors.interfaces import Interface, interface_of
from connectors.lists import REGISTERS, Row, Source
from connectors.load_status import LoadState, LoadStatus
from connectors.models import PlatformList, Writing
from connectors.moments import AMSTERDAM, now
from connectors.opentk.status import load_status
from connectors.platforms import PLATFORMS
from connectors.tweede_kamer.versions import V4
from search.board import Fares
from search.texts import day
from tests.product.conftest import Product
from tests.support.english import dutch_left
from tests.support.pages import words_of
from tests.support.valkey import Valkey
from throttling.breaker import StoreBreaker
from throttling.operating.overview import Condition
from throttling.store import Store

pytestmark = [pytest.mark.anyio, pytest.mark.django_db(transaction=True)]
OBV = "openbesluitvorming"


def row(key: str, hours: int | None) -> LoadState:
    success = None if hours is None else now() - timedelta(hours=hours)
    return LoadState(key, key.capitalize(), "ok", last_success=success, last_content=success, documents=1234)


def keep(*suppliers: LoadState, made: int = 0) -> None:
    writing = Writing(at=now(), version="1", source=Source.PLATFORM)
    bodies = (row("ede", 1), row("soest", 50), row("weesp", None))
    PlatformList.objects.replace_load_status(OBV, LoadStatus(now() - timedelta(hours=made), bodies, suppliers), writing)


async def the_page(product: Product) -> html.HtmlElement:
    answer = await product.site.get("/status")
    assert answer.status_code == 200
    assert "<script" not in answer.text
    return html.document_fromstring(answer.text)


async def test_every_service_says_how_it_fares_what_it_bears_and_how_we_know(product: Product) -> None:
    """Field reports 35 and 36. Eis Z20."""
    await product.site.get("/zoeken", params={"vraag": "subsidie", "platform": OBV})
    tree = await the_page(product)
    for platform in PLATFORMS:
        (section,) = tree.xpath(f"//section[@id='{platform.key}']")
        rows = section.xpath("./div[1]/table/tbody/tr")
        assert [words_of(one.xpath("th")[0]) for one in rows] == [one.key for one in platform.services]
        for one, service in zip(rows, platform.services, strict=True):
            cells = [words_of(cell) for cell in one.xpath("td")]
            assert service.origin.value in cells[-1]
            assert f"hooguit {service.in_flight} tegelijk" in cells[-2]
    (asked,) = tree.xpath(f"//section[@id='{OBV}']//tbody/tr")[:1]
    assert "uur" in words_of(asked.xpath("td")[3])
    (source,) = tree.xpath(f"//section[@id='{OBV}']//tbody//a/@href")
    assert source == "https://openbesluitvorming.nl/docs/api"


def keep_registers(*names: str) -> None:
    rows = [Row(name, name) for name in names]
    PlatformList.objects.replace("open-raadsinformatie", REGISTERS, rows, Writing(at=now(), version="1"))


async def test_which_registers_a_source_has_is_shown_where_it_tells_and_else_that_it_does_not(
    product: Product,
) -> None:
    """Field report 16."""
    await asyncio.to_thread(keep_registers, "Moties", "Ingekomen stukken", *(f"Register {n}" for n in range(30)))
    tree = await the_page(product)
    told = words_of(tree.xpath("//section[@id='open-raadsinformatie']")[0])
    assert "van alle organisaties samen: Moties, Ingekomen stukken, Register 0," in told
    assert (
        "Register 27. Er zijn nog 2 andere namen. Welke daarvan zij van één organisatie heeft, zegt zij niet." in told
    )
    said = {one.key: words_of(tree.xpath(f"//section[@id='{one.key}']")[0]) for one in PLATFORMS}
    silent = {key for key, words in said.items() if "ingekomen stukken, zegt deze bron niet." in words}
    assert silent == {OBV, "opentk", "open-archivaris"}


def of_versions(tree: html.HtmlElement, platform: str) -> list[str]:
    return [words_of(one) for one in tree.xpath(f"//section[@id='{platform}']//ul[@class='versies']/li")]


async def test_every_service_says_which_version_we_speak_and_when_it_ends_as_far_as_anybody_said(
    product: Product,
) -> None:
    """Field report 35."""
    tree = await the_page(product)
    assert of_versions(tree, "tweede-kamer") == [
        "odata: versie OData v5. Een einddatum is niet bekend. De vorige versie, v4/2.0, zou op 1 oktober 2026 stoppen."
    ]
    assert "zoeken: versie SRU 2.0. Een einddatum is niet bekend." in of_versions(tree, "officiele-bekendmakingen")
    for platform in PLATFORMS:
        assert len(of_versions(tree, platform.key)) == len(platform.services)
    assert "stopt op" not in attention(tree)


@pytest.mark.parametrize(
    ("ends", "alarm"),
    [
        (91, ""),
        (
            90,
            "OpenTK, dienst zoeken: versie proef stopt op {day} (dagen te gaan: 90). Stel voor die dag een nieuwere versie in.",
        ),
        (-1, "OpenTK, dienst zoeken: versie proef zou op {day} stoppen."),
    ],
)
async def test_a_version_that_ends_is_an_alarm_well_before_its_end_and_after_it(
    product: Product, monkeypatch: pytest.MonkeyPatch, ends: int, alarm: str
) -> None:
    """Field report 35."""
    end = now().astimezone(AMSTERDAM).date() + timedelta(days=ends)

    def known(_: str, service: str, __: object) -> Interface:
        return Interface(version="proef", ends=end if service == "zoeken" else None)

    monkeypatch.setattr("besluitbron.board.interface_of", known)
    tree = await the_page(product)
    assert f"zoeken: versie proef. Aangekondigd einde: {day(end)}." in of_versions(tree, "opentk")
    alarms = [one for one in map(words_of, tree.xpath("//ul[@class='alarmen']/li")) if one.startswith("OpenTK, dienst")]
    assert [one.partition("stoppen.")[0] + ("stoppen." if "stoppen." in one else "") for one in alarms] == (
        [alarm.format(day=day(end))] if alarm else []
    )


def test_of_the_old_version_of_the_kamer_the_announced_end_is_known() -> None:
    """Field report 35."""
    old = interface_of("tweede-kamer", "odata", V4)
    assert (old.version, old.ends) == ("OData v4/2.0", date(2026, 10, 1))
    assert old.days_left(date(2026, 7, 2)) is None
    assert [old.days_left(day) for day in (date(2026, 7, 3), date(2026, 10, 2))] == [90, -1]


async def test_reading_it_asks_no_platform(product: Product) -> None:
    await the_page(product)
    assert [(await product.counted(one.key))["aanroepen"] for one in PLATFORMS] == [0] * len(PLATFORMS)


def said(moment: datetime) -> str:
    return day(moment.astimezone(AMSTERDAM).date())


async def test_a_supplier_that_is_silent_for_longer_than_36_hours_is_an_alarm(product: Product) -> None:
    """Field report 17. Eis Z21."""
    await asyncio.to_thread(keep, row("ibabs", 240), row("notubiz", 35), row("parlaeus", None))
    today = said(now())
    tree = await the_page(product)
    alarms = [words_of(one) for one in tree.xpath("//ul[@class='alarmen']/li")]
    assert [alarm for alarm in alarms if "everancier" in alarm] == [
        (
            f"OpenBesluitvorming: leverancier Ibabs leverde 10 dagen niets, volgens een lijst van {today}. "
            "Stukken van zijn organisaties kunnen ontbreken."
        ),
        f"OpenBesluitvorming: van leverancier Parlaeus is geen geslaagde keer bekend, volgens een lijst van {today}.",
    ]


def keep_of(platform: str, *bodies: LoadState, made: int = 0) -> None:
    writing = Writing(at=now(), version="1", source=Source.PLATFORM)
    status = LoadStatus(now() - timedelta(hours=made), bodies)
    PlatformList.objects.replace_load_status(platform, status, writing)


def of_papers(key: str, days: int) -> LoadState:
    """As Open Raadsinformatie tells: nothing of loading, only how new the newest paper is."""
    return LoadState(key, key.capitalize(), "geladen", last_content=now() - timedelta(days=days), documents=12)


def in_the_register(hours: int) -> tuple[LoadState, ...]:
    last = now() - timedelta(hours=hours)
    return LoadState("x", "Gemeente Ede", "geladen", last_success=last), LoadState("y", "Gemeente Soest", "nooit")


def attention(tree: html.HtmlElement) -> str:
    return words_of(tree.xpath("//section[@aria-labelledby='aandacht']")[0])


async def test_a_source_that_names_no_suppliers_is_silent_when_all_its_bodies_are(product: Product) -> None:
    """Field report 17."""
    await asyncio.to_thread(keep_of, "open-raadsinformatie", of_papers("ori_ede", 10), of_papers("ori_soest", 12))
    await asyncio.to_thread(keep_of, "open-archivaris", *in_the_register(240))
    tree = await the_page(product)
    alarms, today = [words_of(one) for one in tree.xpath("//ul[@class='alarmen']/li")], said(now())
    assert (
        f"Open Raadsinformatie: het nieuwste stuk van al haar organisaties is 10 dagen oud, volgens een lijst van {today}. "
        "Wanneer zij laadde, zegt zij niet. Nieuwe stukken kunnen ontbreken."
    ) in alarms
    assert (
        f"Open Archivaris: geen van haar organisaties werd bijgewerkt: de laatste keer was 10 dagen geleden, volgens een "
        f"lijst van {today}. Nieuwe stukken kunnen ontbreken."
    ) in alarms
    (ori,) = tree.xpath("//section[@id='open-raadsinformatie']")
    assert "Nieuwste stuk, aantal organisaties" in html.tostring(ori, encoding="unicode")


async def test_one_body_with_something_new_is_no_silence_and_the_page_says_by_what_it_knows(product: Product) -> None:
    """Field report 17."""
    await asyncio.to_thread(keep_of, "open-raadsinformatie", of_papers("ori_ede", 3), of_papers("ori_soest", 40))
    await asyncio.to_thread(keep_of, "open-archivaris", row("ede", 35), row("soest", 200))
    await asyncio.to_thread(keep, row("ibabs", 2))
    await asyncio.to_thread(keep_of, "opentk", LoadState("tkconv", "Verwerken", "bijgewerkt"))
    text = attention(await the_page(product))
    assert (
        "laadden in de laatste 36 uur iets, volgens hun eigen Laadstatus: OpenBesluitvorming, Open Archivaris." in text
    )
    assert "hun nieuwste stuk is hooguit 4 dagen oud: Open Raadsinformatie." in text
    assert "Van deze bronnen weten we nu niet of zij nog iets laden: OpenTK." in text
    assert "OpenTK: haar Laadstatus zegt van niets wanneer het voor het laatst geladen is." in text
    assert "we niet: Tweede Kamer, Officiële Bekendmakingen, Rechtspraak." in text


async def test_what_was_never_fetched_asks_for_attention_and_is_never_called_well(product: Product) -> None:
    """Field report 17."""
    tree = await the_page(product)
    alarms = [words_of(one) for one in tree.xpath("//ul[@class='alarmen']/li")]
    for name in ("Open Raadsinformatie", "OpenBesluitvorming", "OpenTK", "Open Archivaris"):
        assert f"{name}: haar Laadstatus is hier nog niet opgehaald. Of zij stil is, weten we niet." in alarms
    assert "Niets" not in attention(tree)


async def test_what_is_kept_for_some_seconds_is_one_page_for_each_language(product: Product) -> None:
    await asyncio.to_thread(keep, row("ibabs", 240), row("notubiz", 35), row("parlaeus", None), made=60)
    names = (await product.site.get("/organisaties/namen")).text.split()
    english, dutch = [(await product.site.get(address)).text for address in ("/en/status", "/status")]
    assert dutch_left(english, names) == []
    assert "Loading status by organisation" in english
    assert "Laadstatus per organisatie" in dutch
    assert "Loading status" not in dutch


async def test_an_old_laadstatus_is_an_alarm_and_nothing_is_concluded_from_it(product: Product) -> None:
    """Field report 17."""
    await asyncio.to_thread(keep, row("ibabs", 100), made=100)
    alarms = [words_of(one) for one in (await the_page(product)).xpath("//ul[@class='alarmen']/li")]
    assert "OpenBesluitvorming: de Laadstatus zelf is 4 dagen oud. Hoe het nu is, weten we niet." in alarms
    assert not [alarm for alarm in alarms if "leverancier" in alarm]


async def test_an_old_laadstatus_says_of_when_it_is_and_counts_from_now(product: Product) -> None:
    """Field report 17: the silence is that of now, and what the list cannot tell has no bar."""
    await asyncio.to_thread(keep, row("ibabs", 77 * 24 + 56), made=77 * 24)
    tree = await the_page(product)
    made = said(now() - timedelta(days=77))
    alarms = [words_of(one) for one in tree.xpath("//ul[@class='alarmen']/li")]
    assert any(f"leverancier Ibabs leverde 79 dagen niets, volgens een lijst van {made}." in alarm for alarm in alarms)
    (section,) = tree.xpath(f"//section[@id='{OBV}']")
    (figure,) = section.xpath(".//figure")
    assert "laatste 36 uur" not in html.tostring(figure, encoding="unicode")
    assert f"een lijst van {made}" in words_of(figure.xpath("figcaption")[0])


async def test_states_are_said_in_dutch_beside_the_word_of_the_source(product: Product) -> None:
    await asyncio.to_thread(keep, row("ibabs", 1))
    (section,) = (await the_page(product)).xpath(f"//section[@id='{OBV}']")
    assert {words_of(cell) for cell in section.xpath(".//table[.//th='Laatst gelukt']/tbody/tr/td[1]")} == {
        "in orde (ok)"
    }


async def test_a_source_that_lists_its_own_parts_is_not_said_to_list_organisations(product: Product) -> None:
    parts = LoadStatus(now(), (LoadState("tkconv", "Verwerken", "bijgewerkt", now()),), (row("tkgetxml", 1),))
    writing = Writing(at=now(), version="1", source=Source.PLATFORM)
    await asyncio.to_thread(PlatformList.objects.replace_load_status, "opentk", parts, writing)
    (section,) = (await the_page(product)).xpath("//section[@id='opentk']")
    assert next(words_of(one) for one in section.xpath(".//summary")) == "Eén onderdeel van OpenTK"
    words = words_of(section)
    assert "Leveranciers" not in words
    assert "Laadstatus per onderdeel" in words


async def test_how_up_to_date_bodies_are_is_a_picture_and_a_table_and_no_promise_of_completeness(
    product: Product,
) -> None:
    """Field reports 16 and 18. Eis Z21."""
    await asyncio.to_thread(keep)
    tree = await the_page(product)
    (section,) = tree.xpath(f"//section[@id='{OBV}']")
    (picture,) = section.xpath(".//figure/svg")
    assert picture.get("aria-label") == (
        "Laatst bijgewerkt, aantal organisaties: laatste 36 uur 1, laatste 7 dagen 1, "
        "langer dan 7 dagen geleden 0, nooit of onbekend 1."
    )
    table = section.xpath(".//details//tbody/tr")
    assert [words_of(one.xpath("th")[0]) for one in table] == ["Ede", "Soest", "Weesp"]
    assert "Bijgewerkt zegt niet dat er niets ontbreekt" in words_of(section)
    (ori,) = tree.xpath("//section[@id='open-raadsinformatie']")
    assert ori.xpath(".//figure/svg[contains(@aria-label, 'Van welke jaren')]")
    known = {words_of(one.xpath("th")[0]): words_of(one.xpath("td")[0]) for one in ori.xpath(".//details//tbody/tr")}
    assert known["Gemeente Utrecht"] == "2010"


async def test_a_service_that_gave_no_answer_again_and_again_is_said_to_be_broken(
    product: Product, store: Valkey
) -> None:
    """Eis Z20."""
    await product.site.get("/zoeken", params={"vraag": "subsidie", "platform": "opentk"})
    async with Store(store.address) as inside:
        for _ in range(settings.BREAKER_FAILURES):
            await StoreBreaker(inside).record("opentk/zoeken", ok=False)
    alarms = [words_of(one) for one in (await the_page(product)).xpath("//ul[@class='alarmen']/li")]
    (alarm,) = [one for one in alarms if one.startswith("OpenTK, dienst zoeken")]
    assert re.search(r"storing: de bron gaf steeds geen antwoord, waarschijnlijk tot \d\d:\d\d uur\.$", alarm)


def test_the_page_has_words_for_everything_that_a_queue_can_be() -> None:
    assert {one.value for one in Fares} == {one.value for one in Condition}


async def test_without_its_store_it_is_a_page_that_says_it_cannot_see(product: Product, store: Valkey) -> None:
    store.kill()
    tree = await the_page(product)
    store.start()
    assert "niet te zien" in words_of(tree.xpath(f"//section[@id='{OBV}']")[0])


async def test_without_its_database_it_says_so_and_shows_the_queues(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> NoReturn:
        raise OSError

    monkeypatch.setattr("besluitbron.kept._load_status", broken)
    tree = await the_page(product)
    assert "kunnen we nu niet lezen. Dat ligt aan ons." in words_of(tree.xpath(f"//section[@id='{OBV}']")[0])
    assert "OpenBesluitvorming: we kunnen haar Laadstatus nu niet lezen. Of zij stil is, weten we niet." in attention(
        tree
    )
    assert "Niets" not in attention(tree)
    assert tree.xpath(f"//section[@id='{OBV}']/div[1]/table/tbody/tr")


async def test_a_moment_at_the_end_of_all_days_is_no_moment_and_breaks_no_page(product: Product) -> None:
    """Field report 12: a year that stands for "no date". On a Dutch clock the last one is already a year that there is not."""
    last, good = 253_402_300_799, int(now().timestamp())
    body = json.dumps({"tkconv": {"absolute": good}, "tkgetxml": {"absolute": last, "relative": 1}}).encode()
    status = load_status(Answer(status=200, headers={}, body=body, fetched_at=now()))
    writing = Writing(at=now(), version="1", source=Source.PLATFORM)
    await asyncio.to_thread(PlatformList.objects.replace_load_status, "opentk", status, writing)
    assert "9999" not in words_of(await the_page(product))
