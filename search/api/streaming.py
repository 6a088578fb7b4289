"""A search as server-sent events: each source as soon as it is there, and ``einde`` when all have said their last."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse

from connectors.moments import now
from search.answers import PlatformAnswer, State
from search.api import printing
from search.api.desk import asker
from search.api.reading import EVENTS
from search.federation import Federation
from search.parameters import Asked

SOURCE: Final = "bron"
END: Final = "einde"
PING_SECONDS: Final = 15.0
_RETRY_MILLISECONDS: Final = 60_000


def stream(request: HttpRequest, federation: Federation, asked: Asked) -> HttpResponseBase:
    """The answer as a stream. Who comes back for what has ended is told to stay away (204, the standard of HTML)."""
    if request.headers.get("Last-Event-ID", "") == END:
        return HttpResponse(status=204)
    body = _events(request, federation, asked) if request.method == "GET" else _nothing()
    response = StreamingHttpResponse(body, content_type=EVENTS)
    response.headers["Cache-Control"] = "private, no-store"
    response.headers["X-Accel-Buffering"] = "no"  # a proxy must hand each event on as it comes
    return response


async def _nothing() -> AsyncIterator[str]:
    """The body of an answer to HEAD: no platform is asked for it."""
    empty: tuple[str, ...] = ()
    for piece in empty:
        yield piece


async def _events(request: HttpRequest, federation: Federation, asked: Asked) -> AsyncIterator[str]:
    """First that each source is being asked, then whatever it says. Closing it gives the places in the queues up."""
    number = 0
    yield f"retry: {_RETRY_MILLISECONDS}\n\n"
    for connector in federation.chosen(asked.platforms):
        number += 1
        yield _source(number, PlatformAnswer(platform=connector.platform, state=State.BUSY), asked)
    last: dict[str, PlatformAnswer] = {}
    asking: Any = federation.ask(asked.broad(federation.register), asked.platforms, asker(request))
    async with aclosing(asking), aclosing(_pinging(asking)) as answers:
        async for answer in answers:
            if answer is None:
                yield ": nog bezig\n\n"
                continue
            number += 1
            last[answer.platform.key] = answer
            yield _source(number, answer, asked)
    told = printing.about(asked, tuple(last.values()), settings.SITE_ADDRESS, now())
    counted = {"gevraagd": len(last), "beantwoord": sum(answer.state.has_answered for answer in last.values())}
    yield _event(END, END, told | counted)


async def _pinging(answers: AsyncIterator[PlatformAnswer]) -> AsyncGenerator[PlatformAnswer | None, None]:
    """The answers, and None whenever a while passes without one, so that nothing in between takes the line for dead."""
    waiting: asyncio.Task[PlatformAnswer | None] | None = None
    try:
        while True:
            waiting = waiting or asyncio.get_running_loop().create_task(_next(answers))
            done, _ = await asyncio.wait({waiting}, timeout=PING_SECONDS)
            if not done:
                yield None
                continue
            answer, waiting = waiting.result(), None
            if answer is None:
                return
            yield answer
    finally:
        if waiting is not None:
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)


async def _next(answers: AsyncIterator[PlatformAnswer]) -> PlatformAnswer | None:
    return await anext(answers, None)


def _source(number: int, answer: PlatformAnswer, asked: Asked) -> str:
    return _event(SOURCE, str(number), printing.one(answer, asked, now()))


def _event(name: str, mark: str, data: Any) -> str:
    """One event. JSON has no line ends of its own, so one line of data is enough."""
    return f"event: {name}\nid: {mark}\ndata: {printing.written(data)}\n\n"
