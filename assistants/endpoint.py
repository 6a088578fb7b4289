"""One MCP endpoint as an ASGI application: HTTP around ``Dispatch``, for every revision, without state in the process.

The SDK's own HTTP layer keeps sessions in memory, or makes several tasks and streams for each request without them; its lower
functions (``classify_inbound_request``, ``serve_one``) do the protocol here too. Decision 0015 says more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlsplit

from mcp.server.lowlevel.server import Server
from mcp_types import INVALID_REQUEST
from starlette.types import Receive, Scope, Send

from assistants import modern
from assistants.charges import Charges
from assistants.dispatch import Dispatch
from assistants.exchange import Finished, write
from assistants.messages import BadMessageError
from assistants.older import Older, check_session
from assistants.posted import is_gone, posted
from assistants.sessions import Sessions
from throttling.middleware import Refusal

_ALLOW: Final = (b"allow", b"POST, DELETE")


@dataclass(frozen=True, slots=True)
class Site:
    """What all endpoints of a site share. ``is_ours`` says of a host (with port) whether it is one of the site's.

    ``refusal`` prints that there were too many sessions or messages.
    """

    sessions: Sessions
    is_ours: Callable[[str], bool]
    refusal: Refusal


class Endpoint:
    """Serves ``server`` at one path. ``connector``: by what name the limits know the endpoint."""

    def __init__(self, server: Server[Any], connector: str, site: Site) -> None:
        self._dispatch = Dispatch(server)
        self._sessions = site.sessions
        self._older = Older(self._dispatch, site.sessions, Charges(connector, site.refusal))
        self._is_ours = site.is_ours

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
        check_session(asked, gone=is_gone(scope))
        await scope["state"]["incoming"].end_session(asked.session)
        await write(send, Finished(b"", HTTPStatus.NO_CONTENT))


def _host(origin: str) -> str:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""
