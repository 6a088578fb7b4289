"""Django middleware of our own: one log line for every page, and words where Django would send an empty page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus

import structlog
from asgiref.sync import markcoroutinefunction
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from besluitbron.errors import method_page

log = structlog.get_logger(__name__)


class EveryPage:
    """Runs in the event loop, without a thread."""

    async_capable = True
    sync_capable = False

    def __init__(self, get_response: Callable[[HttpRequest], Awaitable[HttpResponseBase]]) -> None:
        self._get_response = get_response
        markcoroutinefunction(self)

    async def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, and log that it was: by route, because a path tells what somebody reads."""
        response = await self._get_response(request)
        if isinstance(response, HttpResponse) and _is_empty_refusal(response):
            response.content = method_page(request).content
        route = request.resolver_match.route if request.resolver_match else ""
        log.info("request_answered", method=request.method, route=route, status=response.status_code)
        return response


def _is_empty_refusal(response: HttpResponse) -> bool:
    return response.status_code == HTTPStatus.METHOD_NOT_ALLOWED and not response.content
