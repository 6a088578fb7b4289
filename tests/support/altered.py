"""Stand-ins of which some answers are changed on their way: what a platform was seen to do wrong, at our own door."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from starlette.types import ASGIApp, Message, Receive, Scope, Send

Change = Callable[[Mapping[str, str], bytes], bytes | None]
"""From the parameters of a call and the body of its answer to another body; None leaves it as it is."""


@dataclass(slots=True)
class Altered:
    """``app`` with the answers below ``path`` changed. ``asked``: the parameters of the calls that came there, in order."""

    app: ASGIApp
    path: str
    change: Change
    asked: list[dict[str, str]] = field(default_factory=list)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as ASGI does."""
        if scope["type"] != "http" or not scope["path"].startswith(self.path):
            await self.app(scope, receive, send)
            return
        given = dict(parse_qsl(scope["query_string"].decode(), keep_blank_values=True))
        self.asked.append(given)
        start: dict[str, Any] = {}
        body = bytearray()

        async def hold(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
            elif message["type"] == "http.response.body":
                body.extend(message.get("body", b""))

        await self.app(scope, receive, hold)
        changed = self.change(given, bytes(body))
        sent = bytes(body) if changed is None else changed
        kept = [(name, value) for name, value in start["headers"] if name.lower() != b"content-length"]
        await send({**start, "headers": [*kept, (b"content-length", str(len(sent)).encode())]})
        await send({"type": "http.response.body", "body": sent})
