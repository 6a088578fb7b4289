"""The reports as a Django app."""

from __future__ import annotations

from django.apps import AppConfig


class ReportsConfig(AppConfig):
    """Heavy work that may wait."""

    name = "reports"
    verbose_name = "Rapporten"
