"""Calls of one scripted platform: a buffer that a test fills, a server that answers in order, and who asks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

from starlette.requests import Request
from starlette.responses import Response

from connectors.buffer import Found
from connectors.calls import Answer, Ask, Call, CallKind
from connectors.client import Client
from connectors.moments import now
from tests.support.scripted import KeepingBuffer, call_to, scripted_platform
from throttling.callers import house

PLATFORM = scripted_platform()
CALL = call_to(PLATFORM)
TEXT = call_to(PLATFORM, "/stuk", kind=CallKind.DOCUMENT)


class Shelf(KeepingBuffer):
    """A buffer of a test: what is put in ``there`` is found, and what is kept is found from then on."""

    def __init__(self) -> None:
        super().__init__()
        self.there: dict[str, Found] = {}
        self.reads = 0
        self.dropped: list[str] = []

    def name(self, call: Call) -> str:
        return f"flight {call.path}"

    async def read(self, call: Call, document: str = "") -> Found | None:
        self.reads += 1
        return self.there.get(call.path)

    async def keep(self, call: Call, answer: Answer, document: str = "") -> None:
        await super().keep(call, answer, document)
        self.there[call.path] = Found(replace(answer, buffered=True))

    async def drop(self, call: Call) -> None:
        self.dropped.append(call.path)
        self.there.pop(call.path, None)


def kept(body: bytes, *, due: bool = False, **headers: str) -> Found:
    old = now() - timedelta(days=8)
    return Found(Answer(status=200, headers=headers, body=body, fetched_at=old, buffered=True), due)


class Server:
    """Answers in order, the last one for ever; remembers the headers of each request."""

    def __init__(self, *answers: Response | Callable[[], Awaitable[Response]]) -> None:
        self._answers = list(answers)
        self.requests: list[dict[str, str]] = []

    async def __call__(self, request: Request) -> Response:
        self.requests.append(dict(request.headers))
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        return answer if isinstance(answer, Response) else await answer()


def ask_of(client: Client, **changes: object) -> Ask:
    return client.bind(PLATFORM, house(), **changes)  # type: ignore[arg-type]


def busy(status: int = 429, seconds: str = "1") -> Response:
    return Response("druk", status, {"Retry-After": seconds})
