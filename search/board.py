"""What the page ``/status`` is told by the composition root, which alone knows the queues and the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from connectors.interfaces import NO_VERSION, Interface
from search.kept import KeptCanary, KeptStatus, KeptYears
from throttling.limits import Limit


class Fares(StrEnum):
    """How a service of a platform fares."""

    FREE = "vrij"
    QUEUED = "rij"
    RESTS = "rust"
    BROKEN = "storing"
    CLOSED = "gesloten"
    OFF = "uit"
    NEW = "nieuw"
    UNKNOWN = "onbekend"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceNow:
    """One service of a platform now. ``at_once``: how many calls may be under way.

    ``told``: whether its holder knows that no limit is published. ``interface``: the version that we speak there.

    ``until``: when a rest or a breaker probably ends; ``off``: what an operator says; ``last``: the last call, in half an hour.
    """

    platform: str
    key: str
    limit: Limit | None
    at_once: int | None
    origin: str
    source: str
    told: str
    fares: Fares
    waiting: int = 0
    under_way: int = 0
    until: datetime | None = None
    off: str = ""
    last: datetime | None = None
    interface: Interface = NO_VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardNow:
    """Everything the page shows. ``load`` is None when the database cannot be read.

    ``contacts``: last lists by platform; ``years``: what was looked up of bodies; ``canaries``: of each platform that is in
    use, what the last question that must find something gave; ``registers``: by platform the names of those it has, where it
    tells them, most used first. ``no_reports_since``: from when on nobody was there to make reports; None where somebody
    is, and where nobody knows.
    """

    services: tuple[ServiceNow, ...]
    load: tuple[KeptStatus, ...] | None
    contacts: tuple[tuple[str, datetime], ...] = ()
    years: tuple[KeptYears, ...] = ()
    canaries: tuple[KeptCanary, ...] = ()
    registers: tuple[tuple[str, tuple[str, ...]], ...] = ()
    no_reports_since: datetime | None = None


class Board(Protocol):
    """Looks at everything. Asks no platform and raises nothing."""

    async def look(self, platforms: Sequence[str]) -> BoardNow:
        """How the platforms fare now."""
        ...
