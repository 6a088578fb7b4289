"""The body of a request, read by whoever must know it before the origin does, and handed on as it came."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, Final

from throttling import problems
from throttling.problems import Problem

MOST_BYTES: Final = 1_048_576
"""How much of a body is read before anybody knows who asks."""
BODY_SECONDS: Final = 15.0
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]


async def read_body(
    headers: Iterable[tuple[bytes, bytes]], receive: Receive, most: int = MOST_BYTES
) -> tuple[bytes, Problem | None]:
    """The whole body, within bounds of size and time. A client that goes away in between was too slow."""
    length = next((value for name, value in headers if name == b"content-length"), b"0")
    if not length.isdigit() or int(length[:12]) > most:
        return b"", problems.too_large(most)
    try:
        async with asyncio.timeout(BODY_SECONDS):
            pieces, size = [], 0
            while (message := await receive())["type"] == "http.request":
                pieces.append(message.get("body", b""))
                size += len(pieces[-1])
                if size > most:
                    return b"", problems.too_large(most)
                if not message.get("more_body", False):
                    return b"".join(pieces), None
    except TimeoutError:
        pass
    return b"", problems.too_slow(BODY_SECONDS)


def again(body: bytes, receive: Receive) -> Receive:
    """A ``receive`` that gives the body once more, and then what the real one gives."""
    given = False

    async def receive_again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again
