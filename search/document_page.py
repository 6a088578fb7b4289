"""The page of one document, or what stands in its place.

A document that is there at once is an ordinary response with the status that fits. While its call waits for a turn the page
says so, begins to stream, and goes on by itself: its status is 200 by then, whatever comes.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, StreamingHttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from connectors.connector import Connector
from connectors.exceptions import (
    ClosedError,
    ConnectorError,
    GoneError,
    NotSupportedError,
    OverLimitError,
    QueueFullError,
    ReplacedError,
    TakenDownError,
    TooSlowError,
    WithdrawnError,
)
from connectors.language import here, later, say
from connectors.moments import now
from connectors.platforms import Platform
from connectors.records import Document
from search import fault_texts, texts
from search.address_names import unknown_names
from search.answers import PlatformAnswer
from search.carried import federation_of, visitor_of
from search.document_view import document_view, elsewhere_view
from search.document_words import asks_elsewhere
from search.elsewhere import look_elsewhere, perhaps_at
from search.exceptions import FieldFault
from search.federation import StillWaitingError, failed
from search.finding import read_finder
from search.own_search import own_page
from search.parameters import YES
from search.present import document_path

FIND: Final = "in-stuk"
"""The parameter with the words to find in a document."""
ELSEWHERE: Final = "elders"
"""The parameter that asks other platforms for the same document."""
_TAKEN_DOWN: Final = later(
    "Dit stuk van {name} tonen we hier niet meer: de beheerder van deze website heeft het weggehaald."
)
_ANSWER_SECONDS = 5  # what a call needs after its turn came
_Opening = AsyncGenerator[PlatformAnswer | Document, None]


@dataclass(frozen=True, slots=True)
class _Instead:
    """What a page says in the place of a document. ``link``: to what took its place.

    ``says_when``: the text itself says when to come back, or that it makes no sense. ``elsewhere``: it may still be there.
    ``at_source``: its page at the source, empty where its number does not give that.
    """

    status: HTTPStatus
    text: str
    retry_after: int | None = None
    link: str = ""
    says_when: bool = False
    elsewhere: bool = False
    at_source: str = ""


@require_safe
async def document(request: HttpRequest, platform: str, upstream_id: str) -> HttpResponseBase:
    """One document with its text, its source and how to cite it."""
    federation = federation_of(request)
    connector = federation.connector(platform)
    if connector is None:
        return _page(
            request, _Instead(HTTPStatus.NOT_FOUND, say("Deze bron kennen we niet, of we vragen haar nog niet."))
        )
    canonical, unknown = connector.canonical_id(upstream_id), unknown_names(request.GET, (FIND, ELSEWHERE))
    if canonical is None or unknown:
        why = say("Dit is geen nummer van {name}.", name=connector.platform.name)
        return _unknown(request, unknown) if canonical else _page(request, _Instead(HTTPStatus.NOT_FOUND, why))
    if canonical != upstream_id:
        asked = {name: request.GET[name] for name in (FIND, ELSEWHERE) if name in request.GET}
        return HttpResponseRedirect(f"{document_path(platform, canonical)}{'?' if asked else ''}{urlencode(asked)}")
    opening = federation.opening(connector, canonical, visitor_of(request))
    try:
        first = await anext(opening)
        while isinstance(first, PlatformAnswer):
            if request.method == "GET":
                return _private(_streaming(request, connector, canonical, first, opening))
            first = await anext(opening)
    except (ConnectorError, StillWaitingError) as error:
        return _page(request, _instead(connector.platform, error, canonical))
    await opening.aclose()
    return _private(await _printed(request, first, connector))


def _unknown(request: HttpRequest, faults: Sequence[FieldFault]) -> HttpResponse:
    """What in the address says nothing here, with the address of the document without it."""
    known = {name: request.GET.getlist(name) for name in (FIND, ELSEWHERE) if name in request.GET}
    address = here(request.path_info) + ("?" if known else "") + urlencode(known, doseq=True)
    told = [fault_texts.fault(one, settings.QUESTION_MAX_CHARACTERS) for one in faults]
    context = {"fouten": told, "adres": address}
    return render(request, "search/unknown_name.html", context, status=HTTPStatus.BAD_REQUEST)


async def _printed(request: HttpRequest, document: Document, connector: Connector) -> HttpResponseBase:
    """The page of a document that is there; in parts when other sources are asked for it too."""
    perhaps = perhaps_at(document, federation_of(request))
    if _looks(request):
        return _unbuffered(_whole(request, document, connector, perhaps))
    context = await _found(request, document, connector, perhaps)
    context["elders"] = elsewhere_view(perhaps, None)
    return render(request, "search/document.html", context)


def _private(response: HttpResponseBase) -> HttpResponseBase:
    response.headers["Cache-Control"] = "private, no-store"
    return response


def _streaming(
    request: HttpRequest, connector: Connector, number: str, first: PlatformAnswer, opening: _Opening
) -> StreamingHttpResponse:
    response = _unbuffered(_stream(request, connector, number, first, opening))
    response.headers["X-Robots-Tag"] = "noindex"  # what comes may be no document, and the status cannot say so any more
    return response


def _unbuffered(pieces: AsyncIterator[str]) -> StreamingHttpResponse:
    response = StreamingHttpResponse(pieces, content_type="text/html; charset=utf-8")
    response.headers["X-Accel-Buffering"] = "no"  # a proxy must hand each part on as it comes
    return response


async def _stream(
    request: HttpRequest, connector: Connector, number: str, first: PlatformAnswer, opening: _Opening
) -> AsyncIterator[str]:
    """The page of a document that has to wait: that it does, again when it takes longer, and what came of it."""
    title = say("Stuk van {name} – BesluitBron", name=connector.platform.name)
    context = {"titel": title, "wacht": _wait(first)}
    yield render_to_string("search/document_begin.html", context, request)
    try:
        async with aclosing(opening):
            async for item in opening:
                if isinstance(item, PlatformAnswer):
                    yield render_to_string("search/_document_waits.html", {"wacht": _wait(item)}, request)
                else:
                    perhaps = perhaps_at(item, federation_of(request))
                    async for piece in _parts(request, item, connector, perhaps):
                        yield piece
    except (ConnectorError, StillWaitingError) as error:
        instead = _instead(connector.platform, error, number)
        yield render_to_string("search/_no_document.html", _shown(instead), request)
    yield render_to_string("_bottom.html", {}, request)


async def _whole(
    request: HttpRequest, document: Document, connector: Connector, perhaps: Sequence[Platform]
) -> AsyncIterator[str]:
    """The page of a document that is there, while other sources are asked for it."""
    head = {"titel": f"{document.title} – BesluitBron", "titel_van_bron": True}
    yield render_to_string("_top.html", head, request)
    async for piece in _parts(request, document, connector, perhaps):
        yield piece
    yield render_to_string("_bottom.html", {}, request)


async def _parts(
    request: HttpRequest, document: Document, connector: Connector, perhaps: Sequence[Platform]
) -> AsyncIterator[str]:
    """The document, and what other sources have of it: who may have it, or that they are asked, who waits, what came."""
    yield render_to_string("search/_document.html", await _found(request, document, connector, perhaps), request)
    federation = federation_of(request)
    if perhaps and _looks(request):
        yield render_to_string("search/_document_waits.html", {"wacht": asks_elsewhere(perhaps)}, request)
        async with aclosing(look_elsewhere(document, federation, visitor_of(request))) as looking:
            async for item in looking:
                if isinstance(item, PlatformAnswer):
                    yield render_to_string("search/_document_waits.html", {"wacht": _wait(item)}, request)
                else:
                    context = {"elders": elsewhere_view(perhaps, item)}
                    yield render_to_string("search/_elsewhere.html", context, request)
    else:
        nobody_looked: dict[str, Any] = {"elders": elsewhere_view(perhaps, None), "stuk": {"path": request.path}}
        yield render_to_string("search/_elsewhere.html", nobody_looked, request)


def _looks(request: HttpRequest) -> bool:
    """Whether other sources are to be asked for the document."""
    return request.GET.get(ELSEWHERE) == YES and request.method == "GET"


def _wait(answer: PlatformAnswer) -> str:
    return texts.planned(answer, now())


async def _found(
    request: HttpRequest, document: Document, connector: Connector, perhaps: Sequence[Platform]
) -> dict[str, Any]:
    """The document, with the words to find in it (``in-stuk``) marked."""
    finder = read_finder(request.GET.get(FIND, ""), settings.QUESTION_MAX_CHARACTERS)
    if not finder:
        return {"stuk": document_view(document, connector.platform, now(), perhaps=perhaps)}
    # Words in a report of 900 pages take a second: other readers must not wait for it.
    return {"stuk": await asyncio.to_thread(document_view, document, connector.platform, now(), finder, perhaps)}


def _instead(platform: Platform, error: ConnectorError | StillWaitingError, number: str) -> _Instead:
    """What to say when the document ``number`` did not come: what happened, with the status that says so."""
    name, at_source = platform.name, own_page(platform, number)
    why, says_when = say("Het is nu te druk bij {name}.", name=name), False
    match error:
        case ReplacedError(successor=successor):
            link = document_path(platform.key, successor)
            return _Instead(HTTPStatus.NOT_FOUND, say("Dit stuk is bij {name} vervangen.", name=name), link=link)
        case TakenDownError() | GoneError():
            return _no_more(name, error)
        case NotSupportedError():
            return _Instead(HTTPStatus.NOT_FOUND, texts.not_supported(name, error))
        case QueueFullError(retry_after=seconds) | OverLimitError(retry_after=seconds):
            wait: int | None = math.ceil(seconds)
        case StillWaitingError(seconds=seconds):
            wait, says_when = math.ceil(seconds) + _ANSWER_SECONDS, True
            why = texts.still_waiting(name, now() + timedelta(seconds=wait))
        case ClosedError(retry_after=seconds):
            wait = None if seconds is None else math.ceil(seconds)
            says_when = bool(error.text)
            why = texts.no_document(failed(platform, error))
        case _:
            status = HTTPStatus.GATEWAY_TIMEOUT if isinstance(error, TooSlowError) else HTTPStatus.BAD_GATEWAY
            return _Instead(status, texts.no_document(failed(platform, error)), at_source=at_source)
    return _Instead(HTTPStatus.SERVICE_UNAVAILABLE, why, wait, says_when=says_when, at_source=at_source)


def _no_more(name: str, error: TakenDownError | GoneError) -> _Instead:
    """What to say of a document that is not there, or not here, and will not be."""
    match error:
        case TakenDownError():
            return _Instead(HTTPStatus.GONE, say(_TAKEN_DOWN, name=name), elsewhere=True)
        case WithdrawnError():
            said = say("{name} heeft dit stuk ingetrokken. Het nummer klopt, maar de tekst is er niet meer.", name=name)
            return _Instead(HTTPStatus.GONE, said, says_when=True)
        case _:
            return _Instead(HTTPStatus.NOT_FOUND, say("{name} heeft dit stuk niet (meer).", name=name))


def _page(request: HttpRequest, page: _Instead) -> HttpResponse:
    response = render(request, "search/no_document.html", _shown(page), status=page.status)
    if page.retry_after is not None:
        response.headers["Retry-After"] = str(page.retry_after)
    return response


def _shown(page: _Instead) -> dict[str, Any]:
    return {
        "tekst": page.text,
        "vervanger": page.link,
        "later": page.status >= HTTPStatus.INTERNAL_SERVER_ERROR,
        "zegt_wanneer": page.says_when,
        "weggehaald": page.elsewhere,
        "bij_bron": page.at_source,
    }
