"""An operator at a real browser before the pages for operators."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from asgiref.sync import sync_to_async
from axe_playwright_python.async_playwright import Axe
from django.conf import settings
from django.contrib.auth import get_user_model
from django.test import Client
from playwright.async_api import Browser, Page

from tests.product.conftest import Product
from tests.support.browsing import PATIENCE, STANDARDS


@asynccontextmanager
async def operator(browser: Browser, product: Product, fill: Callable[[], None], **wishes: Any) -> AsyncIterator[Page]:
    """An operator called "beheer" who is logged in, once ``fill`` has put something on the pages."""

    def filled() -> str:
        fill()
        client = Client()
        client.force_login(get_user_model().objects.create_superuser("beheer"))
        return str(client.cookies[settings.SESSION_COOKIE_NAME].value)

    site = str(product.site.base_url).rstrip("/")
    session = await sync_to_async(filled, thread_sensitive=True)()
    context = await browser.new_context(base_url=site, locale="nl-NL", reduced_motion="reduce", **wishes)
    context.set_default_timeout(PATIENCE * 1000)
    try:
        await context.add_cookies(
            [{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": f"{site}{settings.SESSION_COOKIE_PATH}"}]
        )
        yield await context.new_page()
    finally:
        await context.close()


async def pictured(page: Page, name: str) -> None:
    """Keep a picture where somebody wants to look."""
    if folder := os.environ.get("BEELDEN_VAN_BEHEER"):
        await page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


async def own_faults(page: Page) -> list[str]:
    """What axe holds against what is ours on the page: the frame around it is Django's."""
    options = {"resultTypes": ["violations"], "runOnly": {"type": "tag", "values": list(STANDARDS)}}
    found = await Axe().run(page, context="#content", options=options)
    return [f"{one['id']}: {node['target']}" for one in found.response["violations"] for node in one["nodes"]]
