"""Every state of a report for everybody: on a narrow window, light and dark, in both languages, without scripts, on paper."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

import pytest
from playwright.async_api import Page

from connectors.platforms import TWEEDE_KAMER
from reports.records import Cut, CutReason, Report, ReportStatus, Standing
from tests.browser.conftest import Visit
from tests.product.conftest import Product
from tests.product.test_reports_page import STATES
from tests.support.browsing import faults, focus_out_of_sight, too_wide
from tests.support.reports import DESKS, TOKEN, VOTES, a_hit, a_reading, a_report, a_standing, ready

pytestmark = pytest.mark.anyio
PAGE: Final = f"/rapporten/{TOKEN}"
NARROW: Final = {"width": 320, "height": 700}
_NUMBERED: Final = """
document.querySelectorAll("main :is(a[href], button, summary, [tabindex='0'])").forEach((one, at) => (one.dataset.nr = at))
"""
LONG: Final = "W" * 10_000
HOSTILE: Final = (
    "<script>alert(1)</script><img src=x onerror=alert(1)></li></ul>",
    "\u202egnilletsroov\u202c 123 \u2067אבג\u2069",
    '=HYPERLINK("https://kwaad.example";"klik")',
    LONG,
    "een heel lang woord: " + "raadsinformatiebrief" * 40,
    "\u0000\u0007 \ufeff leeg",
)


def hostile() -> Report:
    """Whatever a source might write, in every place where it writes."""
    hits = [
        a_hit(
            *(number, TWEEDE_KAMER, text[:300]),
            title=text,
            snippet=text,
            kind_at_source=text,
            address=f"https://bron.example/{number}/" + "x" * 400,
        )
        for number, text in enumerate(HOSTILE)
    ]
    readings = [
        replace(
            a_reading(hit, votes=replace(VOTES, literal=text)),
            excerpts=tuple(replace(one, text=text, heading=text) for one in a_reading(hit).excerpts),
        )
        for hit, text in zip(hits, HOSTILE, strict=True)
    ]
    cuts = [Cut("rechtspraak", CutReason.FAILED, (text[:2_000],)) for text in HOSTILE]
    return a_report(hits, readings, target="vraag=" + "warmtenet" * 50, cuts=tuple(cuts))


def standing(status: ReportStatus) -> tuple[Standing, Report | None]:
    if status is ReportStatus.READY:
        return ready()
    return a_standing(status, **STATES[status]), None


async def held_against(page: Page) -> list[str]:
    return [*await too_wide(page), *await faults(page)]


@pytest.mark.parametrize("status", ReportStatus)
async def test_every_state_fits_a_narrow_window_in_light_and_dark_and_in_both_languages(
    product: Product, visit: Visit, status: ReportStatus
) -> None:
    """WCAG 1.4.10 and 1.4.3."""
    DESKS[-1].put(*standing(status))
    ways: Iterable[tuple[str, dict[str, Any]]] = (
        ("", {"color_scheme": "light"}),
        ("/en", {"color_scheme": "dark"}),
        ("", {"color_scheme": "dark", "java_script_enabled": False}),
    )
    for prefix, wishes in ways:
        async with visit(viewport=NARROW, **wishes) as page:
            await page.goto(f"{prefix}{PAGE}")
            scripts = wishes.get("java_script_enabled", True)
            assert (await held_against(page) if scripts else await too_wide(page)) == []


@pytest.mark.parametrize("status", ReportStatus)
async def test_everything_in_every_state_is_reached_with_the_keyboard_and_seen_to_be(
    product: Product, visit: Visit, status: ReportStatus
) -> None:
    DESKS[-1].put(*standing(status))
    async with visit(viewport=NARROW) as page:
        await page.goto(PAGE)
        wanted = await page.locator("main :is(a[href], button, summary, [tabindex='0']):visible").count()
        reached: set[str] = set()
        await page.evaluate(_NUMBERED)
        for _ in range(wanted + 40):
            if len(reached) >= wanted:
                break
            await page.keyboard.press("Tab")
            assert await focus_out_of_sight(page) == ""
            if number := await page.evaluate("document.activeElement.dataset.nr"):
                reached.add(number)
        assert len(reached) >= wanted


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_whatever_a_source_writes_stays_inside_its_place(product: Product, visit: Visit, scheme: str) -> None:
    """Eis 6.12."""
    DESKS[-1].put(*ready(hostile()))
    async with visit(viewport=NARROW, color_scheme=scheme) as page:
        said: list[str] = []
        page.on("dialog", lambda dialog: said.append(dialog.message))
        await page.goto(PAGE)
        assert await held_against(page) == []
        assert said == []
        assert max(map(len, await page.locator("main :is(h2, h4)").all_inner_texts())) < 400
        assert await page.locator("main img, main script").count() == 0


async def test_on_paper_every_state_is_plain_and_nothing_runs_off_it(product: Product, visit: Visit) -> None:
    for status in ReportStatus:
        DESKS[-1].put(*standing(status))
        async with visit(viewport={"width": 794, "height": 1123}, color_scheme="dark") as page:
            await page.goto(PAGE)
            await page.emulate_media(media="print")
            assert await too_wide(page) == []
            assert await page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
            words = await page.locator("body").inner_text()
            assert TOKEN not in words
            assert await page.locator("button:visible").count() == 0
    DESKS[-1].put(*ready(hostile()))
    async with visit(viewport={"width": 794, "height": 1123}) as page:
        await page.goto(PAGE)
        await page.emulate_media(media="print")
        assert await too_wide(page) == []


async def test_a_chart_says_the_same_without_colour_in_its_picture_and_its_table(
    product: Product, visit: Visit
) -> None:
    DESKS[-1].put(*ready(a_report(target="vraag=xyzzyq")))
    for scheme in ("light", "dark"):
        async with visit(color_scheme=scheme) as page:
            await page.goto(f"/en{PAGE}")
            for figure in await page.locator("figure.balken").all():
                bars = await figure.locator("rect.voor").evaluate_all(
                    "all => all.map(one => getComputedStyle(one).fill)"
                )
                assert len(set(bars)) == 1
                paper = await page.evaluate("getComputedStyle(document.body).backgroundColor")
                assert bars[0] != paper
            assert await page.locator("figure.balken").count() == 2
