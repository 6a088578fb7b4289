"""The headers of every answer, as data with a reason where they are unusual, and the id of every request.

Policies: the standards notes, section 1.6. Nothing inline, nothing from elsewhere, no referrer (a question stands in
the address).
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable
from types import MappingProxyType
from typing import Final

import structlog
from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars, clear_contextvars

from besluitbron.beheer import is_beheer

_PUBLIC_CSP: Final = MappingProxyType(
    {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data:",
        "connect-src": "'self'",
        "font-src": "'self'",
        "form-action": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
        "manifest-src": "'self'",
    }
)
# Nothing more is needed: Django's admin of 5.2 has no inline style or script.
_BEHEER_CSP: Final = _PUBLIC_CSP

_HEADERS: Final = MappingProxyType(
    {
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
    }
)
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9-]{8,64}")


def _policy(directives: MappingProxyType[str, str]) -> str:
    return "; ".join(f"{name} {value}" for name, value in directives.items())


_PUBLIC_POLICY: Final = _policy(_PUBLIC_CSP)
_BEHEER_POLICY: Final = _policy(_BEHEER_CSP)

log = structlog.get_logger(__name__)
GetResponse = Callable[[HttpRequest], HttpResponseBase] | Callable[[HttpRequest], Awaitable[HttpResponseBase]]


class SecurityHeaders:
    """Sets the headers, checks the host, and gives each request its id.

    Runs without a thread under ASGI and under WSGI.
    """

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        """Answer a request, at once or later as the handler runs."""
        if self.is_async:
            return self._later(request)
        request_id = _begin(request)
        response = self.get_response(request)
        assert isinstance(response, HttpResponseBase)
        return _dress(request, response, request_id)

    async def _later(self, request: HttpRequest) -> HttpResponseBase:
        request_id = _begin(request)
        response = self.get_response(request)
        assert not isinstance(response, HttpResponseBase)
        return _dress(request, await response, request_id)


def _begin(request: HttpRequest) -> str:
    """The host must be one of ours (Django's own middleware for that is not in use).

    The id is bound to every log line.
    """
    given = request.headers.get("X-Request-ID", "")
    request_id = given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
    clear_contextvars()
    bind_contextvars(request_id=request_id)
    request.get_host()
    return request_id


def _dress(request: HttpRequest, response: HttpResponseBase, request_id: str) -> HttpResponseBase:
    # The route, not the path: an id in a path tells what somebody reads, and everything behind it what somebody asks.
    route = request.resolver_match.route if request.resolver_match else ""
    log.info("request_answered", method=request.method, route=route, status=response.status_code)
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    policy = _BEHEER_POLICY if is_beheer(request) else _PUBLIC_POLICY
    response.headers.setdefault("Content-Security-Policy", policy)
    response.headers["X-Request-ID"] = request_id
    return response


class StaticHeaders:
    """The same headers around static files, which Django does not serve; they may be kept for an hour."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a file with the headers added."""

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "public, max-age=3600")
            await send(message)

        await self.app(scope, receive, dressed)
