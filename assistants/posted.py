"""One POST to an endpoint, read and held against what HTTP asks of it before anybody looks at the message."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from mcp_types import INVALID_REQUEST
from starlette.types import Receive, Scope, Send

from assistants.exchange import Exchange, Finished, Headers, Wire, write
from assistants.messages import BadMessageError, Message, is_id
from assistants.sessions import Asked, Sessions
from throttling.callers import Caller
from throttling.middleware import ADMITTED, Admitted

LARGEST_BODY: Final = 1024 * 1024
_JSON: Final = frozenset({"application/json", "application/*", "*/*"})
_EVENTS: Final = frozenset({"text/event-stream", "text/*", "*/*"})


@dataclass(frozen=True, slots=True)
class Posted:
    """Its ASGI parts, its headers by lower-case name, its body, and who asks."""

    scope: Scope
    wire: Wire
    headers: dict[str, str]
    body: bytes
    asked: Asked
    sessions: Sessions

    @property
    def state(self) -> dict[str, Any]:
        """What the lifespan opened."""
        state: dict[str, Any] = self.scope["state"]
        return state

    @property
    def is_gone(self) -> bool:
        """Whether the limits found that its session has ended."""
        return is_gone(self.scope)

    def exchange(self, message: Message) -> Exchange:
        """Where the answer to this request, one of the messages, is made."""
        token = message.meta.get("progressToken")
        return Exchange(
            request_id=message.about or 0,
            request=self,
            progress_token=token if is_id(token) else None,
            streams=not _EVENTS.isdisjoint(_accepted(self.headers)),
        )

    async def handle(self) -> str:
        """The handle of the conversation this request belongs to, for a client of 2026-07-28 to send back; "" for none.

        How many conversations an address begins is limited, as with sessions; over the limit it goes on without one.
        """
        if self.asked.is_older:
            return ""
        if not self.asked.name:
            begins = Caller(session=f"gesprek:{self.asked.address.session}")
            opening = await self.state["incoming"].open_session(begins.session, 1, begins)
            if not opening.opened:
                return ""
        return self.sessions.handle(self.asked.name)

    async def answer(self, finished: Finished, headers: Headers = ()) -> None:
        """Write a whole response."""
        await write(self.wire.send, finished, headers)


def is_gone(scope: Scope) -> bool:
    """Whether the limits found that the session of a request has ended."""
    admitted: Admitted | None = scope.get(ADMITTED)
    return admitted is not None and admitted.gone


async def posted(scope: Scope, receive: Receive, send: Send, sessions: Sessions) -> Posted:
    """Read a POST. Raises ``BadMessageError`` for what HTTP already refuses."""
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise BadMessageError(
            INVALID_REQUEST,
            "Stuur het bericht als application/json.",
            status=HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        )
    if _JSON.isdisjoint(_accepted(headers)):
        raise BadMessageError(
            INVALID_REQUEST,
            "Het antwoord is application/json of text/event-stream; neem beide aan (Accept).",
            status=HTTPStatus.NOT_ACCEPTABLE,
        )
    body = await _body(receive)
    return Posted(scope, Wire(receive, send), headers, body, sessions.asked(scope, body), sessions)


async def _body(receive: Receive) -> bytes:
    parts = bytearray()
    while True:
        message = await receive()
        parts += message.get("body", b"")
        if len(parts) > LARGEST_BODY:
            raise BadMessageError(
                INVALID_REQUEST,
                "Dit bericht is te groot.",
                status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            )
        if not message.get("more_body", False):
            return bytes(parts)


def _accepted(headers: dict[str, str]) -> list[str]:
    return [kind.partition(";")[0].strip().lower() for kind in headers.get("accept", "*/*").split(",")]
