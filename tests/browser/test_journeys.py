"""Four people do at a real browser what they came for, from the first page to what they take with them."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from lxml import etree
from playwright.async_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.oddities import loaded
from tests.product.conftest import Product

pytestmark = pytest.mark.anyio


async def ask(page: Page, question: str) -> None:
    """Type a question and press Enter."""
    box = page.get_by_label("Wat zoekt u?")
    await box.fill(question)
    await box.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_contain_text("Antwoorden")


async def test_a_citizen_asks_the_own_municipality_finds_a_passage_and_takes_the_citation_along(
    visit: Visit, product: Product
) -> None:
    """Eis P1."""
    async with visit(permissions=["clipboard-read", "clipboard-write"]) as page:
        await page.goto("/")
        await ask(page, "parkeren in Ede")
        chips = page.get_by_role("navigation", name="Gekozen filters")
        await expect(chips.get_by_role("link").first).to_contain_text("organisatie: Gemeente Ede")
        own = page.get_by_role("region", name="OpenBesluitvorming", exact=True)
        await expect(own.get_by_text("Gemeente Ede", exact=True).first).to_be_visible()
        courts = page.get_by_role("region", name="Rechtspraak", exact=True)
        await expect(courts).to_contain_text("Deze bron kent geen gemeenten. We zochten met ‘Ede’ als woord.")

        await page.get_by_role("link", name="als gewone woorden").click()
        await expect(page.get_by_label("Wat zoekt u?")).to_have_value("parkeren in Ede")
        await expect(chips).to_have_count(0)
        await page.go_back()

        proposal = page.get_by_role("link", name="Raadsvoorstel Parkeren rond Raadhuisplein").first
        await proposal.click()
        await expect(page.get_by_role("heading", level=1)).to_contain_text("Parkeren rond Raadhuisplein")
        await page.get_by_label("Zoek in dit stuk").fill("parkeren")
        await page.get_by_role("button", name="Zoek", exact=True).click()
        found = page.get_by_role("region", name="Gevonden in dit stuk")
        await expect(found).to_contain_text("keer gevonden")
        await found.get_by_role("listitem").first.get_by_role("link").click()
        await expect(page.locator(":target mark").first).to_be_in_viewport()

        citation = page.get_by_role("region", name="Zo verwijst u naar dit stuk")
        words = await citation.locator(".verwijzing").inner_text()
        assert "Gemeente Ede" in words
        await citation.get_by_role("button", name="Kopieer: Verwijzing", exact=True).click()
        await expect(citation.get_by_role("status").first).to_have_text("Gekopieerd.")
        assert await page.evaluate("navigator.clipboard.readText()") == words


async def test_a_journalist_narrows_the_period_pages_on_and_takes_tables_and_a_feed_along(page: Page) -> None:
    """Eis P1."""
    await page.goto("/")
    await page.get_by_text("Kies organisatie, soort, periode of bron").click()
    await page.get_by_label("Van", exact=True).fill("2020-01-01")
    await page.get_by_label("Volgorde").select_option("nieuwste")
    for source in ("OpenBesluitvorming", "Officiële Bekendmakingen"):
        await page.get_by_role("checkbox", name=source).check()
    await ask(page, "subsidie")
    regions = page.locator("section[data-staat=klaar]")
    await expect(regions).to_have_count(2)
    days = await regions.locator("time").evaluate_all("all => all.map(one => one.dateTime)")
    assert days
    assert all(day >= "2020" for day in days)

    first = page.get_by_role("region", name="OpenBesluitvorming", exact=True)
    before = await first.get_by_role("heading", level=3).all_inner_texts()
    await page.get_by_role("link", name="Meer van OpenBesluitvorming").click()
    await expect(page.get_by_role("heading", level=2).first).to_contain_text("pagina 2")
    after = await first.get_by_role("heading", level=3).all_inner_texts()
    assert after
    assert not set(before) & set(after)
    await page.get_by_role("link", name="Vorige pagina van OpenBesluitvorming").click()
    await expect(page.get_by_role("link", name="Vorige pagina")).to_have_count(0)

    kept = page.get_by_role("navigation", name="Deze zoekopdracht bewaren")
    table = await _taken(page, await kept.get_by_role("link", name="CSV").get_attribute("href"))
    rows = list(csv.DictReader(io.StringIO(table.removeprefix("\ufeff")), delimiter=";"))
    assert set(before) <= {cell for row in rows for cell in row.values()}
    ris = await _taken(page, await kept.get_by_role("link", name="RIS").get_attribute("href"))
    assert ris.count("TY  - ") == ris.count("ER  -") > 0
    feed = etree.fromstring(
        (await _taken(page, await kept.get_by_role("link", name="Atom").get_attribute("href"))).encode()
    )
    assert feed.findall("{http://www.w3.org/2005/Atom}entry")


async def _taken(page: Page, address: str | None) -> str:
    """The file behind a link, as the browser gets it."""
    answer = await page.request.get(str(address))
    assert answer.ok
    return await answer.text()


@pytest.mark.lang
async def test_a_journalist_downloads_a_table_with_a_click(page: Page, tmp_path: Path) -> None:
    await page.goto("/zoeken?vraag=subsidie&platform=openbesluitvorming")
    async with page.expect_download() as download:
        await page.get_by_role("link", name="CSV").click()
    file = await download.value
    assert file.suggested_filename.endswith(".csv")
    await file.save_as(tmp_path / "tabel.csv")
    assert "subsidie" in (tmp_path / "tabel.csv").read_text("utf-8-sig").lower()


@pytest.mark.lang
async def test_a_journalist_sees_where_two_sources_have_the_same_paper_and_what_they_say_otherwise(page: Page) -> None:
    await page.goto("/zoeken?vraag=parkeren+in+Ede&platform=openbesluitvorming&platform=open-raadsinformatie")
    both = page.get_by_role("link", name="ook bij")
    await expect(both.first).to_be_visible()
    await both.first.click()
    copy = page.locator("li:target")
    await expect(copy).to_be_visible()
    await expect(copy).to_contain_text("Hetzelfde stuk: bij ")

    await page.goto("/document/open-raadsinformatie/ori_weesp:1122811")
    await page.get_by_role("link", name="Kijk of het daar ook staat").click()
    elsewhere = page.get_by_role("region", name="Dit stuk bij andere bronnen")
    await expect(elsewhere.get_by_role("listitem").first).to_contain_text("Subsidie dorpshuis Bloemenwijk")
    await elsewhere.get_by_role("listitem").first.get_by_role("link").first.click()
    await expect(page).to_have_url("/document/openbesluitvorming/document:notubiz:gemeente:weesp:2900198")


async def test_a_griffier_sees_how_fresh_the_own_body_is_and_where_people_who_miss_a_paper_are_sent(
    visit: Visit, product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Field reports 16, 17, 18 and 21. Eis P1."""
    loaded(monkeypatch)
    async with visit() as page:
        await page.goto("/")
        await page.get_by_role("link", name="Stand van de bronnen").click()
        await expect(page.get_by_role("region", name="Dit vraagt aandacht")).to_contain_text(
            "leverancier ibabs leverde"
        )
        await (
            page.get_by_role("navigation", name="Bronnen op deze pagina")
            .get_by_role("link", name="OpenBesluitvorming")
            .click()
        )
        source = page.get_by_role("region", name="OpenBesluitvorming", exact=True)
        await source.get_by_text("organisaties van OpenBesluitvorming").click()
        row = source.get_by_role("row", name="Soest")
        await expect(row.last).to_be_visible()
        await expect(row.last).to_contain_text("1.234")

        await page.goto("/zoeken?vraag=xyzzyplugh&organisatie=gemeente-soest&platform=openbesluitvorming")
        await expect(page.get_by_text("laadde stukken van Gemeente Soest voor het laatst op")).to_be_visible()
        nothing = page.locator("section.niets")
        await expect(nothing).to_contain_text("Hier is echt gezocht: OpenBesluitvorming.")
        await expect(page.get_by_text("Vraag ernaar bij de griffie van Gemeente Soest")).to_be_visible()


async def test_a_lawyer_comes_with_a_number_to_the_ruling_and_leaves_with_the_citation_in_every_form(
    page: Page,
) -> None:
    """Field report 30. Eis Z16."""
    await page.goto("/zoeken?vraag=vergunning&platform=rechtspraak")
    link = await page.locator("ol.treffers h3 a").first.get_attribute("href")
    ecli = str(link).rpartition("/")[2]

    await page.goto("/")
    box = page.get_by_label("Wat zoekt u?")
    await box.fill(ecli.lower().replace(":", " "))
    await box.press("Enter")
    await expect(page).to_have_url(str(link))
    await expect(page.locator(".verwijzing")).to_contain_text(ecli)
    await page.get_by_text("Voor programma’s: Markdown, BibTeX, RIS en CSL-JSON").click()
    for form, sign in (("Markdown", "]("), ("BibTeX", "@"), ("RIS", "TY  - CASE"), ("CSL-JSON", '"legal_case"')):
        text = page.get_by_label(f"Verwijzing als {form}", exact=True)
        await expect(text).to_be_visible()
        await expect(text).to_contain_text(sign)
        await expect(text).to_contain_text(ecli)
    await expect(page.get_by_text("Geraadpleegd op").first).to_be_visible()


@pytest.mark.lang
async def test_a_lawyer_comes_with_the_number_of_a_publication_to_that_publication(page: Page) -> None:
    """Eis P1."""
    await page.goto("/")
    box = page.get_by_label("Wat zoekt u?")
    await box.fill("GMB 2014 9900001")
    await box.press("Enter")
    await expect(page).to_have_url("/document/officiele-bekendmakingen/gmb-2014-9900001")
    await expect(page.locator(".verwijzing")).to_contain_text("Gemeenteblad 2014, 9900001, ")


async def test_who_found_nothing_goes_to_the_years_of_the_sources_which_open_for_him(
    visit: Visit, product: Product
) -> None:
    """Field report 18."""
    async with visit() as page:
        await page.goto("/zoeken?vraag=xyzzyplugh&organisatie=gemeente-soest&platform=openbesluitvorming")
        years = page.locator("#jaren")
        await expect(years).to_be_hidden()
        await page.get_by_role("link", name="Welke jaren de bronnen hebben").click()
        await expect(years).to_be_visible()
        await expect(years).to_contain_text("OpenBesluitvorming")


@pytest.mark.lang
async def test_the_address_after_the_form_says_what_was_chosen_and_nothing_that_was_left_empty(page: Page) -> None:
    await page.goto("/zoeken?vraag=x&organisatie=gemeente-ede&organisatie=gemeente-soest&platform=opentk")
    await page.get_by_label("Wat zoekt u?").fill("parkeren")
    await page.get_by_role("button", name="Zoeken").click()
    await expect(page).to_have_url(
        "/zoeken?vraag=parkeren&organisatie=gemeente-ede&organisatie=gemeente-soest&platform=opentk"
    )
