"""Revisions 2025-03-26 to 2025-11-25: a handshake, and a session that any process can recognise and any process can serve.

What a session agreed on stands in its id, under our seal; its last use stands in the store, renewed by the limits as they let
a request in. A client that shows no session is served too, as its address.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from http import HTTPStatus
from typing import Any, Final

from mcp.server.connection import Connection
from mcp_types import INVALID_REQUEST

from assistants import batches
from assistants.charges import Charges
from assistants.dispatch import Dispatch
from assistants.exchange import Finished, respond
from assistants.messages import BadMessageError, Message, error_body, is_id, read
from assistants.posted import Posted
from assistants.revisions import agreed
from assistants.sessions import IDLE_SECONDS, SESSION_HEADER, Asked, Sessions
from assistants.stopping import Stopping

_TAKEN: Final = Finished(b"", HTTPStatus.ACCEPTED)
_STOPPED: Final = -32800  # what the SDK's own servers say of a call that was cancelled


def check_session(asked: Asked, *, gone: bool) -> None:
    """Raises ``BadMessageError`` (404) for a session that is not ours or has ended: a client then opens a new one."""
    if (asked.shown and not asked.session) or gone:
        raise BadMessageError(
            INVALID_REQUEST,
            "Deze sessie is er niet (meer). Begin opnieuw met `initialize`.",
            status=HTTPStatus.NOT_FOUND,
        )


class Older:
    """Answers POSTs of older revisions at one endpoint."""

    def __init__(self, dispatch: Dispatch, sessions: Sessions, charges: Charges) -> None:
        self._charges = charges
        self._dispatch = dispatch
        self._sessions = sessions

    async def answer(self, posted: Posted) -> None:
        """Answer one POST. Raises ``BadMessageError``."""
        check_session(posted.asked, gone=posted.is_gone)
        raw = posted.asked.json(posted.body)
        if isinstance(raw, list):
            await self._answer_batch(posted, raw)
            return
        message = read(raw)
        if message is None:
            await posted.answer(_TAKEN)
        elif message.about is None:
            await self._notified(posted, message)
            await posted.answer(_TAKEN)
        elif message.method == "initialize":
            await self._open(posted, message)
        else:
            await self._answer_request(posted, message)

    async def _answer_request(self, posted: Posted, message: Message) -> None:
        connection = _connection(posted.asked)
        known = await self._dispatch.known(message, connection)
        if known is not None:
            await posted.answer(known)
            return
        exchange = posted.exchange(message)
        await respond(
            lambda: self._dispatch.finished(message, exchange, connection),
            exchange,
            posted.wire,
            began=lambda task: self._know(posted, message, task),
            given_up=_stopped(message),
        )

    async def _answer_batch(self, posted: Posted, raw: list[Any]) -> None:
        batches.check(raw, posted.asked.version)

        async def one(message: Message, paid: bool) -> bytes:  # noqa: FBT001 - as ``batches.Answer`` has it
            refused = None if paid else await self._charges.another(posted, message)
            if refused is not None:
                return refused
            exchange = replace(posted.exchange(message), progress_token=None)
            work = self._dispatch.finished(message, exchange, _connection(posted.asked))
            task = asyncio.get_running_loop().create_task(work)
            self._know(posted, message, task)
            try:
                return (await task).body
            except asyncio.CancelledError:
                if _is_cancelled():
                    raise
                return _stopped(message).body

        async def work() -> Finished:
            return await batches.answers(raw, one, lambda message: self._notified(posted, message))

        await respond(work, None, posted.wire)

    def _know(self, posted: Posted, message: Message, task: asyncio.Task[Any]) -> None:
        if posted.asked.session and message.about is not None:
            _stopping(posted).know(posted.asked.session, message.about, task)

    @staticmethod
    async def _notified(posted: Posted, message: Message) -> None:
        """Only one notification asks for something: to stop a call. Whose session it is, only who is in it knows."""
        about = (message.params or {}).get("requestId")
        if message.method == "notifications/cancelled" and posted.asked.session and is_id(about):
            await _stopping(posted).stop(posted.asked.session, about)

    async def _open(self, posted: Posted, message: Message) -> None:
        version = agreed((message.params or {}).get("protocolVersion"))
        params = {**(message.params or {}), "protocolVersion": version}
        connection = Connection.from_envelope(version, None, None)
        finished = await self._dispatch.finished(replace(message, params=params), posted.exchange(message), connection)
        if finished.failed:
            await posted.answer(finished)
            return
        text, key = self._sessions.new_session(posted.scope, version)
        opening = await posted.state["incoming"].open_session(key, IDLE_SECONDS, posted.asked.address)
        if opening.opened:
            await posted.answer(finished, ((SESSION_HEADER, text.encode()),))
        else:
            await posted.answer(*self._charges.too_many_sessions(posted, opening))


def _connection(asked: Asked) -> Connection:
    return Connection.from_envelope(asked.version, None, None)


def _stopping(posted: Posted) -> Stopping:
    stopping: Stopping = posted.state["stopping"]
    return stopping


def _stopped(message: Message) -> Finished:
    return Finished(error_body(message.about, _STOPPED, "Deze aanroep is gestopt omdat u dat vroeg."))


def _is_cancelled() -> bool:
    """Whether it is the running task itself that is to stop, not the one it waits for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
