"""What an operator sees of lists and sources, and what the buttons do."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from lxml import html
from pytest_django import Settings

from besluitbron.running.layout import Layout
from connectors import tasks
from connectors.addresses import PlatformMode
from connectors.lists import ORGANISATIONS, Row, Trouble
from connectors.load_status import LoadState, LoadStatus
from connectors.models import PlatformList, Writing
from connectors.moments import now
from tests.product.conftest import Product
from tests.product.test_beheer import SIGN_IN, sign_in
from tests.support import upkeep
from tests.support.pages import words_of

pytestmark = [pytest.mark.anyio, pytest.mark.django_db(transaction=True)]
ORI = "open-raadsinformatie"
LISTS = "/beheer/connectors/platformlist/"
CHECKS = f"{LISTS}controleer/"


@pytest.fixture
def lists(transactional_db: None, settings: Settings, tmp_path: Path) -> None:
    """An operator, and lists of several kinds and ages."""
    settings.LAYOUT = Layout(tmp_path)
    settings.BACKGROUND = "tests.support.upkeep.send"
    upkeep.SENT.clear()
    get_user_model().objects.create_superuser("beheer", password=SIGN_IN["password"])
    put = PlatformList.objects.replace
    at = now() - timedelta(days=3, hours=1)
    put(ORI, ORGANISATIONS, [Row("gemeente-ede", "Gemeente Ede", details={"kind": "gemeente"})], Writing("0.1.0", at))
    put(ORI, "commissies", [Row("c1", "Commissie Wonen"), Row("c2", "Commissie Zorg")], Writing("0.0.9", at))
    PlatformList.objects.note_trouble(ORI, Trouble.UNREACHABLE, Writing("0.1.0", now()))
    state = LoadState("ori_ede", "Gemeente Ede", "geladen", documents=7)
    PlatformList.objects.replace_load_status(ORI, LoadStatus(at, (state,)), Writing("0.1.0", at))


def rows(page: httpx.Response) -> dict[str, str]:
    """The rows of a change list by the words of their second column."""
    assert page.status_code == 200
    found = html.document_fromstring(page.text).xpath("//table[@id='result_list']/tbody/tr")
    return {words_of(row.xpath("./*[self::td or self::th]")[2]): words_of(row) for row in found}


async def press(product: Product, page: str, address: str, **fields: str) -> httpx.Response:
    """Press a button of a page."""
    token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', (await product.site.get(page)).text)[-1]
    return await product.site.post(address, data={"csrfmiddlewaretoken": token} | fields, follow_redirects=True)


async def test_a_list_shows_its_age_its_source_its_version_and_its_last_failure(lists: None, product: Product) -> None:
    await sign_in(product)
    found = rows(await product.site.get(LISTS))
    ours = found["organisaties"]
    assert "Open Raadsinformatie" in ours
    assert "3 dagen oud" in ours
    assert "van de bron" in ours
    assert "De bron was niet bereikbaar. De oude lijst is gebleven." in ours
    assert "niet gebruikt" not in ours
    assert "0.0.9 (niet gebruikt tot zij ververst is: dit is 0.1.0)" in found["commissies"]
    assert "niet bereikbaar" not in found["laadstatus"]


async def test_the_rows_of_a_list_can_be_searched_and_not_changed(lists: None, product: Product) -> None:
    await sign_in(product)
    page = html.document_fromstring((await product.site.get(LISTS)).text)
    (link,) = page.xpath("//tr[contains(., 'commissies')]//td[@class='field-how_many']/a/@href")
    whole = await product.site.get(link)
    assert "Commissie Wonen" in whole.text
    assert "Gemeente Ede" not in words_of(html.document_fromstring(whole.text).xpath("//table[@id='result_list']")[0])
    some = await product.site.get(link + "&q=zorg")
    assert "Commissie Zorg" in some.text
    assert "Commissie Wonen" not in some.text
    for address in (f"{LISTS}add/", "/beheer/connectors/listrow/add/", "/beheer/connectors/loadrow/add/"):
        assert (await product.site.get(address)).status_code == 403
    assert "geladen" in (await product.site.get("/beheer/connectors/loadrow/?q=ede")).text


async def test_the_button_of_a_list_asks_the_background_for_it(lists: None, product: Product) -> None:
    await sign_in(product)
    for kind, sent in (
        ("commissies", ("connectors.tasks.refresh_lists", (ORI,), {"by_hand": True})),
        ("laadstatus", ("connectors.tasks.refresh_load_status", (ORI,), {})),
    ):
        one = await asyncio.to_thread(PlatformList.objects.get, platform=ORI, kind=kind)
        page = f"{LISTS}{one.pk}/change/"
        answer = await press(product, page, f"{LISTS}{one.pk}/ververs/")
        assert "het verversen is gevraagd" in answer.text
        assert upkeep.SENT.pop() == sent
    assert (await press(product, page, f"{LISTS}999999/ververs/")).status_code == 404
    assert (await product.site.get(f"{LISTS}{one.pk}/ververs/")).status_code == 405


async def test_what_the_button_asked_for_is_what_the_background_does(
    lists: None, product: Product, settings: Settings
) -> None:
    settings.UPKEEP_FACTORY = "tests.support.upkeep.SmallHouse"
    await sign_in(product)
    one = await asyncio.to_thread(PlatformList.objects.get, platform=ORI, kind=ORGANISATIONS)
    await press(product, f"{LISTS}{one.pk}/change/", f"{LISTS}{one.pk}/ververs/")
    ((name, arguments, options),) = upkeep.SENT
    await asyncio.to_thread(getattr(tasks, name.rpartition(".")[2]), *arguments, **options)
    found = rows(await product.site.get(LISTS))
    assert "net opgehaald" in found["organisaties"]
    assert "niet bereikbaar" not in found["organisaties"]


async def test_several_lists_of_one_source_are_asked_for_once(lists: None, product: Product) -> None:
    await sign_in(product)
    page = html.document_fromstring((await product.site.get(LISTS)).text)
    fields = {"action": "refresh_chosen", "_selected_action": page.xpath("//input[@name='_selected_action']/@value")}
    await press(product, LISTS, LISTS, **fields)
    assert sorted(name for name, _, _ in upkeep.SENT) == [
        "connectors.tasks.refresh_lists",
        "connectors.tasks.refresh_load_status",
    ]


async def test_a_background_that_is_not_there_is_said(lists: None, product: Product, settings: Settings) -> None:
    settings.BACKGROUND = "besluitbron.celery.send"
    await sign_in(product)
    one = await asyncio.to_thread(PlatformList.objects.get, platform=ORI, kind=ORGANISATIONS)
    answer = await press(product, f"{LISTS}{one.pk}/change/", f"{LISTS}{one.pk}/ververs/")
    assert "De achtergrond is niet bereikbaar." in answer.text


async def test_a_source_is_checked_by_its_button_and_a_dead_one_is_said_in_words(lists: None, product: Product) -> None:
    await sign_in(product)
    page = await product.site.get(CHECKS)
    assert "nog niet gecontroleerd" in page.text
    good = await press(product, CHECKS, CHECKS, platform=ORI)
    assert outcomes(good) == {ORI: "goed"}
    await product.put(ORI, "dood")
    bad = await press(product, CHECKS, CHECKS, platform=ORI)
    assert outcomes(bad) == {ORI: "fout"}
    assert "niet bereikbaar" in bad.text
    assert (await press(product, CHECKS, CHECKS, platform="bestaat-niet")).status_code == 404


async def test_all_sources_are_checked_by_one_button(lists: None, product: Product) -> None:
    await sign_in(product)
    await product.put("rechtspraak", "dood")
    found = outcomes(await press(product, CHECKS, CHECKS, platform=""))
    shown = re.findall(r'data-bron="([^"]+)"', (await product.site.get(CHECKS)).text)
    assert set(found) == set(shown)
    assert found.pop("rechtspraak") == "fout"
    assert set(found.values()) == {"goed"}


async def test_a_source_without_an_address_is_off(lists: None, product: Product, settings: Settings) -> None:
    settings.PLATFORM_MODE = PlatformMode.LIVE
    settings.UPKEEP_FACTORY = "tests.support.upkeep.HouseWithoutAddress"
    await sign_in(product)
    assert "staat uit: er is geen adres ingesteld" in (await product.site.get(CHECKS)).text
    assert outcomes(await press(product, CHECKS, CHECKS, platform="")) == {"open-archivaris": "uit"}


async def test_who_is_not_signed_in_checks_and_refreshes_nothing(lists: None, product: Product) -> None:
    before = await product.counted(ORI)
    for address in (CHECKS, f"{LISTS}1/ververs/"):
        answer = await product.site.post(address, data={"platform": ORI})
        assert answer.status_code in {302, 403}
    assert await product.counted(ORI) == before
    assert upkeep.SENT == []


def only_looks() -> None:
    """The operator becomes somebody who may look at everything here and change nothing."""
    user = get_user_model().objects.get(username="beheer")
    user.is_superuser = False
    user.is_staff = True
    user.save()
    user.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))


async def test_who_may_only_look_asks_no_source_and_sees_no_button_for_it(lists: None, product: Product) -> None:
    """To refresh by hand is to take over a list that is much shorter: that is no looking."""
    await asyncio.to_thread(only_looks)
    await sign_in(product)
    before = await product.counted(ORI)
    one = await asyncio.to_thread(PlatformList.objects.get, platform=ORI, kind=ORGANISATIONS)
    whole = await product.site.get(f"{LISTS}{one.pk}/change/")
    assert whole.status_code == 200
    assert "Ververs deze lijst" not in whole.text
    assert "refresh_chosen" not in (await product.site.get(LISTS)).text
    assert "Controleer nu" not in (await product.site.get(CHECKS)).text
    for address in (CHECKS, f"{LISTS}{one.pk}/ververs/"):
        assert (await press(product, LISTS, address, platform=ORI)).status_code == 403
    chosen = {"action": "refresh_chosen", "_selected_action": str(one.pk)}
    await press(product, LISTS, LISTS, **chosen)
    assert await product.counted(ORI) == before
    assert upkeep.SENT == []


def outcomes(page: httpx.Response) -> dict[str, str]:
    """The outcome of each source that was checked."""
    found = html.document_fromstring(page.text).xpath("//tr[@data-uitkomst]")
    return {str(row.get("data-bron")): str(row.get("data-uitkomst")) for row in found}
