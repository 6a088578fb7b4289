"""A person at a real browser before the whole product; the browser lives as long as the tests of one file."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect
from pytest_django import Settings
from starlette.types import Receive, Scope, Send

from connectors.standins import _Behaviour
from tests.product.conftest import Product, empty_store, made_once, product, running, store
from tests.support.browsing import PATIENCE, a_browser, a_reader, chromium

__all__ = ["empty_store", "made_once", "product", "store"]
expect.set_options(timeout=PATIENCE * 1000)
Visit = Callable[..., AbstractAsyncContextManager[Page]]


@pytest.fixture(scope="module")
async def browser() -> AsyncIterator[Browser]:
    """A browser that reaches loopback alone."""
    async with a_browser(chromium()) as started:
        yield started


@pytest.fixture
def visit(browser: Browser, product: Product) -> Visit:
    """Open a window on the product, as ``async with visit(color_scheme="dark") as page``."""

    def opened(**wishes: Any) -> AbstractAsyncContextManager[Page]:
        return a_reader(browser, str(product.site.base_url).rstrip("/"), **wishes)

    return opened


@pytest.fixture
async def page(visit: Visit) -> AsyncIterator[Page]:
    """One window on the product."""
    async with AsyncExitStack() as windows:
        yield await windows.enter_async_context(visit())


@dataclass(frozen=True, slots=True)
class Late:
    """An answer page of two sources, of which Rechtspraak did not answer in time and answers when ``come`` is called."""

    page: Page
    come: Callable[[], None]


@pytest.fixture
async def late(
    request: pytest.FixtureRequest, browser: Browser, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Late]:
    """A page that is there while a source is still to come. ``request.param``: other words than ``vergunning``."""
    words = getattr(request, "param", "vergunning")
    gate = asyncio.Event()
    answer = _Behaviour.__call__

    async def held(self: _Behaviour, scope: Scope, receive: Receive, send: Send) -> None:
        if self.stand_in.key == "rechtspraak":
            await gate.wait()
        await answer(self, scope, receive, send)

    monkeypatch.setattr(_Behaviour, "__call__", held)
    async with (
        running(settings, patience=1) as product,
        a_reader(browser, str(product.site.base_url).rstrip("/")) as page,
    ):
        await page.goto(f"/zoeken?vraag={words}&platform=opentk&platform=rechtspraak")
        await expect(page.locator("section[data-bron=rechtspraak]")).to_have_attribute("data-staat", "te-laat")
        try:
            yield Late(page, gate.set)
        finally:
            gate.set()
