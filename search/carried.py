"""What a request carries: what the ASGI shell opened for this process, who asks, and what is asked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

from django.conf import settings
from django.http import HttpRequest

from search.address_names import unknown_names
from search.exceptions import InvalidQuestionError
from search.faults import Faults
from search.federation import Federation
from search.group_names import GroupNames
from search.parameters import PARAMETERS, Asked, read_parameters
from search.statuses import Statuses
from search.streams import Streams
from throttling.callers import Caller, Callers

_T = TypeVar("_T")


def opened(request: HttpRequest, name: str, kind: type[_T]) -> _T:
    """What the lifespan of the shell put in the state under ``name``."""
    found = scope_of(request)["state"][name]
    assert isinstance(found, kind)
    return found


def federation_of(request: HttpRequest) -> Federation:
    """The federation of this process."""
    return opened(request, "federation", Federation)


def statuses_of(request: HttpRequest) -> Statuses:
    """What is kept of how up to date platforms are, as it was read in the last minute."""
    return opened(request, "statuses", Statuses)


def faults_of(request: HttpRequest) -> Faults:
    """Where faults that programs report are kept."""
    faults: Faults = scope_of(request)["state"]["faults"]
    return faults


def streams_of(request: HttpRequest) -> Streams:
    """The streams that are open in this process."""
    return opened(request, "streams", Streams)


def groups_of(request: HttpRequest) -> GroupNames:
    """The names of fracties and committees, as they were read in the last hour."""
    return opened(request, "groups", GroupNames)


def further_of(request: HttpRequest) -> Callable[[Asked], Mapping[str, Any]]:
    """What rooms above this one offer below the answers."""
    further: Callable[[Asked], Mapping[str, Any]] = scope_of(request)["state"]["further"]
    return further


def visitor_of(request: HttpRequest) -> Caller:
    """The house, on behalf of whoever reads this page."""
    return _callers().visitor(scope_of(request))


def program_of(request: HttpRequest) -> Caller:
    """A program that asks by itself: its use counts."""
    return _callers().program(scope_of(request))


def asked_of(request: HttpRequest, beside: Collection[str] = ()) -> Asked:
    """The question in the address. Raises ``InvalidQuestionError`` with every fault.

    A name that is no parameter and not ``beside`` them is a fault too: nothing that somebody asked is left out in silence.
    """
    values, most = dict(request.GET.lists()), settings.QUESTION_MAX_CHARACTERS
    unknown = unknown_names(values, PARAMETERS, beside)
    try:
        asked = read_parameters(values, federation_of(request).register, max_characters=most)
    except InvalidQuestionError as error:
        raise InvalidQuestionError((*unknown, *error.faults)) from error
    if unknown:
        raise InvalidQuestionError(unknown)
    return asked


def _callers() -> Callers:
    callers = settings.CALLERS
    assert isinstance(callers, Callers)
    return callers


def scope_of(request: HttpRequest) -> dict[str, Any]:
    """The ASGI scope of a request; empty where there is none."""
    scope: dict[str, Any] = getattr(request, "scope", {})
    return scope
