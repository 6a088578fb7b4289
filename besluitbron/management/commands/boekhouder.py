"""``manage.py boekhouder``: keep the books of the turns in the database until asked to end."""

from __future__ import annotations

import asyncio
import signal
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from besluitbron.limits import queue_rules
from connectors.platforms import PLATFORMS
from throttling.bookkeeping import Bookkeeper
from throttling.database import DatabaseBooks
from throttling.store import Store


class Command(BaseCommand):
    """Runs until SIGTERM or Ctrl-C, writes once more, and ends with 0."""

    help = "Houdt in de database bij wat de beurten moeten onthouden. ./start draait dit zelf."
    requires_system_checks: list[str] = []  # noqa: RUF012 - as Django declares it; what starts this checked already

    def handle(self, *args: Any, **options: Any) -> None:
        del args, options
        asyncio.run(self._keep())

    async def _keep(self) -> None:
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        rules = queue_rules(PLATFORMS, settings.OPTIONS.limits)
        async with Store(settings.STATE_STORE) as store:
            await Bookkeeper(store, rules, DatabaseBooks()).run(stop)
