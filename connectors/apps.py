"""The connectors as a Django app: lists and load status will be kept by it."""

from __future__ import annotations

from django.apps import AppConfig


class ConnectorsConfig(AppConfig):
    """The platforms."""

    name = "connectors"
