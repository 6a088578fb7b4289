"""The reports as a Django app."""

from __future__ import annotations

from django.apps import AppConfig


class ReportsConfig(AppConfig):
    """Heavy work that may wait."""

    name = "reports"
    verbose_name = "Rapporten"

    def ready(self) -> None:
        """Measure what connections with the database do, from the first on (signal (c) of rule L3)."""
        from reports.database_use import measure_connections  # noqa: PLC0415 - as Django wants it: settings are there now

        measure_connections()
