"""Pages, styles and scripts go compressed over the wire, each piece of a page as soon as it is there.

Starlette's own middleware keeps pieces back until it has enough of them; a section of a source must not wait for the next one.
What is sent to operators stays as it is: their pages carry tokens beside what was typed, and the length of a compressed page
tells something of both (the BREACH attack). No other page carries anything secret.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_TYPES: Final = frozenset({"text/html", "text/css", "text/javascript", "text/plain", "image/svg+xml"})
_LEAST_BYTES: Final = 500
_LEVEL: Final = 5
_GZIP_WINDOW: Final = 31  # zlib's way to ask for the frame of gzip around its largest window
_ACCEPTED: Final = re.compile(r"(?:^|,)\s*(?:gzip|x-gzip|\*)\s*(?:;\s*q=(?P<weight>[0-9.]+)\s*)?(?=,|$)", re.IGNORECASE)


class Compression:
    """ASGI middleware: gzip for whoever accepts it, except below the paths of ``plain``."""

    def __init__(self, app: ASGIApp, *, plain: Sequence[str]) -> None:
        self._app = app
        self._plain = tuple(plain)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hand it on."""
        if scope["type"] != "http" or scope["method"] == "HEAD" or scope["path"].startswith(self._plain):
            await self._app(scope, receive, send)
            return
        accepts = accepts_gzip(Headers(scope=scope).get("accept-encoding", ""))
        await self._app(scope, receive, _Squeezed(send, accepts=accepts))


class _Squeezed:
    """A ``send`` for one answer."""

    def __init__(self, send: Send, *, accepts: bool) -> None:
        self._send = send
        self._accepts = accepts
        self._squeezer: Any = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._begin(message)
        elif message["type"] == "http.response.body" and self._squeezer is not None:
            message = {**message, "body": self._squeezed(message)}
            if not message["body"]:
                return
        await self._send(message)

    def _begin(self, message: Message) -> None:
        """Decide, and change the headers: nothing is known of the body yet but what they say."""
        message["headers"] = [(name.lower(), value) for name, value in message["headers"]]  # Django writes capitals
        headers = MutableHeaders(scope=message)
        if not _is_worth_it(message["status"], headers):
            return
        headers.add_vary_header("Accept-Encoding")
        if not self._accepts:
            return
        headers["Content-Encoding"] = "gzip"
        del headers["Content-Length"]
        if headers.get("etag", "").startswith('"'):
            headers["ETag"] = f"W/{headers['etag']}"  # the same file, other bytes
        self._squeezer = zlib.compressobj(_LEVEL, wbits=_GZIP_WINDOW)

    def _squeezed(self, message: Message) -> bytes:
        """What goes over the wire now: all that came so far can be read from it."""
        body: bytes = self._squeezer.compress(message.get("body", b""))
        rest: bytes = self._squeezer.flush(zlib.Z_SYNC_FLUSH if message.get("more_body", False) else zlib.Z_FINISH)
        return body + rest


def accepts_gzip(header: str) -> bool:
    """Whether ``Accept-Encoding`` allows gzip: named, or as any, and not with a weight of nothing (RFC 9110, 12.5.3)."""
    found = _ACCEPTED.search(header)
    return found is not None and (found["weight"] is None or found["weight"].strip("0.") != "")


def _is_worth_it(status: int, headers: MutableHeaders) -> bool:
    """Whether an answer is text of some length, whole, and as it was made."""
    media = headers.get("content-type", "").partition(";")[0].strip().lower()
    length = headers.get("content-length")
    return (
        media in _TYPES
        and status not in {HTTPStatus.NO_CONTENT, HTTPStatus.PARTIAL_CONTENT, HTTPStatus.NOT_MODIFIED}
        and "content-encoding" not in headers
        and (length is None or int(length) >= _LEAST_BYTES)
    )
