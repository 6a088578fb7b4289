"""The pages about the site itself: complete, up to date, and true of what the site does."""

from __future__ import annotations

import gzip
import re
from datetime import UTC, date, datetime, timedelta

import pytest
import yaml
from lxml import html
from pytest_django import Settings

import besluitbron
from besluitbron.pages import STATEMENT, statement
from tests.product.conftest import Product
from tests.support.pages import main_text, words_of

pytestmark = pytest.mark.anyio
PAGES = (
    "/status",
    "/vragenbank",
    "/fout-melden",
    "/bronnen/rechtspraak",
    "/privacy",
    "/toegankelijkheid",
    "/aansluiten",
    "/",
)
ROOT = STATEMENT.parents[1]


def fields(text: str) -> dict[str, str]:
    return dict(line.split(": ", 1) for line in text.splitlines())


@pytest.mark.parametrize("address", PAGES)
async def test_every_page_leads_to_the_others_at_the_same_place(product: Product, address: str) -> None:
    """Eis 7.1."""
    tree = html.document_fromstring((await product.site.get(address)).text)
    links = tree.xpath("//footer//nav[@aria-label='Over deze website']//a/@href")
    assert links == [
        "/",
        "/status",
        "/aansluiten",
        "/api",
        "/vragenbank",
        "/fout-melden",
        "/privacy",
        "/toegankelijkheid",
    ]
    assert len(tree.xpath("//h1")) == 1
    assert tree.xpath("//html/@lang") == ["nl"]


async def test_what_is_printed_says_where_and_when_it_was_read(product: Product) -> None:
    """Eis V4."""
    for address in ("/zoeken?vraag=subsidie&platform=rechtspraak", "/privacy", "/status"):
        tree = html.document_fromstring((await product.site.get(address)).text)
        (line,) = tree.xpath("//footer/p[@class='afdruk']")
        words = words_of(line)
        assert f"http://localhost:8000{address}." in words
        assert re.search(r"Gelezen op \d+ \w+ \d{4}, \d\d:\d\d uur\.$", words)


@pytest.mark.parametrize("address", ["/", "/zoeken?vraag=subsidie", "/status", "/document"])
async def test_a_page_with_its_styles_weighs_at_most_60_kilobytes_compressed(product: Product, address: str) -> None:
    if address == "/document":
        found = html.document_fromstring((await product.site.get("/zoeken?vraag=vergunning&platform=rechtspraak")).text)
        address = found.xpath("//ol[@class='treffers']//h3/a/@href")[0]
    page = (await product.site.get(address)).text
    tree = html.document_fromstring(page)
    parts = tree.xpath("//link[@rel='stylesheet' or @rel='icon']/@href | //script/@src")
    assert len(parts) >= 4
    weights = [len(gzip.compress((await product.site.get(part)).content)) for part in parts]
    assert len(gzip.compress(page.encode())) + sum(weights) <= 60_000


@pytest.mark.parametrize(("given", "contact"), [("a@b.nl", "mailto:a@b.nl"), ("https://b.nl/c", "https://b.nl/c")])
async def test_who_finds_a_hole_can_report_it_to_the_operator_for_some_months(
    product: Product, settings: Settings, given: str, contact: str
) -> None:
    """Eis 6.4."""
    settings.CONTACT_ADDRESS = given
    answer = await product.site.get("/.well-known/security.txt")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    told = fields(answer.text)
    assert told["Contact"] == contact
    left = datetime.fromisoformat(told["Expires"]) - datetime.now(UTC)
    assert timedelta(days=30) < left < timedelta(days=365)
    assert told["Canonical"] == "http://localhost:8000/.well-known/security.txt"
    assert told["Policy"] == "http://localhost:8000/privacy#lek"
    assert html.document_fromstring((await product.site.get("/privacy")).text).xpath("//h2[@id='lek']")


async def test_the_statement_on_accessibility_shows_every_gap_with_its_effect_and_plan(product: Product) -> None:
    """Eis V9."""
    text = main_text((await product.site.get("/toegankelijkheid")).text)
    made = statement()
    assert made["norm"] in text
    for gap in made["gebreken"]:
        assert all(gap[part] in text for part in ("punt", "wat", "gevolg", "oorzaak", "herstel"))
    assert all(step in text for step in made["methode"])


def test_the_statement_on_accessibility_is_not_out_of_date() -> None:
    """Eis V9."""
    made, today = statement(), datetime.now(UTC).date()
    assert isinstance(made["onderzocht"], date)
    assert made["onderzocht"] > today - timedelta(days=3 * 365)
    assert all(gap["gepland"] > today for gap in made["gebreken"] if "gepland" in gap)
    assert (made["status"] == "A") == (not made["gebreken"])


async def test_the_page_on_privacy_says_what_is_kept_and_how_to_have_something_removed(product: Product) -> None:
    """Field reports 19 and 39. Eis V12."""
    text = main_text((await product.site.get("/privacy")).text)
    for words in (
        "geen cookies",
        "geen logboek",
        "een half uur",
        "Wat de bronnen zien",
        "assistent",
        "niet meer tonen",
    ):
        assert words in text


def test_the_description_for_catalogues_has_what_it_must_have_and_the_version_of_the_product() -> None:
    made = yaml.safe_load((ROOT / "publiccode.yml").read_text(encoding="utf-8"))
    must = ("publiccodeYmlVersion", "name", "url", "platforms", "developmentStatus", "softwareType", "description")
    assert all(made[key] for key in (*must, "legal", "maintenance", "localisation"))
    assert made["softwareVersion"] == besluitbron.__version__
    assert made["legal"]["license"] == "EUPL-1.2"
    told = made["description"]["nl"]
    assert len(told["shortDescription"]) <= 150
    assert 150 <= len(told["longDescription"]) <= 10_000
    assert told["features"]
    assert set(made["localisation"]) == {"localisationReady", "availableLanguages"}
