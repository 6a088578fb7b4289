"""Take the pictures in ``docs/beeld``: ``python -m tests.browser.pictures``, on a machine with Chromium.

Each shows the bundled collection in the trial mode. Look at every picture before you keep it.
"""

from __future__ import annotations

import asyncio
import sys
from base64 import b64decode
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import tests.support.environment  # noqa: F401 - a data folder of its own, before the settings are read

# isort: split
import pytest
from django.conf import settings
from playwright.async_api import Browser, Page

from besluitbron.running.layout import PROJECT
from tests.browser.scenes import BY_NAME, staged
from tests.support.browsing import a_browser, a_reader, chromium
from tests.support.valkey import private_valkey

FOLDER: Final = PROJECT / "docs" / "beeld"
MOST_BYTES: Final = 120_000
_QUALITY: Final = 75
_LOOKS: Final = 20
_BETWEEN_LOOKS: Final = 300
_IN_SIGHT: Final = """one => {
  const { top } = one.getBoundingClientRect();
  return top >= -1 && (top < 60 || innerHeight + scrollY >= document.documentElement.scrollHeight - 2);
}"""
"""At the top of the window, or as far up as the page goes."""
_WIDE: Final = {"width": 1000, "height": 1150}
_NARROW: Final = {"width": 320, "height": 1000}


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture: of which scene, in which colours, and whether in a narrow window. ``at``: what has to be in sight."""

    scene: str
    name: str = ""
    dark: bool = False
    narrow: bool = False
    at: str = ""

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"{self.name or self.scene}{'-donker' if self.dark else ''}{'-smal' if self.narrow else ''}.webp"


PICTURES: Final = (
    Picture("voorpagina"),
    Picture("voorpagina", dark=True),
    Picture("voorpagina", narrow=True),
    Picture("antwoorden-met-dubbelen", "antwoorden"),
    Picture("antwoorden-met-dubbelen", "antwoorden", dark=True),
    Picture("antwoorden-met-dubbelen", "antwoorden", narrow=True),
    Picture("bron-wacht", at="section[data-staat=gepland]"),
    Picture("bron-wacht", narrow=True, at="section[data-staat=gepland]"),
    Picture("stuk-met-stemming", "stuk"),
    Picture("stuk-met-stemming", "stemming", at="#stemming"),
    Picture("stuk-met-stemming", "stemming", dark=True, at="#stemming"),
    Picture("stuk-met-stemming", "stemming", narrow=True, at="#stemming"),
    Picture("stuk-gevonden-woorden", "zoeken-in-een-stuk"),
    Picture("rapport-klaar", "rapport"),
    Picture("rapport-klaar", "rapport", dark=True),
    Picture("rapport-klaar", "rapport", narrow=True),
    Picture("rapport-wacht"),
    Picture("status"),
    Picture("status", dark=True),
    Picture("status", narrow=True),
    Picture("niets-gevonden", at=".niets"),
    Picture("programmas"),
    Picture("vragenbank"),
)


async def take(picture: Picture, browser: Browser, folder: Path) -> int:
    """Take one picture and return its size in bytes."""
    wishes: dict[str, Any] = {
        "color_scheme": "dark" if picture.dark else "light",
        "viewport": _NARROW if picture.narrow else _WIDE,
    }
    with pytest.MonkeyPatch.context() as patch:
        async with (
            staged(replace(BY_NAME[picture.scene], page_seconds=15), settings, patch) as stage,
            a_reader(browser, stage.site, **wishes) as page,
        ):
            await page.goto(stage.address)
            if picture.at:
                await _bring_in_sight(page, picture.at)
            taken = await _webp(page)
    (folder / picture.file).write_bytes(taken)
    return len(taken)


async def _bring_in_sight(page: Page, selector: str) -> None:
    """Scroll until it stays in sight: the script of the page may put a newer section in the place of what was looked for."""
    for _ in range(_LOOKS):
        await page.locator(selector).first.evaluate("one => one.scrollIntoView({ behavior: 'instant' })")
        await page.wait_for_timeout(_BETWEEN_LOOKS)
        if await page.locator(selector).first.evaluate(_IN_SIGHT):
            return
    raise AssertionError(selector)


async def _webp(page: Page) -> bytes:
    """What is in the window. Playwright itself knows PNG and JPEG alone, which are two to four times as large."""
    channel = await page.context.new_cdp_session(page)
    answer = await channel.send("Page.captureScreenshot", {"format": "webp", "quality": _QUALITY})
    return b64decode(answer["data"])


async def main(folder: Path, only: set[str]) -> int:
    """Take all pictures, or those whose file is in ``only``. Returns the exit code: 1 when one is too large."""
    large = 0
    with private_valkey() as store:
        settings.STATE_STORE = store.address
        settings.TURNS_MEMORY = "throttling.memory.ForgetfulMemory"
        settings.RECEPTION_FACTORY = "tests.support.reports.open_memory_reception"
        settings.ADMISSION_FACTORY = "tests.support.admission.open_resting"
        async with a_browser(chromium()) as browser:
            for picture in PICTURES:
                if only and picture.file not in only:
                    continue
                store.flush()
                size = await take(picture, browser, folder)
                large += size > MOST_BYTES
                sys.stdout.write(f"{picture.file}: {size // 1000} kB\n")
    return int(large > 0)


if __name__ == "__main__":
    sys.exit(asyncio.run(main(FOLDER, set(sys.argv[1:]))))
