"""What reports are made with, as the composition root opens it, and the door to it that tasks go through."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from reports.exports.pressing import Press
from reports.filed import Files
from reports.passing import Passing
from reports.signals import Seen
from reports.storage import Storage
from search.federation import Federation
from search.parameters import Asked
from throttling.load import LoadGate
from throttling.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Making:
    """How reports are made here: by which ``version``, with how many hits and texts at most."""

    version: str
    most_hits: int
    most_texts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Office:
    """What desk and upkeep work with: no platform is asked."""

    store: Store
    gate: LoadGate
    storage: Storage
    files: Files
    passing: Passing
    making: Making
    seen: Seen
    clock: Callable[[], datetime]


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """What a report is made with. ``read`` reads a target; it raises ``InvalidQuestionError``.

    ``site`` is the address of our own pages, ``press`` sets the printable form.
    """

    federation: Federation
    read: Callable[[str], Asked]
    site: str
    press: Press


class House(Protocol):
    """Opens them; made by the composition root. The workshop takes a second to open, so a run is taken before it is."""

    def office(self) -> AbstractAsyncContextManager[Office]:
        """For upkeep, and for taking a run."""
        ...

    def passing(self) -> Passing:
        """For whoever only looks at the gate: looking brings about what time did."""
        ...

    def workshop(self) -> AbstractAsyncContextManager[Workshop]:
        """For making one report, while the office is open."""
        ...


def open_house() -> House:
    """What the composition root has."""
    made: House = import_string(settings.REPORTS_FACTORY)()
    return made
