"""Who chose few colours of their own, and who reads from paper."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.scenes import VOTED
from tests.support.browsing import faults, focus_out_of_sight

pytestmark = [pytest.mark.anyio, pytest.mark.lang]
PAINTED = "one => getComputedStyle(one).fill"
PAINTED_GROUND = "one => getComputedStyle(one).backgroundColor"
PAPER = "getComputedStyle(document.body).backgroundColor"


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_with_forced_colours_the_picture_of_a_vote_and_the_keyboard_can_be_seen(
    visit: Visit, scheme: str
) -> None:
    async with visit(forced_colors="active", color_scheme=scheme) as page:
        await page.goto(VOTED)
        assert await page.evaluate("matchMedia('(forced-colors: active)').matches")
        assert await page.locator("rect.voor").first.evaluate(PAINTED) != await page.evaluate(PAPER)
        await page.get_by_label("Zoek in dit stuk").focus()
        assert await focus_out_of_sight(page) == ""
        # What colour the browser then paints a text in, it does not always tell: contrast is its own work here.
        assert [one for one in await faults(page) if not one.startswith("color-contrast")] == []


async def test_on_paper_stands_where_it_is_from_and_nothing_to_click(page: Page) -> None:
    await page.goto("/zoeken?vraag=subsidie&platform=rechtspraak")
    await page.emulate_media(media="print")
    await expect(page.locator("form.zoek")).to_be_hidden()
    await expect(page.get_by_role("navigation")).to_have_count(1)  # the filters, of which none can be taken away
    for to_click in (page.get_by_role("button"), page.locator(".rapport-vraag"), page.get_by_text("Alles wissen")):
        await expect(to_click.locator("visible=true")).to_have_count(0)
    await expect(page.locator(".afdruk")).to_contain_text("/zoeken?vraag=subsidie&platform=rechtspraak. Gelezen op")
    shown = await page.locator(".herkomst a").first.evaluate("one => getComputedStyle(one, '::after').content")
    assert "http" in shown or "attr(href)" in shown


async def test_on_paper_nothing_is_missing_that_says_what_the_answers_are(page: Page) -> None:
    """The filters, how the question was read, that it is a trial, and the hits that are folded on the screen."""
    await page.goto("/zoeken?vraag=subsidie+in+Ede")
    copies, banner = page.locator(".dubbel .treffers > li"), page.locator(".banner")
    assert await copies.count() > 0
    for copy in await copies.all():
        await expect(copy).to_be_hidden()
    await page.emulate_media(media="print")
    for copy in await copies.all():
        await expect(copy).to_be_visible()
        assert (await copy.bounding_box() or {"height": 0})["height"] > 0
    await expect(page.locator(".filters")).to_contain_text("Gemeente Ede")
    for said in (banner, page.locator(".filters li").first, page.locator(".aanbod").first):
        await expect(said).to_be_visible()
    assert await banner.evaluate(PAINTED_GROUND) == "rgb(255, 255, 255)"
