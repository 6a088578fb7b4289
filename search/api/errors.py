"""Whatever goes wrong in the API as a problem of RFC 9457; never a page, never a status without a body."""

from __future__ import annotations

import math
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

import structlog
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from ninja.errors import HttpError, ValidationError
from structlog.contextvars import get_contextvars

from throttling.problems import Kind, Kinds, Problem

log = structlog.get_logger(__name__)
MEDIA: Final = "application/problem+json"
AGAIN_SECONDS: Final = 60
"""When to come back where nobody knows better."""
_BY_STATUS: Final[Mapping[int, Kind]] = {
    HTTPStatus.NOT_FOUND: Kinds.NOT_FOUND.value,
    HTTPStatus.METHOD_NOT_ALLOWED: Kinds.METHOD.value,
    HTTPStatus.NOT_ACCEPTABLE: Kinds.NOT_ACCEPTABLE.value,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: Kinds.TOO_LARGE.value,
}


class ProblemError(Exception):
    """A request that ends in a problem."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.kind.slug)
        self.problem = problem


def problem(kind: Kinds, detail: str = "", retry_after: float | None = None, **more: Any) -> ProblemError:
    """A problem to raise. ``detail`` is what its kind means by itself; ``more`` are members in the names of the API."""
    seconds = math.ceil(retry_after) if retry_after else 0
    return ProblemError(Problem(kind=kind.value, detail=detail or kind.value.means, retry_after=seconds, more=more))


def response(told: Problem) -> HttpResponse:
    """The answer that tells a problem; ``instance`` is the number under which our log knows this request."""
    number = get_contextvars().get("request_id", "")
    members = Problem(
        kind=told.kind,
        detail=told.detail,
        retry_after=told.retry_after,
        violated=told.violated,
        more={"instance": f"urn:besluitbron:verzoek:{number}", **told.more},
    )
    answer = HttpResponse(members.as_json(settings.SITE_ADDRESS), content_type=MEDIA, status=told.kind.status)
    answer.headers["Cache-Control"] = "no-store"
    if told.retry_after:
        answer.headers["Retry-After"] = str(told.retry_after)
    return answer


def of_status(status: int) -> HttpResponse:
    """The problem that stands for an answer of Django's own, by its status."""
    kind = _BY_STATUS.get(status)
    if kind is None:
        kind = (Kinds.BROKEN if status >= HTTPStatus.INTERNAL_SERVER_ERROR else Kinds.INVALID_INPUT).value
    return response(Problem(kind=kind, detail=kind.means))


def told(request: HttpRequest, error: Exception | type[Exception]) -> HttpResponse:
    """What an operation that raised ``error`` answers. A failure that nobody foresaw is logged by its kind and place."""
    del request
    if isinstance(error, ProblemError):
        return response(error.problem)
    if isinstance(error, ValidationError):  # of a part of the path: parameters are read by ourselves
        faults = [{"name": str(one["loc"][-1]), "reason": "Deze waarde kan hier niet."} for one in error.errors]
        detail = "Iets in het adres kan niet. Er is niets gevraagd."
        return response(Problem(kind=Kinds.INVALID_INPUT.value, detail=detail, more={"invalidParams": faults}))
    if isinstance(error, Http404 | HttpError):
        return of_status(error.status_code if isinstance(error, HttpError) else HTTPStatus.NOT_FOUND)
    log.error("api_broken", exc_info=error if isinstance(error, BaseException) else True)
    return of_status(HTTPStatus.INTERNAL_SERVER_ERROR)
