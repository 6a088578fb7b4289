"""An answer under a contract on its way out: what it says of the budget, that nobody keeps it, and how it is cut off."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

from starlette.types import Message, Receive, Send

from admission.edge import Decision, Reason
from admission.refusing import UNKEPT, Headers

IN_FLIGHT_UNIT: Final = "concurrent-requests"
"""As draft-ietf-httpapi-ratelimit-headers calls it."""
COST: Final = b"admission-cost"
"""Says what an answer cost, in units."""
_CUT_SECONDS: Final = 1.0
_EVENTS: Final = b"text/event-stream"
_POLICY, _LEFT = b"ratelimit-policy", b"ratelimit"
_OURS: Final = frozenset({_POLICY, _LEFT, COST, UNKEPT[0]})
_SHARED: Final = frozenset({_POLICY, _LEFT})
"""Fields that other limits fill as well; what an answer costs only we say."""


def standing(decision: Decision, cost: int) -> Headers:
    """The fields of an answer that say how it stands with its contract. A quota for life has no window and is no promise."""
    policy = (
        f'"inflight";q={decision.cap};qu="{IN_FLIGHT_UNIT}", "units";q={decision.units}, "writes";q={decision.writes}'
    )
    left = f'"units";r={decision.left}, "writes";r={decision.writes_left}'
    told = ((_POLICY, policy.encode()), (_LEFT, left.encode()))
    return (*told, (COST, b"%d" % cost)) if decision.allowed else told


class Answer:
    """A ``send`` for one answer under a contract.

    ``over`` is called before its last message: whoever has a whole answer can ask again in the slot of this one.
    """

    def __init__(self, send: Send, fields: Headers, over: Callable[[], Awaitable[None]]) -> None:
        self._send = send
        self._fields = fields
        self._over = over
        self.began = False
        self.ended = False
        self.streams = False
        self._cut = False

    async def __call__(self, message: Message) -> None:
        """Send one message on. Once it was cut off, what is still sent goes nowhere, as when a client went away."""
        if self._cut:
            return
        if message["type"] == "http.response.start":
            self._dress(message)
            self.began = True
        elif not message.get("more_body", False):
            self.ended = True
            await self._over()
        await self._send(message)

    async def cut(self, last_event: bytes) -> None:
        """Send nothing more of it. A stream of events ends with ``last_event``; anything else breaks off, and looks so."""
        self._cut = True
        await self._over()
        if self.began and self.streams and not self.ended:
            try:
                async with asyncio.timeout(_CUT_SECONDS):
                    await self._send({"type": "http.response.body", "body": last_event, "more_body": False})
            except TimeoutError:
                return  # a client that does not read

    def _dress(self, message: Message) -> None:
        sent = [(name.lower(), value) for name, value in message.get("headers", ())]
        self.streams = any(name == b"content-type" and value.startswith(_EVENTS) for name, value in sent)
        theirs = [one for one in sent if one[0] in _SHARED]
        ours = [
            (name, b", ".join([*(told for other, told in theirs if other == name), value]))
            for name, value in self._fields
        ]
        message["headers"] = [*(one for one in sent if one[0] not in _OURS), *ours, UNKEPT]


def until(stop: asyncio.Future[Reason], receive: Receive) -> Receive:
    """A ``receive`` that says that the client went away, once ``stop`` is done: every origin knows how to end then."""

    async def receive_until() -> Message:
        loop = asyncio.get_running_loop()
        coming: asyncio.Future[Message] = loop.create_task(_next(receive))
        try:
            either: set[asyncio.Future[Any]] = {coming, stop}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            return coming.result() if coming.done() else {"type": "http.disconnect"}
        finally:
            coming.cancel()

    return receive_until


async def _next(receive: Receive) -> Message:
    return await receive()
