"""A search as server-sent events: each source as soon as it is there, and ``einde`` when all have said their last."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse

from connectors.moments import now
from search.answers import PlatformAnswer, State
from search.api import printing
from search.api.errors import AGAIN_SECONDS, problem
from search.carried import federation_of, groups_of, program_of, streams_of
from search.federation import Federation
from search.group_names import GroupNames
from search.misspelt import unknown_groups
from search.parameters import Asked
from search.streams import HEADERS, MEDIA, Streams, TooManyStreamsError, event, nothing, with_pings
from throttling.callers import Caller
from throttling.problems import Kinds

SOURCE: Final = "bron"
END: Final = "einde"
_RETRY_MILLISECONDS: Final = 60_000
_TOO_MANY: Final = "Er staan hier, of van u, al zo veel stromen open als er mogen zijn."


@dataclass(frozen=True, slots=True)
class _Listening:
    """Who listens to the answers to what."""

    federation: Federation
    asked: Asked
    caller: Caller
    streams: Streams
    groups: GroupNames


def stream(request: HttpRequest, asked: Asked) -> HttpResponseBase:
    """The answer as a stream. Who comes back for what has ended is told to stay away (204, the standard of HTML)."""
    if request.headers.get("Last-Event-ID", "") == END:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    listening = _Listening(federation_of(request), asked, program_of(request), streams_of(request), groups_of(request))
    if not listening.streams.has_room(listening.caller.session):
        raise problem(Kinds.TOO_MANY, _TOO_MANY, AGAIN_SECONDS)
    body = nothing() if request.method == "HEAD" else with_pings(_events(listening), settings.PING_SECONDS)
    return StreamingHttpResponse(body, content_type=MEDIA, headers=HEADERS)


async def _events(listening: _Listening) -> AsyncGenerator[str, None]:
    """First that each source is being asked, then whatever it says. Closing it gives the places in the queues up."""
    federation, asked = listening.federation, listening.asked
    last: dict[str, PlatformAnswer] = {}
    try:
        with listening.streams.one(listening.caller.session):
            yield f"retry: {_RETRY_MILLISECONDS}\n\n"
            for number, connector in enumerate(federation.chosen(asked.platforms), 1):
                yield _source(number, PlatformAnswer(platform=connector.platform, state=State.BUSY), asked)
            query = asked.broad(federation.register)
            async with aclosing(federation.ask(query, asked.platforms, listening.caller)) as answers:
                number = len(federation.connectors)
                async for answer in answers:
                    number += 1
                    last[answer.platform.key] = answer
                    yield _source(number, answer, asked)
    except TooManyStreamsError:
        pass  # somebody took the last place between the look and the opening
    yield event(END, printing.written(await _told(listening, last)), END)


async def _told(listening: _Listening, last: dict[str, PlatformAnswer]) -> dict[str, Any]:
    """What there is to say when all is said."""
    asked, federation = listening.asked, listening.federation
    counted = {"gevraagd": len(last), "beantwoord": sum(answer.state.has_answered for answer in last.values())}
    unknown = await unknown_groups(asked, listening.groups, federation)
    return printing.about(asked, tuple(last.values()), federation, now(), unknown) | counted


def _source(number: int, answer: PlatformAnswer, asked: Asked) -> str:
    return event(SOURCE, printing.written(printing.one(answer, asked, now())), str(number))
