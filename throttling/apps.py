"""The throttling room as a Django app: use and platform state will be kept by it."""

from __future__ import annotations

from django.apps import AppConfig


class ThrottlingConfig(AppConfig):
    """Limits and turns."""

    name = "throttling"
