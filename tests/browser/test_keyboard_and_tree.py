"""Who has no mouse, and who hears the page instead of seeing it."""

from __future__ import annotations

import itertools
import re

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Late
from tests.browser.scenes import VOTED
from tests.support.browsing import focus_out_of_sight, has_focus, tab_to

pytestmark = pytest.mark.anyio
ROLES = "link|button|textbox|searchbox|combobox|checkbox|navigation|region|img|figure|table"
NAMED = re.compile(rf"^ *- '?(?:{ROLES}) \"[^\"]", re.MULTILINE)
UNNAMED = re.compile(rf"^ *- '?(?:{ROLES})(?: \[.*|:.*|)$", re.MULTILINE)
LEVELS = "all => all.filter(one => one.checkVisibility()).map(one => Number(one.tagName[1]))"


@pytest.mark.lang
async def test_the_whole_way_goes_with_the_keyboard_alone_and_where_it_is_can_always_be_seen(page: Page) -> None:
    """Eis P1."""
    await page.goto("/")
    await page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Naar de inhoud")
    assert await has_focus(skip)
    assert await focus_out_of_sight(page) == ""
    await page.keyboard.press("Enter")
    await expect(page).to_have_url("/#inhoud")

    await tab_to(page, page.get_by_label("Wat zoekt u?"))
    await page.keyboard.type("parkeren")
    await tab_to(page, page.locator("form.zoek summary"))
    await page.keyboard.press("Enter")
    await tab_to(page, page.get_by_label("Organisatie", exact=True))
    await page.keyboard.type("Gemeente Ede")
    await tab_to(page, page.get_by_label("Volgorde"))
    await page.keyboard.press("ArrowDown")
    await tab_to(page, page.get_by_role("checkbox", name="OpenBesluitvorming"))
    await page.keyboard.press("Space")
    await page.keyboard.press("Enter")

    await expect(page.get_by_role("heading", level=1)).to_contain_text("Antwoorden op parkeren")
    assert "sorteer=nieuwste" in page.url
    chips = page.get_by_role("navigation", name="Gekozen filters")
    await expect(chips.get_by_role("listitem")).to_have_count(4)
    await page.keyboard.press("Tab")
    await tab_to(page, page.get_by_role("link", name="Naar de antwoorden"))
    await page.keyboard.press("Enter")
    assert await has_focus(page.locator("#antwoorden"))
    hit = page.locator("ol.treffers h3 a").first
    await tab_to(page, hit, 3)
    await page.keyboard.press("Enter")

    await expect(page.locator("article.stuk")).to_be_visible()
    await tab_to(page, page.get_by_label("Zoek in dit stuk"))
    await page.keyboard.type("parkeren")
    await page.keyboard.press("Enter")
    heading = page.get_by_role("heading", name="Gevonden in dit stuk")
    await expect(heading).to_be_in_viewport()
    await expect(heading).to_be_focused()
    await page.get_by_role("navigation", name="Op deze pagina").get_by_role("link", name="Verwijzing").focus()
    await page.keyboard.press("Enter")
    await tab_to(page, page.locator("details.vormen summary"), 3)
    await page.keyboard.press("Enter")
    await expect(page.get_by_label("Verwijzing als BibTeX", exact=True)).to_be_visible()


@pytest.mark.lang
async def test_a_filter_is_taken_away_with_the_keyboard(page: Page) -> None:
    await page.goto("/zoeken?vraag=parkeren&organisatie=gemeente-ede&platform=openbesluitvorming")
    await tab_to(page, page.get_by_role("link", name="Haal weg: organisatie: Gemeente Ede"))
    await page.keyboard.press("Enter")
    await expect(page).to_have_url("/zoeken?vraag=parkeren&platform=openbesluitvorming")


async def test_the_keyboard_stays_where_it_is_while_a_late_source_comes(late: Late) -> None:
    """What came later replaces a section; whoever stands in one keeps the place until leaving it. Eis 6.9."""
    page, section = late.page, late.page.locator("section[data-bron=rechtspraak]")
    again = section.get_by_role("link", name="Vraag alleen Rechtspraak opnieuw")
    await again.focus()
    said = await page.get_by_role("status").inner_text()
    late.come()
    await expect(page.get_by_role("status")).not_to_have_text(said)
    assert await has_focus(again)
    await expect(section).to_have_attribute("data-staat", "te-laat")
    await page.keyboard.press("Tab")
    await expect(section).to_have_attribute("data-staat", "klaar")
    await expect(section.get_by_role("heading", level=3).first).to_be_visible()
    assert await focus_out_of_sight(page) == ""


@pytest.mark.parametrize(
    "address",
    [
        "/zoeken?vraag=subsidie+in+Ede",
        VOTED,
        *(
            pytest.param(one, marks=pytest.mark.lang)
            for one in ("/", "/status", "/aansluiten", "/vragenbank", "/privacy")
        ),
    ],
)
async def test_headings_landmarks_and_names_tell_the_whole_page_to_who_cannot_see_it(page: Page, address: str) -> None:
    """Eis P1."""
    await page.goto(address)
    await page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    levels = await page.locator("h1, h2, h3, h4, h5, h6").evaluate_all(LEVELS)
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later - earlier <= 1 for earlier, later in itertools.pairwise(levels))
    for landmark in ("banner", "main", "contentinfo"):
        await expect(page.get_by_role(landmark)).to_have_count(1)
    tree = await page.locator("body").aria_snapshot()
    assert UNNAMED.findall(tree) == []
    assert len(NAMED.findall(tree)) > 10
    assert 'link "Naar de inhoud"' in tree


async def test_the_sentence_about_the_whole_is_announced_and_the_list_of_results_is_not(late: Late) -> None:
    """What is said changes once the source came; what is in the list is there for who goes and looks. Eis 6.9."""
    status = late.page.get_by_role("status")
    await expect(status).to_have_count(1)
    before = await status.inner_text()
    late.come()
    await expect(late.page.locator("section[data-bron=rechtspraak]")).to_have_attribute("data-staat", "klaar")
    await expect(status).not_to_have_text(before)
    await expect(status).to_contain_text("resultaten")
    await expect(late.page.locator("section.bron [aria-live], section.bron [role=status], [role=log]")).to_have_count(0)
    await expect(late.page.locator("section.bron[aria-busy=true]")).to_have_count(0)
