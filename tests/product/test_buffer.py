"""The buffer in the whole product: a question asked again, what is taken down, another version, a cache that is gone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

import pytest
from django.contrib.auth import get_user_model
from django.core.cache import caches
from lxml import html
from pytest_django import Settings

from besluitbron.caches import DATABASES
from connectors import takedowns
from connectors.buffering.hop import Hop
from connectors.buffering.rules import MEGABYTE, Rules
from connectors.buffering.shelf import Shelf
from connectors.models import Takedown
from connectors.moments import now
from tests.product.conftest import Product
from tests.product.test_beheer import SIGN_IN, sign_in
from tests.product.test_beheer_lists import press
from tests.support.buffers import caches_at
from tests.support.pages import Section, main_text, sections, words_of
from tests.support.valkey import Valkey, private_valkey

pytestmark = [pytest.mark.anyio, pytest.mark.django_db(transaction=True)]
RECHTSPRAAK = "rechtspraak"
CACHE, TAKEDOWN = "/beheer/connectors/cache/", "/beheer/connectors/takedown/"


@pytest.fixture(scope="module")
def valkey() -> Iterator[Valkey]:
    with private_valkey() as server:
        yield server


@pytest.fixture
def buffer(
    transactional_db: None, valkey: Valkey, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """A buffer that is empty, and an operator. What is taken down is read for every question, without a second's delay."""
    monkeypatch.setattr(takedowns, "MAX_AGE", 0.0)
    get_user_model().objects.create_superuser("beheer", password=SIGN_IN["password"])
    settings.BUFFER_RULES = Rules(version=settings.VERSION, shares=dict.fromkeys(DATABASES, 8 * MEGABYTE), patience=5.0)
    with caches_at(valkey.path):
        for platform in DATABASES:
            caches[platform].clear()
        yield


async def ask(product: Product, word: str = "subsidie", platform: str = RECHTSPRAAK) -> Section:
    page = await product.site.get("/zoeken", params={"vraag": word, "platform": platform})
    (section,) = sections(page.text)
    return section


async def calls(product: Product) -> float:
    return (await product.counted(RECHTSPRAAK))["aanroepen"]


async def test_a_question_asked_again_costs_no_call_and_says_from_when_its_answer_is(
    buffer: None, product: Product
) -> None:
    first = await product.site.get("/zoeken", params={"vraag": "subsidie", "platform": RECHTSPRAAK})
    made = await calls(product)
    second = await product.site.get("/zoeken", params={"vraag": "subsidie", "platform": RECHTSPRAAK})
    assert await calls(product) == made
    moments = [re.findall(r'data-opgehaald="([^"]+)"', page.text) for page in (first, second)]
    assert moments[0] == moments[1] != []
    assert re.search(r"Rechtspraak, opgehaald om \d\d:\d\d uur", words_of(html.document_fromstring(second.text)))
    assert sections(first.text)[0].titles == sections(second.text)[0].titles


async def test_all_sources_of_a_question_asked_again_are_read_in_one_hop_to_a_thread(
    buffer: None, product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    hops: list[list[str]] = []
    leave = Hop._leave

    def watched(self: Hop, loop: Any) -> None:
        hops.append(sorted(self._loads))
        leave(self, loop)

    monkeypatch.setattr(Hop, "_leave", watched)
    for _ in range(5):  # until every source was in time and all its calls are kept
        hops.clear()
        page = await product.site.get("/zoeken", params={"vraag": "subsidie"})
        if {section.state for section in sections(page.text)} == {"klaar"} and len(hops) == 1:
            break
    assert hops == [sorted(DATABASES)]


async def test_a_document_opened_again_costs_no_call_and_says_from_when_it_is(buffer: None, product: Product) -> None:
    link = (await ask(product)).links[0]
    first = await product.site.get(link)
    made = await calls(product)
    second = await product.site.get(link)
    assert await calls(product) == made
    assert "opgehaald om" in main_text(second.text)
    assert main_text(first.text) == main_text(second.text)


async def test_what_was_kept_is_served_when_the_platform_is_dead_but_never_what_another_version_kept(
    buffer: None, product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await ask(product)).state == "klaar"
    await product.put(RECHTSPRAAK, "dood")
    assert (await ask(product)).state == "klaar"
    shelf = Shelf(RECHTSPRAAK, MEGABYTE)
    monkeypatch.setattr(Rules, "version", property(lambda _: "9.9.9"), raising=False)
    assert (await ask(product)).state == "fout"
    assert set(shelf.figures(now()).versions) == set()


async def test_without_the_cache_server_the_product_still_answers(
    buffer: None, product: Product, valkey: Valkey
) -> None:
    valkey.kill()
    try:
        section = await ask(product)
        assert section.state == "klaar"
        assert (await product.site.get(section.links[0])).status_code == 200
    finally:
        valkey.start()


async def test_an_operator_takes_a_document_down_and_it_is_served_nowhere(buffer: None, product: Product) -> None:
    """Field report 19: a way to have something taken down, that holds whatever the source does."""
    before = await ask(product)
    link, other = before.links[0], before.links[1]
    number = link.rpartition("/")[2]
    assert (await product.site.get(link)).status_code == 200
    await sign_in(product)
    answer = await press(
        product,
        f"{TAKEDOWN}add/",
        f"{TAKEDOWN}add/",
        platform=RECHTSPRAAK,
        upstream_id=f"  {number.lower()} ",
        reason="Op verzoek van een betrokkene.",
    )
    assert answer.status_code == 200
    assert "Op verzoek van een betrokkene." in answer.text
    made = await calls(product)
    gone = await product.site.get(link)
    assert gone.status_code == 410
    assert "de beheerder van deze website heeft het weggehaald" in main_text(gone.text)
    assert await calls(product) == made
    after = await ask(product)
    assert link not in after.links
    assert other in after.links
    assert "staat er niet bij (1 stuk)" in after.text
    assert (await product.site.get(other)).status_code == 200


def test_a_takedown_notes_who_why_and_when_and_is_no_item_of_the_buffer(buffer: None) -> None:
    Takedown.objects.create(platform=RECHTSPRAAK, upstream_id="ECLI:NL:HR:2024:1", reason="x", by="beheer")
    for platform in DATABASES:
        caches[platform].clear()
    assert Takedown.known() == {(RECHTSPRAAK, "ECLI:NL:HR:2024:1")}


async def test_a_takedown_holds_after_an_upgrade_and_with_every_cache_emptied(
    buffer: None, product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Field report 19: what has to go stays gone."""
    link = (await ask(product)).links[0]
    number = unquote(link.rpartition("/")[2])
    await Takedown.objects.acreate(platform=RECHTSPRAAK, upstream_id=number, reason="x", by="beheer")
    for platform in DATABASES:
        caches[platform].clear()
    monkeypatch.setattr(Rules, "version", property(lambda _: "9.9.9"), raising=False)
    assert (await product.site.get(link)).status_code == 410
    assert link not in (await ask(product)).links


async def test_a_takedown_that_an_operator_deletes_lets_the_document_be_shown_again_at_once(
    buffer: None, product: Product
) -> None:
    link = (await ask(product)).links[0]
    number = unquote(link.rpartition("/")[2])
    await sign_in(product)
    await press(product, f"{TAKEDOWN}add/", f"{TAKEDOWN}add/", platform=RECHTSPRAAK, upstream_id=number, reason="x")
    assert (await product.site.get(link)).status_code == 410
    row = await Takedown.objects.aget()
    page = f"{TAKEDOWN}{row.pk}/delete/"
    await press(product, page, page, post="yes")
    assert (await product.site.get(link)).status_code == 200


async def test_a_takedown_of_what_is_no_number_of_the_platform_is_refused(buffer: None, product: Product) -> None:
    await sign_in(product)
    add = f"{TAKEDOWN}add/"
    answer = await press(product, add, add, platform=RECHTSPRAAK, upstream_id="niets", reason="x")
    assert "Dit is geen nummer van Rechtspraak." in answer.text


async def test_a_takedown_holds_while_the_cache_server_is_gone(buffer: None, product: Product, valkey: Valkey) -> None:
    link = (await ask(product)).links[0]
    await sign_in(product)
    add = f"{TAKEDOWN}add/"
    valkey.kill()
    try:
        answer = await press(
            product, add, add, platform=RECHTSPRAAK, upstream_id=link.rpartition("/")[2], reason="Een reden."
        )
        assert "De cache is nu niet bereikbaar" in answer.text
        assert (await product.site.get(link)).status_code == 410
    finally:
        valkey.start()


def row(page: Any, platform: str) -> str:
    (found,) = html.document_fromstring(page.text).xpath(f"//tr[@data-bron='{platform}']")
    return words_of(found)


async def test_the_cache_page_shows_what_is_kept_and_empties_one_platform(buffer: None, product: Product) -> None:
    for platform in (RECHTSPRAAK, "opentk"):
        await ask(product, platform=platform)
        await ask(product, platform=platform)
    await sign_in(product)
    page = await product.site.get(CACHE)
    assert page.status_code == 200
    assert "van 8 MB" in row(page, RECHTSPRAAK)
    assert "0.1.0: " in row(page, RECHTSPRAAK)
    assert "%" in row(page, RECHTSPRAAK)
    kept = row(page, "opentk")
    emptied = await press(product, CACHE, f"{CACHE}{RECHTSPRAAK}/leeg/")
    assert "De cache van Rechtspraak is leeg." in emptied.text
    assert "0,0 van 8 MB" in row(emptied, RECHTSPRAAK)
    assert "0.1.0: " not in row(emptied, RECHTSPRAAK)
    assert row(emptied, "opentk") == kept


async def test_the_cache_page_is_there_while_the_cache_server_is_gone(
    buffer: None, product: Product, valkey: Valkey
) -> None:
    await sign_in(product)
    valkey.kill()
    try:
        page = await product.site.get(CACHE)
        assert "nu niet bereikbaar" in row(page, RECHTSPRAAK)
        pressed = await press(product, "/beheer/", f"{CACHE}{RECHTSPRAAK}/leeg/")
        assert "Er is niets leeggemaakt." in pressed.text
    finally:
        valkey.start()


async def test_the_pages_on_the_buffer_are_for_operators(buffer: None, product: Product) -> None:
    for page in (CACHE, TAKEDOWN):
        assert (await product.site.get(page)).status_code == 302
    assert (await product.site.post(f"{CACHE}{RECHTSPRAAK}/leeg/")).status_code in {302, 403}
