"""What a request carries: what the ASGI shell opened for this process, who asks, and what is asked."""

from __future__ import annotations

from typing import Any, TypeVar

from django.conf import settings
from django.http import HttpRequest

from search.federation import Federation
from search.parameters import Asked, read_parameters
from search.statuses import Statuses
from search.streams import Streams
from throttling.callers import Caller, Callers

_T = TypeVar("_T")


def opened(request: HttpRequest, name: str, kind: type[_T]) -> _T:
    """What the lifespan of the shell put in the state under ``name``."""
    found = _scope(request)["state"][name]
    assert isinstance(found, kind)
    return found


def federation_of(request: HttpRequest) -> Federation:
    """The federation of this process."""
    return opened(request, "federation", Federation)


def statuses_of(request: HttpRequest) -> Statuses:
    """What is kept of how up to date platforms are, as it was read in the last minute."""
    return opened(request, "statuses", Statuses)


def streams_of(request: HttpRequest) -> Streams:
    """The streams that are open in this process."""
    return opened(request, "streams", Streams)


def visitor_of(request: HttpRequest) -> Caller:
    """The house, on behalf of whoever reads this page."""
    return _callers().visitor(_scope(request))


def program_of(request: HttpRequest) -> Caller:
    """A program that asks by itself: its use counts."""
    return _callers().program(_scope(request))


def asked_of(request: HttpRequest) -> Asked:
    """The question in the address. Raises ``InvalidQuestionError`` with every fault."""
    values, most = dict(request.GET.lists()), settings.QUESTION_MAX_CHARACTERS
    return read_parameters(values, federation_of(request).register, max_characters=most)


def _callers() -> Callers:
    callers = settings.CALLERS
    assert isinstance(callers, Callers)
    return callers


def _scope(request: HttpRequest) -> dict[str, Any]:
    scope: dict[str, Any] = getattr(request, "scope", {})
    return scope
