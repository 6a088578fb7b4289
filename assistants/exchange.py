"""One request while it is answered: what it tells on the way, and how it ends when nobody listens any more.

The answer is plain JSON, unless something is told or a quarter of a minute passes before it is there: then the response becomes
a stream of events, in both generations of the protocol, and is kept alive. Who closes it gives the call up: a call that waited
for its turn leaves the queue.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

import anyio
from mcp.shared.dispatcher import CallOptions
from mcp.shared.exceptions import NoBackChannelError
from mcp.shared.message import ServerMessageMetadata
from mcp.shared.transport_context import TransportContext
from mcp_types import ProgressToken, RequestId
from starlette.types import Receive, Send

from assistants.messages import notification_body

PING_SECONDS: Final = 15.0
_MOST_UNSENT: Final = 64
_EVENTS: Final = (
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-cache, no-transform"),
    (b"x-accel-buffering", b"no"),
)
_JSON: Final = (b"content-type", b"application/json")
_PING: Final = b": ping\r\n\r\n"
_HERE: Final = TransportContext(kind="streamable-http", can_send_request=False)

Headers = tuple[tuple[bytes, bytes], ...]


@dataclass(slots=True)
class Exchange:
    """What a handler of the SDK sees of the request (its ``DispatchContext``). There is no way to ask the client anything.

    ``request`` is ours, for our own handlers. ``streams``: the client reads a stream of events. ``unsent`` holds what was
    told and not yet written, while there is a stream to write it on.
    """

    request_id: RequestId
    request: Any
    progress_token: ProgressToken | None = None
    streams: bool = False
    unsent: asyncio.Queue[bytes | None] | None = None
    transport: TransportContext = _HERE
    can_send_request: bool = False
    cancel_requested: anyio.Event = field(default_factory=anyio.Event)

    @property
    def message_metadata(self) -> ServerMessageMetadata:
        """Where the SDK looks for what belongs to the request."""
        return ServerMessageMetadata(request_context=self.request, can_send_request=False)

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> dict[str, Any]:
        """Refused: a server without state in a process cannot wait for a client's answer."""
        del params, opts
        raise NoBackChannelError(method)

    async def notify(self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None) -> None:
        """Write a notification to the client; what it does not read in time is left out."""
        del opts
        if self.unsent is not None and self.unsent.qsize() < _MOST_UNSENT:
            self.unsent.put_nowait(notification_body(method, params))

    async def progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Tell how far it is, when the client asked for it."""
        if self.progress_token is None:
            return
        given = {"total": total, "message": message}
        known = {name: value for name, value in given.items() if value is not None}
        await self.notify(
            "notifications/progress", {"progressToken": self.progress_token, "progress": progress, **known}
        )


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of an exchange: the message that answers the request, and its HTTP status while nothing was written yet."""

    body: bytes
    status: int = HTTPStatus.OK
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Wire:
    """The two ends of an ASGI request whose body has been read."""

    receive: Receive
    send: Send


Work = Callable[[], Coroutine[Any, Any, Finished]]
Began = Callable[[asyncio.Task[Finished]], None]


async def respond(
    work: Work,
    exchange: Exchange | None,
    wire: Wire,
    *,
    began: Began = lambda _: None,
    given_up: Finished | None = None,
) -> None:
    """Do the work and write what comes of it. The work ends when the client goes, or when somebody cancels its task.

    ``exchange`` is where something may be told (None: nowhere). ``began`` is told the task. ``given_up`` answers a request
    whose task was cancelled by somebody else (None: accepted, without an answer).
    """
    unsent: asyncio.Queue[bytes | None] = asyncio.Queue()
    streams = exchange is not None and exchange.streams
    if exchange is not None and streams:
        exchange.unsent = unsent
    loop = asyncio.get_running_loop()
    task = loop.create_task(work())
    gone = loop.create_task(_gone(wire.receive))
    task.add_done_callback(lambda _: unsent.put_nowait(None))
    gone.add_done_callback(lambda _: task.cancel())
    began(task)
    try:
        streaming = await _write_while_working(unsent, wire.send, may_stream=streams)
        if not gone.done():
            finished = given_up if task.cancelled() else task.result()
            await _write_end(finished, wire.send, streaming=streaming)
    finally:
        task.cancel()
        gone.cancel()
        await asyncio.wait((task, gone))


async def _gone(receive: Receive) -> None:
    """Returns once the client has closed its side."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _write_while_working(unsent: asyncio.Queue[bytes | None], send: Send, *, may_stream: bool) -> bool:
    """Write what is told until the work is done; says whether the response became a stream of events."""
    streaming = False
    while True:
        try:
            async with asyncio.timeout(PING_SECONDS if may_stream else None):
                told = await unsent.get()
        except TimeoutError:
            part = _PING
        else:
            if told is None:
                return streaming
            part = event(told)
        if not streaming:
            await send({"type": "http.response.start", "status": HTTPStatus.OK, "headers": _EVENTS})
            streaming = True
        await send({"type": "http.response.body", "body": part, "more_body": True})


async def _write_end(finished: Finished | None, send: Send, *, streaming: bool) -> None:
    if streaming:
        await send({"type": "http.response.body", "body": event(finished.body) if finished else b""})
    elif finished is not None:
        await write(send, finished)
    else:
        await write(send, Finished(b"", HTTPStatus.ACCEPTED))


async def write(send: Send, finished: Finished, headers: Headers = ()) -> None:
    """Write a whole response."""
    kind = (_JSON,) if finished.body else ()
    length = (b"content-length", b"%d" % len(finished.body))
    start = {"type": "http.response.start", "status": finished.status, "headers": [*kind, length, *headers]}
    await send(start)
    await send({"type": "http.response.body", "body": finished.body})


def event(message: bytes) -> bytes:
    """A message as one event of a stream. JSON is printed on one line, so that it is one line of data."""
    return b"event: message\r\ndata: %b\r\n\r\n" % message
