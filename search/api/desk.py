"""What the API works with and does not open itself: the composition root puts it in the state of each request."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from django.http import HttpRequest

from search.carried import opened
from search.kept import Kept


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
    """What is handed down. ``kept``: lists and Laadstatus; ``standing`` gives None when nobody can tell now."""

    kept: Kept
    services: Callable[[str], tuple[Service, ...]]
    standing: Callable[[str, str], Awaitable[Standing | None]]


def desk_of(request: HttpRequest) -> Desk:
    """What the composition root handed down."""
    return opened(request, "api", Desk)
