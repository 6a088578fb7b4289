"""The outermost layer of the site: headers on every answer, only our own hosts, and an id for every request.

It stands before static files, pages and errors alike, so that no answer leaves without its headers. Policies: the
standards notes, section 1.6. Nothing inline, nothing from elsewhere, no referrer to others (a question stands in the
address).
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Final

from django.http.request import split_domain_port, validate_host
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose
from structlog.contextvars import bind_contextvars, clear_contextvars

# Django's admin of 5.2 needs no more than the public pages: it has no inline style or script.
CSP: Final = MappingProxyType(
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
HEADERS: Final = MappingProxyType(
    {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in CSP.items()),
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
    }
)
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9-]{8,64}")


class Security:
    """ASGI middleware.

    ``refusal`` answers a request for a host that is not in ``hosts`` (as in Django's ``ALLOWED_HOSTS``).
    """

    def __init__(self, app: ASGIApp, *, hosts: Sequence[str], refusal: Callable[[Scope], ASGIApp]) -> None:
        self._app = app
        self._hosts = tuple(hosts)
        self._refusal = refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hand on the lifespan."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] == "websocket":
            await WebSocketClose()(scope, receive, send)  # there is none
            return
        request_id = _request_id(Headers(scope=scope).get("x-request-id", ""))
        clear_contextvars()
        bind_contextvars(request_id=request_id)

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers["X-Request-ID"] = request_id
            await send(message)

        if self._is_ours(Headers(scope=scope).get("host", "")):
            await self._app(scope, receive, dressed)
        else:
            await self._refusal(scope)(scope, receive, dressed)

    def _is_ours(self, host: str) -> bool:
        domain, _ = split_domain_port(host)
        return bool(domain) and validate_host(domain, self._hosts)


def _request_id(given: str) -> str:
    """The id that whoever stands before us gave, when it is harmless, else a fresh one."""
    return given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
