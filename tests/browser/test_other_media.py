"""Who chose few colours of their own, and who reads from paper."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.scenes import VOTED
from tests.support.browsing import faults, focus_out_of_sight

pytestmark = [pytest.mark.anyio, pytest.mark.lang]
PAINTED = "one => getComputedStyle(one).fill"
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
    await expect(page.get_by_role("navigation")).to_have_count(0)
    await expect(page.locator(".afdruk")).to_contain_text("/zoeken?vraag=subsidie&platform=rechtspraak. Gelezen op")
    shown = await page.locator(".herkomst a").first.evaluate("one => getComputedStyle(one, '::after').content")
    assert "http" in shown or "attr(href)" in shown
