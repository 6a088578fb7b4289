"""What an operator sees of the queues, and what the buttons do: a real store, a real crowd, Django's own client."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.http import HttpResponse
from django.test import Client
from lxml import html
from pytest_django import Settings

from besluitbron.queues import queues
from tests.product.conftest import Product
from tests.support.crowd import crowd
from tests.support.pages import sections, words_of
from tests.support.serving import until
from tests.support.valkey import Valkey, private_valkey
from throttling.breaker import StoreBreaker
from throttling.callers import Caller, house
from throttling.decisions import Decisions
from throttling.models import PlatformState, QueueMinute, SessionUsage
from throttling.operating.words import short_key
from throttling.snapshot import Snapshot, read_snapshot
from throttling.store import Store

pytestmark = [pytest.mark.anyio, pytest.mark.django_db(transaction=True)]
OBV = "openbesluitvorming/api"
ALL = "/beheer/throttling/platformstate/"
ONE = f"{ALL}openbesluitvorming/"
ACT = f"{ONE}daad/"
HEAVY = "mcp:192.0.2.7"
LIGHT = "adres:2001:db8::1"
TEXT = "Vandaag vragen we <b>niets</b> & morgen weer."


@dataclass(slots=True)
class Beheer:
    """An operator at the pages, and the store behind them."""

    client: Client
    valkey: Valkey

    async def get(self, address: str) -> Any:
        return await asyncio.to_thread(self.client.get, address)

    async def press(self, address: str, **fields: str) -> Any:
        return await asyncio.to_thread(self.client.post, address, fields, follow=True)

    async def snapshot(self, service: str = OBV) -> Snapshot:
        """The queue as the store has it."""
        (queue,) = (one for one in queues() if one.name == service)
        async with Store(self.valkey.address) as store:
            return read_snapshot(await Decisions(store, service, queue.rules).look())


@pytest.fixture
def beheer(transactional_db: None, settings: Settings) -> Iterator[Beheer]:
    with private_valkey() as valkey:
        settings.STATE_STORE, settings.TURNS_MEMORY = valkey.address, "throttling.database.DatabaseMemory"
        client = Client()
        client.force_login(get_user_model().objects.create_superuser("beheer"))
        yield Beheer(client, valkey)


def staff(*permissions: str) -> Client:
    """Somebody who works here and may do this much."""
    user = get_user_model().objects.create_user("kijker", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(user)
    return client


def tree(page: HttpResponse) -> html.HtmlElement:
    return html.document_fromstring(page.content.decode())


def row_of(page: HttpResponse, queue: str) -> html.HtmlElement:
    row: html.HtmlElement
    (row,) = tree(page).xpath("//*[@data-rij=$name]", name=queue)
    return row


def entries() -> list[str]:
    return [
        f"{e.user.get_username()}: {e.object_repr}: {e.get_change_message()}" for e in LogEntry.objects.order_by("pk")
    ]


async def test_a_queue_that_builds_up_is_seen_on_the_page_of_all(beheer: Beheer) -> None:
    async with crowd(beheer.valkey.address) as there:
        await there.ask(OBV, [Caller(HEAVY)] * 6 + [Caller(LIGHT)], holding=4)
        row = row_of(await beheer.get(ALL), OBV)
        assert row.get("data-toestand") == "rij"
        assert "er staat een rij" in words_of(row)
        assert "4 van 4" in words_of(row)
        assert words_of(row.xpath("./td")[1]).startswith("3, de langste")
    other = row_of(await beheer.get(ALL), "rechtspraak/zoeken")
    assert other.get("data-toestand") == "nieuw"


async def test_who_waits_since_when_and_what_each_gets_is_seen_closely(beheer: Beheer) -> None:
    async with crowd(beheer.valkey.address) as there:
        await there.ask(OBV, [Caller(HEAVY)] * 4 + [Caller(HEAVY), Caller(LIGHT), house("v1"), house("v2")], holding=4)
        section = row_of(await beheer.get(ONE), OBV)
        rows = {
            words_of(row.xpath("./th")[0]): row for row in section.xpath(".//table[contains(., 'Gewicht')]/tbody/tr")
        }
        heavy, light = rows[short_key(HEAVY)], rows[short_key(LIGHT)]
        assert [words_of(heavy.xpath("./td")[n]) for n in (1, 2, 4, 5)] == ["1", "4", "4", "0,94"]
        assert re.match(r"\d\d:\d\d:\d\d \(\d+ s\)", words_of(heavy.xpath("./td")[0]))
        assert words_of(light.xpath("./td")[3]).startswith("over ")
        assert words_of(light.xpath("./td")[6]) == "34 %"
        assert "telt niet" in words_of(rows["het huis (2 bezoekers)"])
        assert "van 60 eenheden over" in words_of(section)
        assert "gepubliceerd" in words_of(section)


async def test_no_question_no_address_and_no_whole_key_is_on_any_page(beheer: Beheer) -> None:
    visitor = "bezoeker-198.51.100.23"
    await asyncio.to_thread(
        SessionUsage.objects.create, queue=OBV, session=HEAVY, units=12, last_call=datetime.now(UTC)
    )
    async with crowd(beheer.valkey.address) as there:
        await there.ask(OBV, [Caller(HEAVY)] * 4 + [Caller(LIGHT), house(visitor)], holding=4)
        for address in (ALL, f"{ALL}nu/", ONE, f"{ONE}nu/", "/beheer/throttling/sessionusage/", "/beheer/"):
            page = await beheer.get(address)
            assert page.status_code == 200
            for secret in (HEAVY, LIGHT, visitor, "192.0.2", "2001:db8", "198.51"):
                assert secret not in page.content.decode()
    usage = await beheer.get("/beheer/throttling/sessionusage/")
    (row,) = tree(usage).xpath("//table[@id='result_list']/tbody/tr")
    assert [words_of(cell) for cell in row.xpath("./*")][:3] == [short_key(HEAVY), OBV, "12"]


async def test_the_live_page_refreshes_itself_and_the_other_stands_still(beheer: Beheer) -> None:
    for still, live in ((ALL, f"{ALL}nu/"), (ONE, f"{ONE}nu/")):
        assert (await beheer.get(live)).headers["Refresh"] == "3"
        page = await beheer.get(still)
        assert "Refresh" not in page.headers
        assert tree(page).xpath("//a[@href=$live]", live=live)
        assert not tree(await beheer.get(live)).xpath("//main//form")


async def test_nothing_on_the_pages_is_inline_and_every_figure_has_a_table(beheer: Beheer) -> None:
    await asyncio.to_thread(_an_hour)
    for address in (ALL, ONE, f"{ONE}nu/"):
        main = tree(await beheer.get(address)).xpath("//main")[0]
        assert not main.xpath(".//@style | .//script | .//style")
    section = row_of(await beheer.get(ONE), OBV)
    assert len(section.xpath(".//svg[@role='img' and string(@aria-label)]")) == 3
    rows = section.xpath(".//table[contains(., 'Hetzelfde per vijf minuten')]/tbody/tr")
    assert len(rows) == 12
    assert ["60", "41", "1", "9 van 10"] in [[words_of(cell) for cell in row.xpath("./td")] for row in rows]
    assert "9 van 10 klopten (90 %" in words_of(section)
    assert "Gemiddeld 10 s geschat en 11 s gewacht" in words_of(section)


def _an_hour() -> None:
    at = datetime.now(UTC).replace(second=0, microsecond=0) - timedelta(minutes=20)
    QueueMinute.objects.create(
        queue=OBV,
        minute=at,
        granted=60,
        waiting=41,
        refused=1,
        foretold=10,
        near=9,
        predicted_seconds=100.0,
        real_seconds=110.0,
    )


async def test_switching_off_is_asked_twice_then_holds_at_once_with_the_operators_text(beheer: Beheer) -> None:
    async with crowd(beheer.valkey.address) as there:
        await there.ask(OBV, [Caller(HEAVY)] * 6, holding=4)
        sure = await beheer.press(ACT, daad="uitzetten", tekst=TEXT)
        assert "Er wachten nu 2 aanroepen." in sure.content.decode()
        assert "<b>niets</b>" not in sure.content.decode()
        assert (await beheer.snapshot()).off == ""
        assert await asyncio.to_thread(entries) == []
        page = await beheer.press(ACT, daad="uitzetten", tekst=TEXT, zeker="ja")
        assert "De bron staat uit." in page.content.decode()
        assert (await beheer.snapshot()).off == TEXT
        await until(lambda: len(there.closed) == 2)
        there.waiting = 0
        there.tasks.append(asyncio.ensure_future(there._one(OBV, Caller(LIGHT))))
        await until(lambda: len(there.closed) == 3)
        assert there.closed == [TEXT] * 3
        assert row_of(page, OBV).get("data-toestand") == "uit"
        assert await asyncio.to_thread(entries) == [f"beheer: {OBV}: Aan of uit: van aan naar uit (‘{TEXT}’)."]
        assert "Aan of uit: van aan naar uit" in page.content.decode()
        await beheer.press(ACT, daad="aanzetten")
        assert (await beheer.snapshot()).off == ""
        assert (await asyncio.to_thread(entries))[-1].endswith("van uit (‘" + TEXT + "’) naar aan.")


async def test_a_visitor_reads_the_operators_text_and_no_markup_of_it(beheer: Beheer, product: Product) -> None:
    await beheer.press(ACT, daad="uitzetten", tekst=TEXT, zeker="ja")
    page = await product.site.get("/zoeken?vraag=klimaat&platform=openbesluitvorming")
    (section,) = sections(page.text)
    assert section.state == "fout"
    assert section.text == f"OpenBesluitvorming niet gevraagd {TEXT}"
    assert "<b>niets</b>" not in page.text
    assert (await product.counted("openbesluitvorming"))["aanroepen"] == 0


async def test_a_platform_with_two_services_goes_off_as_a_whole(beheer: Beheer) -> None:
    await beheer.press(f"{ALL}rechtspraak/daad/", daad="uitzetten", tekst="Even niet.", zeker="ja")
    states = await asyncio.to_thread(lambda: {s.queue: s.off for s in PlatformState.objects.all()})
    assert states == {"rechtspraak/zoeken": "Even niet.", "rechtspraak/open-data": "Even niet."}


async def test_what_an_operator_set_is_there_after_the_store_was_lost(beheer: Beheer) -> None:
    await beheer.press(ACT, daad="uitzetten", tekst="Even niet.", zeker="ja")
    await beheer.press(ACT, daad="verlagen", dienst="api", grens="12,5")
    words = words_of(row_of(await beheer.get(ONE), OBV).xpath("./p")[0])
    assert words == ("nog niets gevraagd, uitgezet door een beheerder: ‘Even niet.’, met de lagere grens van 12,5")
    beheer.valkey.kill()
    beheer.valkey.start()
    async with crowd(beheer.valkey.address) as there:
        there.tasks.append(asyncio.ensure_future(there._one(OBV, Caller(LIGHT))))
        await until(lambda: there.closed == ["Even niet."])
    snapshot = await beheer.snapshot()
    assert (snapshot.off, snapshot.cap) == ("Even niet.", 12500)


async def test_a_lower_limit_holds_at_once_and_the_usual_one_comes_back(beheer: Beheer) -> None:
    async with crowd(beheer.valkey.address) as there:
        await there.ask(OBV, [Caller(HEAVY)], holding=1)
        page = await beheer.press(ACT, daad="verlagen", dienst="api", grens="12,5")
        assert (await beheer.snapshot()).cap == 12500
        assert "met de lagere grens van 12,5" in words_of(row_of(page, OBV))
        assert "van 12,5 eenheden over" in words_of(row_of(page, OBV))
        await beheer.press(ACT, daad="verlagen", dienst="api", grens="")
        assert (await beheer.snapshot()).cap is None
    assert await asyncio.to_thread(entries) == [
        f"beheer: {OBV}: Grens: van de gewone grens naar 12,5 eenheden.",
        f"beheer: {OBV}: Grens: van 12,5 eenheden naar de gewone grens.",
    ]


async def test_emptying_is_asked_twice_and_sends_away_who_waits_only(beheer: Beheer) -> None:
    async with crowd(beheer.valkey.address) as there:
        await there.ask(OBV, [Caller(HEAVY)] * 6, holding=4)
        await beheer.press(ACT, daad="leegmaken", dienst="api")
        assert (await beheer.snapshot()).waiting == 2
        await beheer.press(ACT, daad="leegmaken", dienst="api", zeker="ja")
        await until(lambda: len(there.closed) == 2)
        snapshot = await beheer.snapshot()
        assert (snapshot.waiting, snapshot.flying) == (0, 4)
    assert await asyncio.to_thread(entries) == [f"beheer: {OBV}: De rij is leeggemaakt."]


async def test_resetting_ends_the_rest_and_closes_the_breaker(beheer: Beheer) -> None:
    (queue,) = (one for one in queues() if one.name == OBV)
    async with crowd(beheer.valkey.address) as there, Store(beheer.valkey.address) as store:
        await there.ask(OBV, [Caller(HEAVY)], holding=1)
        for _ in range(5):
            await StoreBreaker(store).record(OBV, ok=False)
        assert row_of(await beheer.get(ONE), OBV).get("data-toestand") == "storing"
        await Decisions(store, OBV, queue.rules).refused("niemand", 600)
        resting = row_of(await beheer.get(ONE), OBV)
        assert resting.get("data-toestand") == "rust"
        assert "rust, want de bron vroeg daarom (tot " in words_of(resting)
        page = await beheer.press(ACT, daad="herstellen", dienst="api")
        assert row_of(page, OBV).get("data-toestand") == "vrij"
        assert await StoreBreaker(store).may_call(OBV)
    assert await asyncio.to_thread(entries) == [f"beheer: {OBV}: De rust en de storing zijn opgeheven."]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"daad": "uitzetten", "tekst": "  "}, "Schrijf een tekst voor bezoekers"),
        ({"daad": "uitzetten", "tekst": "x" * 301}, "De tekst is te lang: 301 tekens"),
        ({"daad": "verlagen", "dienst": "api", "grens": "0"}, "een getal zijn van 1 tot en met 60"),
        ({"daad": "verlagen", "dienst": "api", "grens": "61"}, "een getal zijn van 1 tot en met 60"),
        ({"daad": "verlagen", "dienst": "api", "grens": "nan"}, "een getal zijn van 1 tot en met 60"),
        ({"daad": "verlagen", "dienst": "bestaat-niet", "grens": "5"}, "Deze dienst bestaat niet"),
        ({"daad": "slopen"}, "Dit kan hier niet"),
        ({}, "Dit kan hier niet"),
    ],
)
async def test_what_cannot_be_done_is_said_and_changes_nothing(
    beheer: Beheer, fields: dict[str, str], words: str
) -> None:
    page = await beheer.press(ACT, **fields, zeker="ja")
    assert page.status_code == 400
    assert words in page.content.decode()
    assert await asyncio.to_thread(entries) == []
    assert not await asyncio.to_thread(PlatformState.objects.exclude(off="", cap=None).exists)


async def test_what_was_typed_stays_in_the_form_when_it_cannot_be_done(beheer: Beheer) -> None:
    page = await beheer.press(ACT, daad="uitzetten", tekst="y" * 301)
    assert tree(page).xpath("//input[@name='tekst']/@value") == ["y" * 301]


async def test_a_service_without_a_limit_has_none_to_lower(beheer: Beheer) -> None:
    address = f"{ALL}tweede-kamer/"
    assert not tree(await beheer.get(address)).xpath("//input[@name='grens']")
    page = await beheer.press(f"{address}daad/", daad="verlagen", dienst="odata", grens="5")
    assert "Er is geen grens om te verlagen." in page.content.decode()


async def test_whoever_may_view_looks_and_may_do_nothing(beheer: Beheer) -> None:
    client = await asyncio.to_thread(staff, "view_platformstate")
    beheer.client = client
    page = await beheer.get(ONE)
    assert page.status_code == 200
    assert not tree(page).xpath("//main//form")
    for deed in ("uitzetten", "aanzetten", "verlagen", "leegmaken", "herstellen"):
        answer = await beheer.press(ACT, daad=deed, dienst="api", tekst="x", grens="5", zeker="ja")
        assert answer.status_code == 403
    assert await asyncio.to_thread(entries) == []
    assert (await beheer.get("/beheer/throttling/sessionusage/")).status_code == 403


async def test_staff_without_permission_and_strangers_see_nothing(beheer: Beheer) -> None:
    for client, status in ((await asyncio.to_thread(staff), 403), (Client(), 302)):
        beheer.client = client
        for address in (ALL, f"{ALL}nu/", ONE, f"{ONE}nu/", "/beheer/throttling/sessionusage/"):
            assert (await beheer.get(address)).status_code == status
        answer = await asyncio.to_thread(client.post, ACT, {"daad": "aanzetten"})
        assert answer.status_code == status


async def test_looking_changes_nothing_and_acting_needs_a_form_of_ours(beheer: Beheer) -> None:
    assert (await beheer.get(f"{ACT}?daad=aanzetten&zeker=ja")).status_code == 405
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = beheer.client.cookies
    answer = await asyncio.to_thread(strict.post, ACT, {"daad": "uitzetten", "tekst": "x", "zeker": "ja"})
    assert answer.status_code == 403
    assert (await asyncio.to_thread(beheer.client.post, ONE, {})).status_code == 405
    assert await asyncio.to_thread(PlatformState.objects.count) == 0


async def test_a_dead_store_gives_a_page_that_says_so_with_what_the_database_knows(beheer: Beheer) -> None:
    await asyncio.to_thread(_an_hour)
    beheer.valkey.kill()
    for address in (ALL, f"{ALL}nu/", ONE, f"{ONE}nu/"):
        page = await beheer.get(address)
        assert page.status_code == 503
        assert "De opslag antwoordt niet." in page.content.decode()
        assert row_of(page, OBV).get("data-toestand") == "onbekend"
    assert "9 van 10" in words_of(row_of(await beheer.get(ONE), OBV))


async def test_while_the_store_is_dead_what_is_set_is_kept_and_what_cannot_be_is_said(beheer: Beheer) -> None:
    async with crowd(beheer.valkey.address) as there:
        await there.ask(OBV, [Caller(HEAVY)], holding=1)
        beheer.valkey.kill()
        page = await beheer.press(ACT, daad="verlagen", dienst="api", grens="5")
        assert "Dit is bewaard, maar geldt nog niet" in page.content.decode()
        page = await beheer.press(ACT, daad="leegmaken", dienst="api", zeker="ja")
        assert "Er is niets veranderd." in page.content.decode()
    assert await asyncio.to_thread(entries) == [f"beheer: {OBV}: Grens: van de gewone grens naar 5 eenheden."]


async def test_a_store_that_does_not_know_what_was_set_is_pointed_at(beheer: Beheer) -> None:
    async with crowd(beheer.valkey.address) as there:
        await there.ask(OBV, [Caller(HEAVY)], holding=1)
        await asyncio.to_thread(PlatformState.objects.filter(queue=OBV).update, off="Even niet.")
        assert "De opslag wijkt af" in words_of(row_of(await beheer.get(ONE), OBV))


async def test_an_unknown_platform_is_not_there(beheer: Beheer) -> None:
    for address in (f"{ALL}bestaat-niet/", f"{ALL}bestaat-niet/nu/", f"{ALL}99/change/"):
        assert (await beheer.get(address)).status_code == 404
    assert (await beheer.press(f"{ALL}bestaat-niet/daad/", daad="aanzetten")).status_code == 404


async def test_an_entry_in_the_list_of_changes_leads_to_its_platform(beheer: Beheer) -> None:
    await beheer.press(ACT, daad="verlagen", dienst="api", grens="5")
    (link,) = tree(await beheer.get("/beheer/")).xpath("//ul[@class='actionlist']//a/@href")
    assert (await beheer.get(link)).headers["Location"] == ONE
