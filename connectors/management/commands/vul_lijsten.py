"""``manage.py vul_lijsten``: write down the shipped lists where nothing stands yet, as ``./start`` does."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from connectors.apps import open_house
from connectors.refreshing import fill


class Command(BaseCommand):
    """Fill the lists. May run as often as one likes."""

    help = "Vult de lijsten van organisaties met wat BesluitBron meelevert, waar nog niets staat."

    def handle(self, *args: Any, **options: Any) -> None:
        del args, options
        filled = fill(open_house, settings.VERSION)
        self.stdout.write(f"Gevuld: {', '.join(filled)}." if filled else "Er was niets te vullen.")
