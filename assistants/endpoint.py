"""One MCP endpoint as an ASGI application: HTTP around ``Dispatch``, for every revision, without state in the process.

The SDK's own HTTP layer keeps sessions in memory, or makes several tasks and streams for each request without them; its lower
functions (``classify_inbound_request``, ``serve_one``) do the protocol here too. Decision 0015 says more.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlsplit

from mcp.server.lowlevel.server import Server
from mcp_types import INVALID_REQUEST
from starlette.types import Receive, Scope, Send

from assistants import modern
from assistants.dispatch import Dispatch
from assistants.exchange import Finished, write
from assistants.messages import BadMessageError
from assistants.older import Older, check_session
from assistants.posted import posted
from assistants.sessions import Sessions

_ALLOW: Final = (b"allow", b"POST, DELETE")


class Endpoint:
    """Serves ``server`` at one path. ``is_ours`` says of a host (with port) whether it is one of this site's."""

    def __init__(self, server: Server[Any], sessions: Sessions, is_ours: Callable[[str], bool]) -> None:
        self._dispatch = Dispatch(server)
        self._sessions = sessions
        self._older = Older(self._dispatch, sessions)
        self._is_ours = is_ours

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        try:
            self._check_origin(scope)
            if scope["method"] == "POST":
                post = await posted(scope, receive, send, self._sessions)
                await (self._older.answer(post) if post.asked.is_older else modern.answer(post, self._dispatch))
            elif scope["method"] == "DELETE":
                await self._end(scope, send)
            else:
                # GET would be a stream for what the server asks by itself. It never asks; clients cope without.
                refusal = BadMessageError(INVALID_REQUEST, "Stuur berichten met POST.")
                await write(send, Finished(refusal.body(), HTTPStatus.METHOD_NOT_ALLOWED), (_ALLOW,))
        except BadMessageError as bad:
            await write(send, Finished(bad.body(), bad.status))

    def _check_origin(self, scope: Scope) -> None:
        """A page of another site may not make a visitor's browser ask us (DNS rebinding); programs send no Origin."""
        origin = next((value for name, value in scope["headers"] if name == b"origin"), None)
        if origin is not None and not self._is_ours(_host(origin.decode("latin-1"))):
            raise BadMessageError(INVALID_REQUEST, "Vanaf deze website mag dit niet.", status=HTTPStatus.FORBIDDEN)

    async def _end(self, scope: Scope, send: Send) -> None:
        """The client has done with its session."""
        asked = self._sessions.asked(scope, b"")
        if not asked.is_older or not asked.shown:
            refusal = BadMessageError(INVALID_REQUEST, "Er staat geen sessie bij dit verzoek.")
            await write(send, Finished(refusal.body(), refusal.status))
            return
        admitted = scope.get("besluitbron.admitted")
        check_session(asked, gone=admitted is not None and admitted.gone)
        await scope["state"]["incoming"].end_session(asked.session)
        await write(send, Finished(b"", HTTPStatus.NO_CONTENT))


def _host(origin: str) -> str:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""
