"""What the worker does for contracts: it fetches documents with keys of others, and nothing else here does."""

from __future__ import annotations

import asyncio

from celery import shared_task
from django.conf import settings
from django.utils.module_loading import import_string

from admission.fetching import answer
from throttling.store import Store, wall


@shared_task(ignore_result=True)
def fetch_document(url: str, most: str, key: str, until: str) -> None:
    """Fetch one document of ``most`` bytes at most, and leave it at ``key``. Nobody waits any more after ``until``."""
    if wall() < float(until):
        asyncio.run(_fetched(url, int(most), key))


async def _fetched(url: str, most: int, key: str) -> None:
    async with Store(settings.STATE_STORE) as store, import_string(settings.ADMISSION_FETCHER)() as fetch:
        await answer(store, fetch, url, most, key)
