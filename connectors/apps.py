"""The connectors as a Django app, with the two doors to the composition root that its pages, tasks and commands go through."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.utils.module_loading import import_string

from connectors.upkeep import House


class ConnectorsConfig(AppConfig):
    """The platforms: lists and Laadstatus are kept here."""

    name = "connectors"
    verbose_name = "Bronnen"


def open_house() -> House:
    """What maintenance works with."""
    made: House = import_string(settings.UPKEEP_FACTORY)()
    return made


def to_background() -> Callable[..., Any]:
    """What sends a task to the background: called with its name and its arguments. It raises ``OSError`` when it cannot."""
    send: Callable[..., Any] = import_string(settings.BACKGROUND)
    return send
