"""A source without a public address: off in live mode, plainly, and answering in the trial."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from pytest_django import Settings

from besluitbron import composition
from besluitbron.asgi import make_application
from besluitbron.running.archive import ArchiveOptions
from connectors.addresses import PlatformMode
from connectors.open_archivaris.field_map import PROPOSED_FILE
from connectors.platforms import OPEN_ARCHIVARIS
from connectors.upkeep import Verdict, check_one
from tests.product.conftest import Product
from tests.support.pages import main_text, sections
from tests.support.serving import served

pytestmark = pytest.mark.anyio
KEY = OPEN_ARCHIVARIS.key


@pytest.fixture
async def live(settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    """The site as it asks the real platforms. A test here asks none that has an address."""
    settings.PLATFORM_MODE = PlatformMode.LIVE
    async with (
        served(make_application(), lifespan="on") as site,
        httpx.AsyncClient(base_url=site, timeout=30, verify=False) as browser,
    ):
        yield browser


async def test_live_its_section_says_that_it_is_off_and_why(live: httpx.AsyncClient) -> None:
    page = await live.get("/zoeken", params={"vraag": "subsidie", "platform": KEY})
    (section,) = sections(page.text)
    assert section.state == "niet-ondersteund"
    assert "Open Archivaris staat hier uit" in section.text
    assert "geen openbaar adres" in section.text
    assert "De gekozen bron staat hier uit." in main_text(page.text)
    assert "past bij geen" not in main_text(page.text)


async def test_live_a_document_of_it_is_not_there_and_the_page_says_why(live: httpx.AsyncClient) -> None:
    page = await live.get(f"/document/{KEY}/oa-0001")
    assert page.status_code == 404
    assert "Open Archivaris staat hier uit" in main_text(page.text)


async def test_live_the_front_page_says_that_it_is_off(live: httpx.AsyncClient) -> None:
    text = main_text((await live.get("/")).text)
    assert text.count("Deze bron staat hier uit") == 1


async def test_live_the_check_of_an_operator_says_that_it_is_off(settings: Settings) -> None:
    settings.PLATFORM_MODE = PlatformMode.LIVE
    house = composition.UpkeepHouse()
    (connector,) = (one for one in house.connectors if one.platform.key == KEY)
    checked = await check_one(house, connector)
    assert (checked.verdict, checked.words) == (Verdict.OFF, "staat uit: er is geen adres ingesteld")


def test_an_address_and_a_map_of_an_operator_reach_the_connector(settings: Settings, tmp_path: Path) -> None:
    fields = tmp_path / "velden.toml"
    fields.write_text(PROPOSED_FILE.read_text("utf-8").replace('match = "any"', 'match = "all"'), "utf-8")
    archive = ArchiveOptions("https://archief.example.org", str(fields))
    settings.OPTIONS = replace(settings.OPTIONS, archive=archive)
    assert composition.archive_fields() is None  # the stand-in speaks the proposal
    settings.PLATFORM_MODE = PlatformMode.LIVE
    given = composition.archive_fields()
    assert given is not None
    assert not given.search.matches_any
    where = composition.addresses()
    assert where.base(OPEN_ARCHIVARIS, OPEN_ARCHIVARIS.service("api")) == "https://archief.example.org"
    assert not composition.UpkeepHouse().is_off(OPEN_ARCHIVARIS)


async def test_in_the_trial_a_vanished_original_is_said_in_words_with_the_kept_copy(product: Product) -> None:
    asked = {"vraag": "voorstel", "platform": KEY, "organisatie": "gemeente-boxmeer"}
    page = await product.site.get("/zoeken", params=asked)
    (section,) = sections(page.text)
    assert section.state == "klaar"
    assert "Het origineel staat niet meer op zijn adres. De bron bewaarde op" in section.text
    texts = [main_text((await product.site.get(link)).text) for link in section.links]
    (gone, *_) = (text for text in texts if "Het origineel staat niet meer op zijn adres" in text)
    assert "https://raad.boxmeer.example/stukken/" in gone
    assert "(niet meer beschikbaar), bewaarde kopie van" in gone


async def test_in_the_trial_several_words_are_said_to_be_any_of_them(product: Product) -> None:
    page = await product.site.get("/zoeken", params={"vraag": "warmtenet parkeren", "platform": KEY})
    (section,) = sections(page.text)
    assert "maar een deel van uw woorden" in section.text
    assert "lijkt erop, niet alle woorden" in section.text


@pytest.mark.parametrize(
    ("condition", "state", "words"),
    [
        ("dood", "fout", "niet bereikbaar"),
        ("onzin", "fout", "webpagina in plaats van een antwoord"),
        ("onderhoud", "fout", "kon dit nu niet beantwoorden"),
        ("vol", "afgewezen", "te druk"),
    ],
)
async def test_in_the_trial_a_source_that_gives_no_answer_says_what_happened(
    product: Product, condition: str, state: str, words: str
) -> None:
    await product.put(KEY, condition)
    *_, section = sections((await product.site.get("/zoeken", params={"vraag": "subsidie", "platform": KEY})).text)
    assert section.state == state  # the last word: a refused call first waits for its turn again
    assert words in section.text
