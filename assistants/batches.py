"""Several messages in one body, which revision 2025-03-26 has and no other. Each message counts as a request of its own.

The answers come together, as one body of JSON; nothing is told of progress on the way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from typing import Any, Final

from mcp_types import INVALID_REQUEST

from assistants.exchange import Finished
from assistants.messages import BadMessageError, Message, read
from assistants.revisions import BATCHES

MOST: Final = 20

Answer = Callable[[Message, bool], Awaitable[bytes]]
"""Answers a request; told whether it has been paid for, which the first has, with the batch itself."""


def check(raw: Sequence[Any], version: str) -> None:
    """Whether this may be sent at all. Raises ``BadMessageError``."""
    if version != BATCHES:
        raise BadMessageError(INVALID_REQUEST, f"Meer berichten in één verzoek kan alleen in revisie {BATCHES}.")
    if not 1 <= len(raw) <= MOST:
        raise BadMessageError(INVALID_REQUEST, f"Stuur hooguit {MOST} berichten in één verzoek, en minstens één.")


async def answers(raw: Sequence[Any], answer: Answer, notified: Callable[[Message], Awaitable[None]]) -> Finished:
    """The answers to all requests among these messages, in their order; an empty body when there are none."""
    waiting: list[Awaitable[bytes]] = []
    paid = True
    for each in raw:
        try:
            message = _one(each)
        except BadMessageError as bad:
            waiting.append(_said(bad.body()))
            continue
        if message is None:
            continue
        if message.about is None:
            await notified(message)
        else:
            waiting.append(answer(message, paid))
            paid = False
    bodies = await asyncio.gather(*waiting)
    if not bodies:
        return Finished(b"", HTTPStatus.ACCEPTED)
    return Finished(b"[%b]" % b",".join(bodies))


def _one(raw: Any) -> Message | None:
    message = read(raw)
    if message is not None and message.method == "initialize":
        raise BadMessageError(INVALID_REQUEST, "`initialize` staat alleen in een verzoek.", about=message.about)
    return message


async def _said(body: bytes) -> bytes:
    return body
