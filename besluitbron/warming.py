"""The first question to the stand-ins, asked by themselves: what they build late is there before a visitor asks.

It goes on beside the start, in a thread of the same priority: at a lower one a busy machine would let it hold what the first
visitor needs. It uses each connector as it is, without HTTP, so that no stand-in needs to know of it.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Concatenate, Final, ParamSpec, TypeVar
from urllib.parse import urlencode

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from connectors.calls import Answer, Call, Reply
from connectors.connector import Connector
from connectors.exceptions import ConnectorError
from connectors.moments import now
from connectors.records import Query, SearchText, Term

log = structlog.get_logger(__name__)
_T = TypeVar("_T")
_P = ParamSpec("_P")
_NOBODY: Final = ("192.0.2.1", 1)  # an address for documentation (RFC 5737): no visitor's limit is used
_QUESTION: Final = Query(text=SearchText((Term(("subsidie",)),)))


class Warmed:
    """An app of stand-ins that asks itself a first question when its server starts."""

    def __init__(self, app: ASGIApp, connectors: Iterable[Connector]) -> None:
        self._app = app
        self._connectors = tuple(connectors)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand everything on."""
        if scope["type"] == "lifespan":
            threading.Thread(target=self._warm, name="opwarmen", daemon=True).start()
        await self._app(scope, receive, send)

    def _warm(self) -> None:
        asyncio.run(warm(self._app, self._connectors))


async def warm(app: ASGIApp, connectors: Iterable[Connector]) -> None:
    """Ask each connector's stand-in in ``app`` one question, and look at none of the answers."""

    async def ask(
        call: Call, parse: Callable[Concatenate[Answer, _P], _T], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> Reply[_T]:
        answer = await _answer(app, call)
        return Reply(parse(answer, *args, **kwargs), answer.fetched_at)

    for connector in connectors:
        with suppress(ConnectorError):
            await connector.search(_QUESTION, ask)


async def _answer(app: ASGIApp, call: Call) -> Answer:
    """What ``app`` answers to a call, without a connection."""
    told: list[Message] = []
    asked = [{"type": "http.request", "body": call.body or b"", "more_body": False}]

    async def receive() -> Message:
        return asked.pop() if asked else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        told.append(message)

    await app(_scope(call), receive, send)
    head: dict[str, Any] = next(
        (dict(m) for m in told if m["type"] == "http.response.start"), {"status": 500, "headers": []}
    )
    return Answer(
        status=head["status"],
        headers={name.decode().lower(): value.decode("latin-1") for name, value in head["headers"]},
        body=b"".join(m.get("body", b"") for m in told if m["type"] == "http.response.body"),
        fetched_at=now(),
    )


def _scope(call: Call) -> Scope:
    path = f"/{call.platform}/{call.service}{call.path}"
    length = [(b"content-length", str(len(call.body)).encode())] if call.body is not None else []
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": call.method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": urlencode(call.params).encode(),
        "root_path": "",
        "headers": [*((name.lower().encode(), value.encode()) for name, value in call.headers), *length],
        "client": _NOBODY,
        "server": ("stand-ins", 80),
    }
