"""OPTIONS, for every address of the API: django-ninja knows no such thing, and browsers ask it before they ask anything."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from asgiref.sync import markcoroutinefunction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import Resolver404, resolve

from search.api.version import is_api

_ORDER: Final = ("GET", "HEAD", "POST", "DELETE", "OPTIONS")
_HEADERS: Final = "Accept, Authorization, Content-Type, DPoP, If-None-Match, Last-Event-ID, X-Request-ID"


def allowed(given: str = "") -> str:
    """The methods of an address, for ``Allow``: those that are named, or reading; and OPTIONS."""
    named = {one.strip() for one in given.split(",")} & set(_ORDER) or {"GET", "HEAD"}
    return ", ".join(one for one in _ORDER if one in named | {"OPTIONS"})


class ApiOptions:
    """Django middleware in the event loop. What is no address of the API goes on, and so does every other method."""

    async_capable = True
    sync_capable = False

    def __init__(self, get_response: Callable[[HttpRequest], Awaitable[HttpResponseBase]]) -> None:
        self._get_response = get_response
        markcoroutinefunction(self)

    async def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer one request."""
        if request.method != "OPTIONS" or not is_api(request.path_info) or not _exists(request.path_info):
            return await self._get_response(request)
        methods = allowed((await self._get_response(request)).headers.get("Allow", ""))
        answer = HttpResponse(status=204)
        answer.headers["Allow"] = methods
        answer.headers["Cache-Control"] = "no-store"
        answer.headers["Access-Control-Allow-Methods"] = methods
        answer.headers["Access-Control-Allow-Headers"] = _HEADERS
        answer.headers["Access-Control-Max-Age"] = "86400"
        return answer


def _exists(path: str) -> bool:
    try:
        resolve(path)
    except Resolver404:
        return False
    return True
