"""Every page in every state it can have: for everybody (axe, both colour schemes), narrow, enlarged, and well-formed."""

from __future__ import annotations

import subprocess
from functools import partial
from typing import Final

import pytest
from anyio import to_thread
from playwright.async_api import Browser, Page
from pytest_django import Settings

from besluitbron.running.layout import PROJECT
from tests.browser.scenes import NO_PAGE, NOWHERE, SCENES, Scene, routes, staged
from tests.support.browsing import NARROW, a_reader, faults, too_wide

pytestmark = pytest.mark.anyio
_VALIDATOR: Final = PROJECT / "tests" / "opmaak"
_QUICK: Final = frozenset({"stuk-met-stemming", "antwoorden-engels", "bron-dood", "bron-wacht", "niets-gevonden"})
"""What every run looks at: a paper, answers, and a source that is dead, one that waits, and none that found anything.

The others are of the long run.
"""
_TWICE_AS_LARGE: Final = "document.documentElement.style.fontSize = '200%'"


def wrong_html(text: str) -> list[str]:
    """What the validator holds against a page as it was sent."""
    done = subprocess.run(
        ["node_modules/.bin/html-validate", "--stdin", "--formatter", "text"],
        cwd=_VALIDATOR,
        input=text.encode(),
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert done.returncode in {0, 1}, done.stderr.decode()
    return [f"html {line}" for line in done.stdout.decode().splitlines() if "[" in line]


@pytest.mark.parametrize(
    "scene",
    [pytest.param(one, id=one.name, marks=() if one.name in _QUICK else pytest.mark.lang) for one in SCENES],
)
async def test_a_page_is_for_everybody_fits_and_is_well_formed(
    browser: Browser, settings: Settings, monkeypatch: pytest.MonkeyPatch, scene: Scene
) -> None:
    """Eis 6.8; Eis V4; Eis V9. Eis P3."""
    async with staged(scene, settings, monkeypatch) as stage, a_reader(browser, stage.site) as page:
        answer = await page.goto(stage.address)
        assert answer is not None
        assert answer.status == scene.status
        found = await to_thread.run_sync(partial(wrong_html, await answer.text()))
        found += [f"light {one}" for one in await faults(page)]
        await page.emulate_media(color_scheme="dark")
        found += [f"dark {one}" for one in await faults(page)]
        await page.set_viewport_size({"width": NARROW["width"], "height": NARROW["height"]})
        found += [f"narrow {one}" for one in await too_wide(page)]
        await page.set_viewport_size({"width": 640, "height": 900})
        await page.evaluate(_TWICE_AS_LARGE)
        found += [f"enlarged {one}" for one in await too_wide(page)]
        assert not found, "\n".join(found)


def test_the_validator_finds_what_is_wrong() -> None:
    assert [
        one.split()[1] for one in wrong_html("<!DOCTYPE html><html lang=nl><title>a</title><p><div></div></p></html>")
    ]


async def test_who_looks_at_a_page_sees_what_is_wrong_with_it(page: Page) -> None:
    """Eis P3."""
    await page.goto("/privacy")
    assert await faults(page) == []
    await page.evaluate("document.querySelector('header img').removeAttribute('alt')")
    await page.evaluate("document.querySelector('h1').style.width = '3000px'")
    assert [one.split(":")[0] for one in await faults(page)] == ["image-alt"]
    assert (await too_wide(page))[1].startswith("<h1")


def test_every_run_looks_at_a_dead_source_a_waiting_one_and_at_nothing_found() -> None:
    """Eis P3."""
    quick = {scene.name: scene for scene in SCENES if scene.name in _QUICK}
    assert quick.keys() == _QUICK
    assert "dood" in quick["bron-dood"].states.values()
    assert quick["bron-wacht"].full
    assert NOWHERE in str(quick["niets-gevonden"].address)


def test_every_address_of_the_site_is_looked_at() -> None:
    """Eis 6.8. Eis P3."""
    looked_at = {scene.route for scene in SCENES}
    assert routes() == (looked_at & routes()) | NO_PAGE.keys()
    assert looked_at - {"", *routes()} == set()
    assert not looked_at & NO_PAGE.keys()
