"""A search as a file or a feed: ``/zoeken.csv``, ``.ris``, ``.json``, ``.atom``, with the parameters of ``/zoeken``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.views.decorators.http import require_safe

from connectors.language import Language, say, speaking
from search import fault_texts
from search.answers import State
from search.carried import asked_of, federation_of, visitor_of
from search.exceptions import InvalidQuestionError
from search.exports.data import data
from search.exports.feed import MOST_ENTRIES, feed, mark
from search.exports.gathering import MOST_ROWS, Gathered, gather
from search.exports.references import references
from search.exports.table import table
from search.parameters import Asked
from throttling.callers import house

_AGAIN_SECONDS: Final = 60


@dataclass(frozen=True, slots=True)
class Form:
    """One form of an export: its media type, and what writes it from what was gathered and the address of the site."""

    media: str
    write: Callable[[Gathered, str], bytes]


def _as_data(gathered: Gathered, site: str) -> bytes:
    return data(gathered, f"{site}/zoeken?{gathered.asked.address()}")


def _as_references(gathered: Gathered, site: str) -> bytes:
    del site
    return references(gathered)


FORMS: Final = {
    "csv": Form("text/csv; charset=utf-8; header=present", table),
    "ris": Form("application/x-research-info-systems; charset=utf-8", _as_references),
    "json": Form("application/json; charset=utf-8", _as_data),
}


@require_safe
async def export(request: HttpRequest, form: str) -> HttpResponse:
    """The search as a file to keep."""
    asked = _asked(request)
    if isinstance(asked, HttpResponse):
        return asked
    gathered = await gather(federation_of(request), asked, visitor_of(request), MOST_ROWS)
    if not gathered.has_answer:
        return _nothing(gathered)
    with speaking(Language.DUTCH):  # a file has one language, whatever the page was that led to it (decision 0020)
        written = FORMS[form].write(gathered, settings.SITE_ADDRESS)
    response = HttpResponse(written, content_type=FORMS[form].media)
    response.headers["Content-Disposition"] = f'attachment; filename="besluitbron-{gathered.made_at:%Y-%m-%d}.{form}"'
    response.headers["Cache-Control"] = "private, no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


@require_safe
async def atom(request: HttpRequest) -> HttpResponse:
    """The search as a feed. Readers of feeds are the house without a visitor: one call at a time, after all others."""
    asked = _asked(request)
    if isinstance(asked, HttpResponse):
        return asked
    gathered = await gather(federation_of(request), asked, house(), MOST_ENTRIES)
    if not gathered.has_answer:
        return _nothing(gathered)
    body = feed(gathered, settings.SITE_ADDRESS)
    tag = mark(gathered, settings.SITE_ADDRESS)
    known = {given.strip() for given in request.headers.get("If-None-Match", "").split(",")}
    response = (
        HttpResponseNotModified()
        if known & {tag, tag.removeprefix("W/"), "*"}
        else HttpResponse(body, content_type="application/atom+xml; charset=utf-8")
    )
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _asked(request: HttpRequest) -> Asked | HttpResponse:
    """The question, or why there is none, as text: whoever fetches a file reads no page."""
    try:
        asked = asked_of(request)
    except InvalidQuestionError as error:
        faults = [fault_texts.fault(fault, settings.QUESTION_MAX_CHARACTERS) for fault in error.faults]
        return _text("\n".join([say("Deze zoekopdracht kunnen we niet uitvoeren."), *faults]), HTTPStatus.BAD_REQUEST)
    if asked.is_empty:
        said = say("Er staat geen vraag in dit adres. Zoek eerst, en kies dan een bestand.")
        return _text(said, HTTPStatus.BAD_REQUEST)
    return asked


def _nothing(gathered: Gathered) -> HttpResponse:
    """No platform answered: that is no empty file."""
    said = "\n".join((say("Geen van de bronnen gaf antwoord. Er is dus geen bestand gemaakt."), *gathered.remarks))
    if all(answer.state is State.NOT_SUPPORTED for answer in gathered.answers):
        unfit = "\n".join((say("Deze vraag past bij geen van de bronnen."), *gathered.remarks))
        return _text(unfit, HTTPStatus.BAD_REQUEST)
    response = _text(said, HTTPStatus.SERVICE_UNAVAILABLE)
    response.headers["Retry-After"] = str(_AGAIN_SECONDS)
    return response


def _text(text: str, status: HTTPStatus) -> HttpResponse:
    response = HttpResponse(f"{text}\n", content_type="text/plain; charset=utf-8", status=status)
    response.headers["Cache-Control"] = "private, no-store"
    return response


@require_safe
async def opensearch(request: HttpRequest) -> HttpResponse:
    """The description with which a browser adds BesluitBron to its search engines (OpenSearch 1.1)."""
    context = {"adres": settings.SITE_ADDRESS}
    return render(
        request, "search/opensearch.xml", context, content_type="application/opensearchdescription+xml; charset=utf-8"
    )
