"""Reports for a person at a browser: asked for with the keyboard, waited for with and without scripts, read, printed."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest
from playwright.async_api import Page, expect

from reports.records import ReportStatus
from tests.browser.conftest import Visit
from tests.product.conftest import Product
from tests.support.browsing import faults, focus_out_of_sight, has_focus, tab_to
from tests.support.reports import DESKS, TOKEN, a_standing, ready

pytestmark = pytest.mark.anyio
PAGE: Final = f"/rapporten/{TOKEN}"
SEARCH: Final = "/zoeken?vraag=warmtenet&platform=rechtspraak"


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """The script looks every second, the browser without it too."""
    monkeypatch.setattr("reports.views.SCRIPT_SECONDS", 1)
    monkeypatch.setattr("reports.views.SECONDS", 1)


async def test_a_report_is_asked_for_and_cancelled_with_the_keyboard_alone(product: Product, page: Page) -> None:
    await page.goto(SEARCH)
    await page.locator(".uitvoer a").last.focus()
    await tab_to(page, page.get_by_role("button", name="Maak een rapport van deze zoekvraag"), 3)
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Uw rapport wacht op zijn beurt")
    assert page.url.endswith(PAGE)
    await tab_to(page, page.get_by_role("button", name="Annuleer dit rapport"))
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Het rapport is geannuleerd")
    assert DESKS[-1].cancelled == [TOKEN]


@pytest.mark.usefixtures("often")
async def test_a_page_that_waits_follows_how_it_stands_and_becomes_the_report(product: Product, page: Page) -> None:
    """Rule L5: kept up to date."""
    desk = DESKS[-1]
    desk.put(a_standing(place=2))
    await page.goto(PAGE)
    status = page.get_by_role("status")
    await expect(status).to_contain_text("U bent nummer 2 in de rij.")
    cancel = page.get_by_role("button", name="Annuleer dit rapport")
    await cancel.focus()
    desk.put(a_standing(ReportStatus.BUSY, done=3, size=10))
    await expect(status).to_have_text("Klaar: 3 van de 10 delen.")
    await expect(page.get_by_role("heading", level=1)).to_have_text("We maken uw rapport")
    await expect(page).to_have_title("We maken uw rapport – BesluitBron")
    assert await has_focus(cancel)
    bar = page.get_by_role("progressbar", name="Hoe ver het rapport is")
    await expect(bar).to_have_js_property("value", 3)
    desk.put(a_standing(ReportStatus.BUSY, done=9, size=10))
    await expect(bar).to_have_js_property("value", 9)
    desk.put(a_standing(ReportStatus.UNMANNED, done=9, size=10))
    await expect(bar).to_have_count(0)
    desk.put(a_standing(ReportStatus.BUSY, done=9, size=10))
    await expect(bar).to_have_js_property("value", 9)
    desk.put(*ready())
    await expect(page.get_by_role("heading", level=1)).to_have_text("Rapport: warmtenet")


async def test_a_reader_can_stop_the_page_from_changing_and_let_it_go_on(product: Product, page: Page) -> None:
    """WCAG 2.2.2."""
    desk = DESKS[-1]
    desk.put(a_standing(place=2))
    await page.clock.install()
    await page.goto(PAGE)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    await page.get_by_role("button", name="Niet meer vanzelf bijwerken").click()
    await expect(page.locator(".zonder-script")).to_contain_text("Deze pagina werkt zichzelf niet meer bij.")
    asked.clear()
    desk.put(a_standing(place=1))
    await page.clock.run_for(120_000)
    assert asked == []
    await page.get_by_role("button", name="Weer vanzelf bijwerken").click()
    await page.clock.run_for(10_000)
    await expect(page.get_by_role("status")).to_contain_text("U bent nummer 1 in de rij.")


@pytest.mark.usefixtures("often")
async def test_a_fault_in_between_does_not_end_the_waiting(product: Product, page: Page) -> None:
    desk = DESKS[-1]
    desk.put(a_standing(place=2))
    await page.goto(PAGE)
    desk.closed = True
    async with page.expect_response(lambda answer: answer.status == 503):
        pass
    await expect(page.get_by_role("status")).to_contain_text("U bent nummer 2 in de rij.")
    desk.closed = False
    desk.put(a_standing(place=1))
    await expect(page.get_by_role("status")).to_contain_text("U bent nummer 1 in de rij.")


@pytest.mark.usefixtures("often")
async def test_without_scripts_everything_goes_with_forms_and_links(product: Product, visit: Visit) -> None:
    """Eis 6.1."""
    desk = DESKS[-1]
    async with visit(java_script_enabled=False) as page:
        await page.goto(SEARCH)
        await page.get_by_role("button", name="Maak een rapport van deze zoekvraag").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Uw rapport wacht op zijn beurt")
        desk.put(replace(desk.standings[TOKEN], place=1))
        await page.get_by_role("link", name="Ververs deze pagina").click()
        await expect(page.get_by_role("status")).to_contain_text("U bent nummer 1 in de rij.")
        await page.get_by_role("link", name="Laat deze pagina zichzelf elke 1 seconden verversen").click()
        desk.put(a_standing(ReportStatus.BUSY, done=1, size=4))
        await expect(page.get_by_role("status")).to_have_text("Klaar: 1 van de 4 delen.")
        await page.get_by_role("link", name="Stop met verversen").click()
        await expect(page).to_have_url(PAGE)
        desk.put(*ready())
        await page.get_by_role("link", name="Ververs deze pagina").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Rapport: warmtenet")


async def test_on_paper_the_report_is_whole_and_its_address_stays_secret(product: Product, page: Page) -> None:
    DESKS[-1].put(*ready())
    await page.goto(PAGE)
    await page.emulate_media(media="print")
    await expect(page.get_by_role("navigation")).to_have_count(0)
    await expect(page.get_by_role("cell", name="20").first).to_be_visible()
    printed = await page.locator("body").inner_text()
    assert TOKEN not in printed
    assert "Deze zoekvraag: http://localhost:8000/zoeken?vraag=warmtenet" in printed
    for table in await page.locator("details table").all():
        assert await table.evaluate("one => one.getBoundingClientRect().height") > 0


@pytest.mark.lang
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_with_forced_colours_bars_and_buttons_can_be_seen(product: Product, visit: Visit, scheme: str) -> None:
    DESKS[-1].put(*ready())
    async with visit(forced_colors="active", color_scheme=scheme) as page:
        await page.goto(PAGE)
        paper = await page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert await page.locator(".balken rect.voor").first.evaluate("one => getComputedStyle(one).fill") != paper
        await page.locator(".inhoudsopgave a").first.focus()
        assert await focus_out_of_sight(page) == ""
        assert [one for one in await faults(page) if not one.startswith("color-contrast")] == []
