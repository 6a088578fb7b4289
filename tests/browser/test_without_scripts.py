"""Who switched scripts off, or whose browser could not load them, does the same and misses nothing but comfort."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Visit
from tests.product.conftest import Product
from tests.product.test_document_waits import full_queues

pytestmark = pytest.mark.anyio


@pytest.fixture
async def plain(visit: Visit) -> AsyncIterator[Page]:
    """A window in which no script runs."""
    async with AsyncExitStack() as windows:
        yield await windows.enter_async_context(visit(java_script_enabled=False))


@pytest.mark.lang
async def test_a_citizen_asks_undoes_a_body_reads_and_finds_a_passage(plain: Page) -> None:
    """Eis V1."""
    await plain.goto("/")
    box = plain.get_by_label("Wat zoekt u?")
    await box.fill("parkeren in Ede")
    await box.press("Enter")
    await expect(plain.get_by_role("link", name="Haal weg: organisatie: Gemeente Ede")).to_be_visible()
    await plain.get_by_role("link", name="als gewone woorden").click()
    await expect(plain.get_by_label("Wat zoekt u?")).to_have_value("parkeren in Ede")
    await plain.go_back()
    await plain.get_by_role("link", name="Raadsvoorstel Parkeren rond Raadhuisplein").first.click()
    find = plain.get_by_label("Zoek in dit stuk")
    await expect(find).to_have_accessible_description(
        re.compile("aanhalingstekens zoekt u woorden die naast elkaar staan")
    )
    await find.fill("parkeren")
    await plain.get_by_role("button", name="Zoek", exact=True).click()
    await expect(plain.get_by_role("heading", name="Gevonden in dit stuk")).to_be_in_viewport()
    found = plain.get_by_role("region", name="Gevonden in dit stuk")
    await found.get_by_role("listitem").first.get_by_role("link").click()
    await expect(plain.locator(":target mark").first).to_be_in_viewport()
    await expect(plain.locator(".verwijzing")).to_contain_text("Gemeente Ede")
    await expect(plain.get_by_role("button", name="Kopieer")).to_have_count(0)


@pytest.mark.lang
async def test_filters_pages_and_files_are_plain_forms_and_links(plain: Page) -> None:
    """Eis 6.1. Eis P2."""
    await plain.goto("/")
    await plain.get_by_text("Kies organisatie, soort, periode of bron").click()
    await plain.get_by_role("checkbox", name="OpenBesluitvorming").check()
    await plain.get_by_label("Van", exact=True).fill("2020-01-01")
    await plain.get_by_label("Wat zoekt u?").fill("subsidie")
    await plain.get_by_role("button", name="Zoeken").click()
    await expect(plain.locator("section.bron")).to_have_count(1)
    assert "organisatie=&" in plain.url, "no browser leaves out by itself what is empty"
    (short,) = [await one.get_attribute("href") or "" for one in await plain.locator("link[rel=canonical]").all()]
    assert short.endswith("/zoeken?vraag=subsidie&platform=openbesluitvorming&van=2020-01-01")
    await plain.get_by_role("link", name="Meer van OpenBesluitvorming").click()
    await expect(plain.get_by_role("heading", level=2).first).to_contain_text("pagina 2")
    async with plain.expect_download() as download:
        await plain.get_by_role("link", name="CSV").click()
    assert (await download.value).suggested_filename.endswith(".csv")


async def test_with_one_source_dead_the_others_answer_and_the_dead_one_says_so(plain: Page, product: Product) -> None:
    """Eis 6.1. Eis P2."""
    await product.put("openbesluitvorming", "dood")
    await plain.goto("/zoeken?vraag=subsidie&platform=openbesluitvorming&platform=rechtspraak")
    dead = plain.get_by_role("region", name="OpenBesluitvorming", exact=True)
    await expect(dead).to_contain_text("niet bereikbaar")
    await expect(
        plain.get_by_role("region", name="Rechtspraak", exact=True).get_by_role("heading", level=3).first
    ).to_be_visible()
    await product.put("openbesluitvorming", "goed")
    await dead.get_by_role("link", name="Vraag alleen OpenBesluitvorming opnieuw").click()
    await expect(plain).to_have_url("/zoeken?vraag=subsidie&platform=openbesluitvorming")


async def test_a_source_that_waits_says_so_in_the_open_page_and_gives_way_to_its_answer(
    plain: Page, product: Product
) -> None:
    """The page stays open; the style sheet hides that the source waited once its answer is there. Eis 6.1."""
    sections = plain.locator("section[data-bron=opentk]")
    async with full_queues() as queues:
        await plain.goto("/zoeken?vraag=klimaat&platform=opentk&platform=rechtspraak", wait_until="commit")
        waiting = plain.locator("section[data-bron=opentk][data-staat=gepland]")
        await expect(waiting).to_be_visible()
        await expect(waiting).to_contain_text("wacht op een vrije plek")
        await expect(plain.locator("section[data-bron=rechtspraak]")).to_be_visible()
        await queues.free()
        await expect(sections).to_have_count(2)
    await expect(waiting).to_be_hidden()
    await expect(sections.last).to_have_attribute("data-staat", "klaar")
    await expect(sections.last).to_be_visible()
    await expect(plain.get_by_role("status")).to_contain_text("2 van 2")


@pytest.mark.lang
async def test_a_document_that_waits_comes_in_the_same_page(plain: Page, product: Product) -> None:
    await plain.goto("/zoeken?vraag=subsidie&platform=opentk")
    address = await plain.locator("ol.treffers h3 a").first.get_attribute("href")
    async with full_queues() as queues:
        await plain.goto(str(address), wait_until="commit")
        waiting = plain.locator("p.wacht").first
        await expect(waiting).to_be_visible()
        await queues.free()
        await expect(plain.locator("article.stuk")).to_be_visible()
    await expect(waiting).to_be_hidden()


async def test_what_was_read_from_one_question_does_not_stick_to_the_next(visit: Visit) -> None:
    """What a reader ticked stays, and what his next question names beside it is said. With and without scripts."""
    for scripts in (False, True):
        async with visit(java_script_enabled=scripts) as page:
            chips = page.get_by_role("navigation", name="Gekozen filters")
            await page.goto("/")
            await _ask(page, "warmtenet ede")
            await expect(chips).to_contain_text("organisatie: Gemeente Ede")
            await _ask(page, "moties over snelfietsroute rotterdam in 2022")
            await expect(chips).to_contain_text("organisatie: Gemeente Rotterdam")
            await expect(chips).not_to_contain_text("Gemeente Ede")
            await _ask(page, "windmolens ede")
            await expect(chips).to_contain_text("organisatie: Gemeente Ede")
            await expect(chips).not_to_contain_text("soort")
            await expect(chips).not_to_contain_text("vanaf")

            await page.get_by_text("Kies organisatie, soort, periode of bron").click()
            await page.get_by_role("checkbox", name="besluit", exact=True).check()
            await _ask(page, "moties over stikstof")
            await expect(chips).to_contain_text("soort: besluit")
            await expect(page.get_by_text("U noemt de soort motie, maar koos besluit.")).to_be_visible()
            await page.get_by_role("link", name="Zoek in motie").click()
            await expect(chips).to_contain_text("soort: motie")
            await expect(chips).not_to_contain_text("besluit")


async def _ask(page: Page, question: str) -> None:
    """Change the question in the box and press Enter."""
    box = page.get_by_label("Wat zoekt u?")
    await box.fill(question)
    await box.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_contain_text(question)
