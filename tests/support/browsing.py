"""A person with a real browser: Debian's Chromium, driven over the product's own pages, that hears what goes wrong in it."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, ConsoleMessage, Locator, Page, Request, async_playwright

from tests.support.serving import BOUND

PATIENCE: Final = BOUND * 3
"""The most seconds that a browser is waited for: it needs more than one process."""
SWITCHES: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
STANDARDS: Final = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
"""The rules of axe that count: WCAG 2.2 A and AA, and what its makers hold to be good practice."""
NARROW: Final = {"width": 320, "height": 640}
"""What WCAG 1.4.10 asks a page to fit in."""
_OPEN_EVERYTHING: Final = "document.querySelectorAll('details').forEach(one => { one.open = true })"
_TOO_WIDE: Final = """() => [...document.querySelectorAll('body *')]
  .filter(one => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('.tabel, pre, .lezer, .skip'))
  .map(one => one.outerHTML.slice(0, 120))"""


def chromium() -> str:
    """Where Chromium is; the test is skipped without it, and fails where nothing may be skipped."""
    found = shutil.which("chromium")
    if found is None:
        missing = "Chromium is er niet (op Debian: apt install chromium)"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    return found


@asynccontextmanager
async def a_browser(path: str) -> AsyncIterator[Browser]:
    """A browser that reaches loopback alone, with a profile of its own that goes when it closes."""
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(executable_path=path, headless=True, args=SWITCHES)
        try:
            yield started
        finally:
            await started.close()


@asynccontextmanager
async def a_reader(browser: Browser, site: str, **wishes: Any) -> AsyncIterator[Page]:
    """One person's window on ``site``; ``wishes`` are Playwright's, such as ``color_scheme``.

    When it closes: nothing was asked of another site, no script failed, nothing was refused by the page's own policy, and
    no cookie or other memory was left behind.
    """
    usual = {"locale": "nl-NL", "timezone_id": "Europe/Amsterdam", "reduced_motion": "reduce"}
    context = await browser.new_context(base_url=site, **(usual | wishes))
    context.set_default_timeout(PATIENCE * 1000)
    page = await context.new_page()
    complaints: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        # The browser also calls it an error when a page comes with 404, or when it closes a stream that it leaves.
        if message.type in {"error", "warning"} and not message.text.startswith("Failed to load resource"):
            complaints.append(message.text)

    def asked(request: Request) -> None:
        if not request.url.startswith((f"{site}/", "data:")):
            complaints.append(request.url)

    page.on("console", heard)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", asked)
    try:
        yield page
        assert complaints == []
        assert await context.cookies() == []
        if page.url.startswith(site) and wishes.get("java_script_enabled", True):
            assert await page.evaluate("localStorage.length + sessionStorage.length") == 0
    finally:
        await context.close()


async def faults(page: Page) -> list[str]:
    """What axe holds against the page, with everything on it unfolded."""
    await page.evaluate(_OPEN_EVERYTHING)
    options = {"resultTypes": ["violations"], "runOnly": {"type": "tag", "values": list(STANDARDS)}}
    found = await Axe().run(page, options=options)
    return [
        f"{one['id']}: {node['target']} {node['failureSummary']}"
        for one in found.response["violations"]
        for node in one["nodes"]
    ]


async def too_wide(page: Page) -> list[str]:
    """What sticks out of the window, when the page has to be scrolled sideways."""
    await page.evaluate(_OPEN_EVERYTHING)
    width = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return [] if width <= 0 else [f"{width} px", *await page.evaluate(_TOO_WIDE)]


async def has_focus(locator: Locator) -> bool:
    """Whether the keyboard is at this element."""
    there: bool = await locator.evaluate("one => one === document.activeElement")
    return there


async def tab_to(page: Page, locator: Locator, most: int = 60) -> None:
    """Go on with the keyboard until ``locator`` has it, and see at each step where it is."""
    for _ in range(most):
        await page.keyboard.press("Tab")
        hidden = await focus_out_of_sight(page)
        assert not hidden, hidden
        if await has_focus(locator):
            return
    pytest.fail(f"{locator} is not reached with {most} times Tab")


async def focus_out_of_sight(page: Page) -> str:
    """What has the keyboard without being in sight or without a line around it (WCAG 2.4.7, 2.4.11); empty when all is well."""
    hidden: str = await page.evaluate(
        """() => {
          const one = document.activeElement, box = one.getBoundingClientRect(), style = getComputedStyle(one);
          const line = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
          const there = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
          const name = `${one.outerHTML.slice(0, 100)} ${box.top}-${box.bottom} of ${innerHeight}, ${style.outline}`;
          return one !== document.body && line && there ? '' : name;
        }"""
    )
    return hidden
