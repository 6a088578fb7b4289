"""What comes after an answer page was sent, as server-sent events: ``/zoeken/stroom`` with the parameters of ``/zoeken``.

Only a script asks for it. ``wacht`` names the sources that were not done, ``bij`` those that were, so that the same document is
shown once and what is said over all sources is whole; ``fout``, ``afgewezen`` and ``dicht`` those that gave no answer.

The calls are those of the page: single flight joins them, and the buffer has what came.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from connectors.language import say
from connectors.moments import now
from search.answers import PlatformAnswer, State
from search.carried import asked_of, federation_of, statuses_of, streams_of, visitor_of
from search.choices import understood
from search.exceptions import InvalidQuestionError
from search.federation import Federation, Patience
from search.missing import BODIES_SHOWN, YearsView, years
from search.parameters import Asked
from search.present import section_view, shared_views
from search.seen import Seen
from search.streams import HEADERS, MEDIA, Streams, TooManyStreamsError, event, nothing, with_pings
from search.whole import BESIDE, BESIDE_QUESTION, WAITS, whole, without_answer
from throttling.callers import Caller

_AGAIN_MILLISECONDS: Final = 3000
_RETRY_SECONDS: Final = 60
_END: Final = "einde"


@dataclass(frozen=True, slots=True)
class _Listening:
    """Who listens to what.

    ``asked`` is the question as it is read, ``typed`` as it stands in the address. ``wanted`` are the sources to send,
    ``beside`` those that are asked for what they have already, ``last`` the last answer of each source: of one that is to be
    sent, that it is being asked.
    """

    request: HttpRequest
    federation: Federation
    asked: Asked
    wanted: tuple[str, ...]
    beside: tuple[str, ...]
    caller: Caller
    typed: Asked
    last: dict[str, PlatformAnswer]
    seen: Seen = field(default_factory=Seen)

    @property
    def knows_the_page(self) -> bool:
        """Whether all that stood on the page is known again: before that, nothing can be said over all sources."""
        return all(self.last[key].state.is_final for key in self.beside)


@require_safe
async def stream(request: HttpRequest) -> HttpResponseBase:
    """The sections of sources that were not done, each as it comes. 204 ends a reader that has them all."""
    federation = federation_of(request)
    try:
        typed = asked_of(request, BESIDE_QUESTION)
    except InvalidQuestionError:
        return _text(say("Deze vraag kunnen we niet uitvoeren.") + "\n", HTTPStatus.BAD_REQUEST)
    done = frozenset(request.headers.get("Last-Event-ID", "")[:500].split(","))
    known = {connector.platform.key: connector.platform for connector in federation.connectors}
    given = dict(request.GET.lists())
    waits = [key for key in dict.fromkeys(given.get(WAITS, ())) if key in known]
    wanted = tuple(key for key in waits if key not in done)
    there = dict.fromkeys([*given.get(BESIDE, ()), *(key for key in waits if key in done)])
    beside = tuple(key for key in there if key in known and key not in wanted)
    if typed.is_empty or not wanted or _END in done:
        return HttpResponse(status=HTTPStatus.NO_CONTENT, headers=HEADERS)
    caller, streams = visitor_of(request), streams_of(request)
    if not streams.has_room(caller.visitor):
        refused = _text(say("Er staan al te veel van deze pagina's open.") + "\n", HTTPStatus.SERVICE_UNAVAILABLE)
        refused.headers["Retry-After"] = str(_RETRY_SECONDS)
        return refused
    patient = Patience(after_sent=settings.PAGE_SECONDS, page=settings.PAGE_SECONDS)
    asking = [PlatformAnswer(platform=known[key], state=State.BUSY) for key in (*beside, *wanted)]
    last = {one.platform.key: one for one in (*without_answer(given, known), *asking)}
    asked = understood(typed, federation).asked
    listening = _Listening(request, replace(federation, patience=patient), asked, wanted, beside, caller, typed, last)
    body = nothing() if request.method == "HEAD" else with_pings(_events(listening, streams), settings.PING_SECONDS)
    return StreamingHttpResponse(body, content_type=MEDIA, headers=HEADERS)


async def _events(listening: _Listening, streams: Streams) -> AsyncGenerator[str, None]:
    """``blok`` with a section, ``stand`` with what is said over all sources, and ``einde``. The id names who is done."""
    try:
        with streams.one(listening.caller.visitor):
            yield f"retry: {_AGAIN_MILLISECONDS}\n\n"
            held = await _held(listening)
            done, said = list[str](), ""
            query = listening.asked.broad(listening.federation.register)
            keys = (*listening.beside, *listening.wanted)
            async with aclosing(listening.federation.ask(query, keys, listening.caller)) as answers:
                async for answer in answers:
                    key = answer.platform.key
                    listening.last[key] = answer
                    view = section_view(answer, listening.asked, now(), listening.seen)
                    if key in listening.wanted:
                        done += [key] if answer.state.is_final else []
                        section = render_to_string("search/section.html", {"bron": view}, listening.request)
                        yield event("blok", section, ",".join(done))
                    if done and listening.knows_the_page and (words := _over_all(listening, held)) != said:
                        said = words
                        yield event("stand", said)
            if (words := _over_all(listening, held)) != said:
                yield event("stand", words)
    except TooManyStreamsError:
        pass
    yield event(_END, "", _END)


async def _held(listening: _Listening) -> tuple[YearsView, ...]:
    """What the sources hold of the bodies that were asked for."""
    statuses, bodies = statuses_of(listening.request), listening.asked.query.organisations[:BODIES_SHOWN]
    if not bodies:
        return ()
    rows, looked = await statuses.rows(), await statuses.looked()
    return years(bodies, rows, now(), looked, listening.federation)


def _over_all(listening: _Listening, held: tuple[YearsView, ...]) -> str:
    """What stands on the page over all sources: the sentence, the title, and the box where nothing was found (or nothing)."""
    asked = listening.asked
    said = whole(listening.last.values(), asked, listening.federation, listening.seen.copies)
    box = ""
    if said.nothing:
        context = {"niets": said.nothing, "jaren": held}
        box = render_to_string("search/_nothing.html", context, listening.request)
    shared = shared_views(listening.seen)
    both = render_to_string("search/_shared.html", {"gedeeld": shared}, listening.request) if shared else ""
    return json.dumps({"zin": said.summary, "titel": said.title, "niets": box, "gedeeld": both}, ensure_ascii=False)


def _text(text: str, status: HTTPStatus) -> HttpResponse:
    return HttpResponse(text, content_type="text/plain; charset=utf-8", status=status, headers=HEADERS)
