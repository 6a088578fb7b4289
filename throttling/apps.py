"""The throttling room as a Django app, with the door to the composition root that its pages and commands go through."""

from __future__ import annotations

from django.apps import AppConfig
from django.conf import settings
from django.utils.module_loading import import_string

from throttling.operating.queues import Queue


class ThrottlingConfig(AppConfig):
    """Limits and turns: use and the state of queues are kept here."""

    name = "throttling"
    verbose_name = "Beurten"


def all_queues() -> tuple[Queue, ...]:
    """The queues of the product."""
    made: tuple[Queue, ...] = import_string(settings.QUEUES_FACTORY)()
    return made
