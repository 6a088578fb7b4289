"""What comes after an answer page was sent, as server-sent events: ``/zoeken/stroom`` with the parameters of ``/zoeken``.

Only a script asks for it. ``wacht`` names the sources that were not done, ``bij`` those whose results stand on the page, so
that the same document is shown once. The calls are those of the page: single flight joins them, and the buffer has what came.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from connectors.language import say
from connectors.moments import now
from search import texts
from search.answers import PlatformAnswer, State
from search.carried import asked_of, federation_of, streams_of, visitor_of
from search.exceptions import InvalidQuestionError
from search.federation import Federation, Patience
from search.parameters import Asked
from search.present import section_view
from search.seen import Seen
from search.streams import HEADERS, MEDIA, Streams, TooManyStreamsError, event, nothing, with_pings
from throttling.callers import Caller

_AGAIN_MILLISECONDS: Final = 3000
_RETRY_SECONDS: Final = 60
_END: Final = "einde"


@dataclass(frozen=True, slots=True)
class _Listening:
    """Who listens to what: ``wanted`` are the sources to send, ``beside`` those that are asked for what they have already."""

    request: HttpRequest
    federation: Federation
    asked: Asked
    wanted: tuple[str, ...]
    beside: tuple[str, ...]
    caller: Caller


@require_safe
async def stream(request: HttpRequest) -> HttpResponseBase:
    """The sections of sources that were not done, each as it comes. 204 ends a reader that has them all."""
    federation = federation_of(request)
    try:
        asked = asked_of(request)
    except InvalidQuestionError:
        return _text(say("Deze vraag kunnen we niet uitvoeren.") + "\n", HTTPStatus.BAD_REQUEST)
    done = frozenset(request.headers.get("Last-Event-ID", "")[:500].split(","))
    known = {connector.platform.key for connector in federation.connectors}
    wanted = tuple(key for key in dict.fromkeys(request.GET.getlist("wacht")) if key in known - done)
    beside = tuple(key for key in dict.fromkeys(request.GET.getlist("bij")) if key in known - {*wanted})
    if asked.is_empty or not wanted or _END in done:
        return HttpResponse(status=HTTPStatus.NO_CONTENT, headers=HEADERS)
    caller, streams = visitor_of(request), streams_of(request)
    if not streams.has_room(caller.visitor):
        refused = _text(say("Er staan al te veel van deze pagina's open.") + "\n", HTTPStatus.SERVICE_UNAVAILABLE)
        refused.headers["Retry-After"] = str(_RETRY_SECONDS)
        return refused
    patient = Patience(after_sent=settings.PAGE_SECONDS, page=settings.PAGE_SECONDS)
    listening = _Listening(request, replace(federation, patience=patient), asked, wanted, beside, caller)
    body = nothing() if request.method == "HEAD" else with_pings(_events(listening, streams), settings.PING_SECONDS)
    return StreamingHttpResponse(body, content_type=MEDIA, headers=HEADERS)


async def _events(listening: _Listening, streams: Streams) -> AsyncGenerator[str, None]:
    """``blok`` with a section, ``stand`` with a sentence on it, and ``einde``. The id names the sources that are done."""
    try:
        with streams.one(listening.caller.visitor):
            yield f"retry: {_AGAIN_MILLISECONDS}\n\n"
            seen, done = Seen(), list[str]()
            query = listening.asked.broad(listening.federation.register)
            keys = (*listening.beside, *listening.wanted)
            async with aclosing(listening.federation.ask(query, keys, listening.caller)) as answers:
                async for answer in answers:
                    view = section_view(answer, listening.asked, now(), seen)
                    if answer.platform.key not in listening.wanted:
                        continue
                    done += [answer.platform.key] if answer.state.is_final else []
                    section = render_to_string("search/section.html", {"bron": view}, listening.request)
                    yield event("blok", section, ",".join(done))
                    yield event(
                        "stand", json.dumps({"bron": answer.platform.key, "zin": _said(answer)}, ensure_ascii=False)
                    )
    except TooManyStreamsError:
        pass
    yield event(_END, "", _END)


def _said(answer: PlatformAnswer) -> str:
    """What happened at a source, in a sentence that can be heard without what stands around it."""
    if answer.state is State.READY:
        return f"{answer.platform.name}: {texts.total(answer.total)}."
    return texts.state(answer, now())


def _text(text: str, status: HTTPStatus) -> HttpResponse:
    return HttpResponse(text, content_type="text/plain; charset=utf-8", status=status, headers=HEADERS)
