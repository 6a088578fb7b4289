"""The app of the composition root, and the admin under ``/beheer/``."""

from __future__ import annotations

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class BesluitbronConfig(AppConfig):
    """This package as a Django app, so that its logging is there in every process that loads Django."""

    name = "besluitbron"
    default = True

    def ready(self) -> None:
        """Configure logging for every process that loads Django."""
        from besluitbron.logs import configure  # noqa: PLC0415 - settings are ready only now

        configure()


class BeheerConfig(AdminConfig):
    """Django's admin with our own site."""

    default_site = "besluitbron.beheer.BeheerSite"
    default = False
