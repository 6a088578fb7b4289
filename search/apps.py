"""The search room as a Django app: it holds the pages and the command ``zoek``."""

from __future__ import annotations

from django.apps import AppConfig


class SearchConfig(AppConfig):
    """Pages, terminal command and API."""

    name = "search"
    verbose_name = "Meldingen van programma’s"
