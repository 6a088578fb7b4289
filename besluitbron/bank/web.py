"""Asking a product over HTTP as any visitor does: one address, bounded waits, and waiting when it says so.

With the standard library, in threads: what asks platforms is another client, with turns, and this one never meets a platform.
"""

from __future__ import annotations

import asyncio
import http.client
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, Self
from urllib.parse import urlsplit

_SECONDS: Final = 90.0
_LONGEST_PAUSE: Final = 60
_ATTEMPTS: Final = 4
_COME_BACK: Final = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer. ``headers`` by their names in lower case."""

    status: int
    headers: Mapping[str, str]
    text: str


class Unanswered(Exception):  # noqa: N818 - it is what happened, and the name of the step at which a question is lost
    """No answer came, or none that can be read."""


class Web:
    """Asks the product at ``address`` (``http://…`` or ``https://…``), each thread over a connection of its own.

    A context manager: its connections are closed with it. Raises ``ValueError`` for what is no address.
    """

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            message = "Een adres is bijvoorbeeld http://localhost:8000."
            raise ValueError(message)
        self._kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._host, self._port = parts.hostname, parts.port
        self._own = threading.local()
        self._opened: list[http.client.HTTPConnection] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        for connection in self._opened:
            connection.close()

    async def get(self, path: str, *, accept: str = "*/*") -> Reply:
        """What is at ``path``. Raises ``Unanswered``."""
        return await self._patiently("GET", path, None, {"Accept": accept})

    async def post(self, path: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        """What ``path`` says to ``body``. Raises ``Unanswered``."""
        return await self._patiently("POST", path, body, headers)

    async def _patiently(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Reply:
        reply = await asyncio.to_thread(self._ask, method, path, body, headers)
        for _ in range(_ATTEMPTS - 1):
            pause = reply.headers.get("retry-after", "")
            if reply.status not in _COME_BACK or not pause.isdigit() or int(pause) > _LONGEST_PAUSE:
                break
            await asyncio.sleep(int(pause))
            reply = await asyncio.to_thread(self._ask, method, path, body, headers)
        return reply

    def _ask(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Reply:
        """One exchange; once more over a new connection when the old one was closed meanwhile."""
        kept: http.client.HTTPConnection | None = getattr(self._own, "connection", None)
        if kept is not None:
            try:
                return _exchange(kept, method, path, body, headers)
            except (OSError, http.client.HTTPException):
                kept.close()
        connection = self._kind(self._host, self._port, timeout=_SECONDS)
        self._own.connection = connection
        self._opened.append(connection)
        try:
            return _exchange(connection, method, path, body, headers)
        except (OSError, http.client.HTTPException) as error:
            self._own.connection = None
            raise Unanswered(type(error).__name__) from error


def _exchange(
    connection: http.client.HTTPConnection, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
) -> Reply:
    connection.request(method, path, body, dict(headers))
    answer = connection.getresponse()
    text = answer.read().decode("utf-8", "replace")
    return Reply(answer.status, {name.lower(): value for name, value in answer.getheaders()}, text)
