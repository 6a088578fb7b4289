"""Our own time for each page, measured around Django (rule L3, signal d), and how long whoever searches waits.

It also says when a page for people is being made: who works under a contract waits for that.

A stream that lasts as long as its reader is neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assistants.places import PREFIX as MCP
from connectors.language import Language
from reports.signals import Seen
from throttling.admitted import admitted
from throttling.own_time import CURRENT, OwnTime, not_ours
from throttling.people import PageTime, People
from throttling.store import monotonic
from throttling.work import Door, Work

_NO_PAGES = ("/beheer/", "/gezondheid/", "/metrics")
_NO_PEOPLE: Final = ("/api/", "/admission/", "/.well-known/")
"""Where programs come."""
_SEARCHING: Final = "zoeken"
"""The operation of kinds of work that are a search (``throttling.work``)."""
_FOLLOWING: Final = "/zoeken/stroom"
"""It tells a page that is there already what comes later."""


class PageTimer:
    """ASGI middleware."""

    def __init__(self, app: ASGIApp, seen: Seen, people: People) -> None:
        self._app = app
        self._seen = seen
        self._people = people

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, and note how long that took."""
        if scope["type"] != "http" or scope["path"].startswith(_NO_PAGES):
            await self._app(scope, receive, send)
            return
        page, goes_on = self._begun(scope), False

        async def watching(message: Message) -> None:
            nonlocal goes_on
            if message["type"] == "http.response.start":
                goes_on = _is_stream(message.get("headers", ()))
                if goes_on:
                    page.over()
            with not_ours():  # a reader with a slow line
                await send(message)

        token = CURRENT.set(page)
        try:
            await self._app(scope, receive, watching)
        finally:
            CURRENT.reset(token)
            page.over()
            if not goes_on:
                self._seen.page(page.seconds())

    def _begun(self, scope: Scope) -> OwnTime:
        """Work under a contract has its time measured around it already, and waits whenever this waits."""
        if admitted(scope) is not None:
            return OwnTime(CURRENT.get())
        return OwnTime() if scope["path"].startswith(_NO_PEOPLE) else PageTime(self._people)


class Searches:
    """Which requests are a search, by the kinds of ``work`` there are: pages, files and API by path, MCP by its tool."""

    def __init__(self, work: Iterable[Work]) -> None:
        own = [one for one in work if one.operation == _SEARCHING]
        self._paths = tuple({prefix for one in own for prefix in one.prefixes})
        tools = "|".join(re.escape(one.name) for one in own if one.door is Door.TOOL)
        self._call = re.compile(rf'"name"\s*:\s*"(?:{tools})"'.encode())

    def asks(self, scope: Scope) -> bool:
        """Whether a request is one as it comes in: with a question, and none that follows another."""
        path: str = scope["path"].removeprefix(Language.ENGLISH.prefix)
        is_asked = scope["method"] == "GET" and bool(scope.get("query_string"))
        return is_asked and path.startswith(self._paths) and path != _FOLLOWING

    def calls(self, body: bytes) -> bool:
        """Whether a message to MCP calls a tool that searches."""
        return b'"tools/call"' in body and self._call.search(body) is not None


class SearchTimer:
    """ASGI middleware: how long each search took until its last word, waits for platforms and their queues with it.

    What a reader with a slow line costs is not in it, nor a search that was refused or led elsewhere.
    """

    def __init__(self, app: ASGIApp, seen: Seen, searches: Searches) -> None:
        self._app = app
        self._seen = seen
        self._searches = searches

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, and note how long that took when it was a search."""
        is_http = scope["type"] == "http"
        to_mcp = is_http and scope["method"] == "POST" and scope["path"].startswith(f"{MCP}/")
        is_search = is_http and self._searches.asks(scope)
        if not (to_mcp or is_search):
            await self._app(scope, receive, send)
            return
        began, sent, status = monotonic(), 0.0, 0

        async def reading() -> Message:
            nonlocal is_search
            message = await receive()
            if to_mcp and message["type"] == "http.request":
                is_search = is_search or self._searches.calls(message.get("body", b""))
            return message

        async def watching(message: Message) -> None:
            nonlocal sent, status
            status = message.get("status", status)
            sends = monotonic()
            await send(message)
            sent += monotonic() - sends

        try:
            await self._app(scope, reading, watching)
        finally:
            if is_search and status == HTTPStatus.OK:
                self._seen.search(max(monotonic() - began - sent, 0.0))


def _is_stream(headers: Any) -> bool:
    return any(name.lower() == b"content-type" and value.startswith(b"text/event-stream") for name, value in headers)
