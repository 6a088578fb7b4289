"""A report as a file: ``/rapporten/<token>.csv``, ``.json``, ``.ris``, ``.pdf``. In Dutch; why there is none, as the page."""

from __future__ import annotations

import math
from datetime import datetime
from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from connectors.language import Language, later, say, speaking
from connectors.moments import AMSTERDAM
from reports import page, words
from reports.doors import Reception, reception_of
from reports.exceptions import DeskClosedError
from reports.exports.forms import FORMS, is_heavy
from reports.exports.pressing import NotPrintedError
from reports.records import Report
from reports.refusals import told
from search import wording
from search.carried import federation_of

_AGAIN_SECONDS: Final = 15
_NO_PAPER: Final = later(
    "Van dit rapport is dit bestand er niet: het kon niet worden gemaakt of bewaard. U kunt de pagina zelf afdrukken, of een "
    "ander bestand kiezen."
)


@require_safe
async def export(request: HttpRequest, token: str, form: str) -> HttpResponse:
    """The report as a file to keep."""
    here = reception_of(request)
    try:
        kept = await here.desk.file(token, form)
        found = await _found(request, here, token) if kept is None else None
    except DeskClosedError as error:
        return _later(say("Rapporten kunnen nu even niet. Het rapport blijft bewaard."), error.retry_after)
    if kept is not None:
        return _file(kept.content, kept.made_at, form)
    if not isinstance(found, Report):
        assert found is not None
        return found
    return (
        _file(b"", found.made_at, form) if request.method == "HEAD" else await _made(request, here, found, token, form)
    )


async def _made(request: HttpRequest, here: Reception, found: Report, token: str, form: str) -> HttpResponse:
    """A file of a report with few rows, made now."""
    try:
        with speaking(Language.DUTCH):  # a file has one language, whatever the page was that led to it (decision 0020)
            about = page.subject(found.wish, federation_of(request).register)
            made = await FORMS[form].write(found, about, settings.SITE_ADDRESS, here.press)
    except NotPrintedError as error:
        if error.busy:
            return _later(say("Er worden nu al bestanden gemaakt. Probeer het zo opnieuw."), _AGAIN_SECONDS)
        return _none(request, token, HTTPStatus.INTERNAL_SERVER_ERROR)
    return _file(made, found.made_at, form)


async def _found(request: HttpRequest, here: Reception, token: str) -> Report | HttpResponse:
    """The report, or why there is no file of it. Raises ``DeskClosedError``."""
    fetched = await here.fetch(token)
    if fetched is None:
        gone = say("Dit rapport is er niet (meer). We bewaren een rapport {days} dagen.", days=here.terms().days)
        return _text(gone, HTTPStatus.NOT_FOUND)
    standing, found = fetched
    if found is None:
        said = wording.joined(say("Er is geen bestand van dit rapport."), words.sentence(standing))
        return _text(said, HTTPStatus.NOT_FOUND) if standing.status.is_final else _later(said, _AGAIN_SECONDS)
    # a large one gets its files with the report: what is not there now could not be made, or is of an earlier version
    return _none(request, token, HTTPStatus.NOT_FOUND) if is_heavy(found) else found


def _none(request: HttpRequest, token: str, status: HTTPStatus) -> HttpResponse:
    """A page that says so, with the way back: a link of the report's own page led here."""
    return _secret(told(request, status, say("Dit bestand is er niet"), say(_NO_PAPER), terug=page.address(token)))


def _file(made: bytes, at: datetime, form: str) -> HttpResponse:
    day = at.astimezone(AMSTERDAM)
    response = HttpResponse(made, content_type=FORMS[form].media)
    response.headers["Content-Disposition"] = f'attachment; filename="rapport-besluitbron-{day:%Y-%m-%d}.{form}"'
    return _secret(response)


def _later(text: str, seconds: float) -> HttpResponse:
    response = _text(text, HTTPStatus.SERVICE_UNAVAILABLE)
    response.headers["Retry-After"] = str(math.ceil(seconds))
    return response


def _text(text: str, status: HTTPStatus) -> HttpResponse:
    return _secret(HttpResponse(f"{text}\n", content_type="text/plain; charset=utf-8", status=status))


def _secret(response: HttpResponse) -> HttpResponse:
    response.headers["Cache-Control"] = "private, no-store"
    response.headers["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    return response
