"""What the API works with and does not open itself: the composition root puts it in the state of each request."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from connectors.records import LoadState
from search.federation import Federation
from search.statuses import Statuses
from search.streams import Streams
from throttling.callers import Caller, Callers


class UnreadableError(Exception):
    """What is kept cannot be read now: our own database does not answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadKept:
    """The Laadstatus of one platform as it was last fetched; None for a moment that is not known."""

    platform: str
    generated_at: datetime | None
    fetched_at: datetime | None
    organisations: tuple[LoadState, ...] = ()
    suppliers: tuple[LoadState, ...] = ()
    failure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """One service of a platform with what it bears, as it is kept to now.

    ``units`` in ``seconds`` (None: only calls at once count); ``bucket``: the units refill bit by bit. ``in_flight``: calls at
    once. ``origin``, ``source`` and ``told`` say where the limit comes from, and whether its holder knows.
    """

    key: str
    units: float | None
    seconds: float | None
    bucket: bool
    in_flight: int | None
    origin: str
    source: str
    told: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a service stands now. ``opens_in``: seconds until a service that did not answer is tried again, None when it is open.

    ``off``: what an operator says to visitors who took it out of use, empty when in use.
    """

    waiting: int
    under_way: int
    opens_in: float | None
    off: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What is handed down. ``load_status`` raises ``UnreadableError``; ``standing`` gives None when nobody can tell now."""

    load_status: Callable[[Sequence[str]], Awaitable[tuple[LoadKept, ...]]]
    services: Callable[[str], tuple[Service, ...]]
    standing: Callable[[str, str], Awaitable[Standing | None]]


def state_of(request: HttpRequest) -> Any:
    """What the lifespan of the ASGI shell opened."""
    scope: dict[str, Any] = getattr(request, "scope", {})
    return scope["state"]


def desk_of(request: HttpRequest) -> Desk:
    """What the composition root handed down."""
    desk = state_of(request)["api"]
    assert isinstance(desk, Desk)
    return desk


def federation_of(request: HttpRequest) -> Federation:
    """The federation of this process."""
    federation = state_of(request)["federation"]
    assert isinstance(federation, Federation)
    return federation


def statuses_of(request: HttpRequest) -> Statuses:
    """What is kept of how up to date platforms are, as it was read in the last minute."""
    statuses = state_of(request)["statuses"]
    assert isinstance(statuses, Statuses)
    return statuses


def streams_of(request: HttpRequest) -> Streams:
    """The streams that are open in this process."""
    streams = state_of(request)["streams"]
    assert isinstance(streams, Streams)
    return streams


def asker(request: HttpRequest) -> Caller:
    """A program that asks by itself: its use counts."""
    callers = settings.CALLERS
    assert isinstance(callers, Callers)
    scope: dict[str, Any] = getattr(request, "scope", {})
    return callers.program(scope)
