"""The pages in the place of a report: what was wrong, what it means, and what can be done."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from connectors.language import say
from connectors.moments import now
from reports import door_words, words
from reports.doors import Terms
from reports.exceptions import COME_BACK, DeskClosedError, WishRefusedError
from reports.forms import Wrong
from reports.records import Reason
from reports.sealing import TOKEN_LENGTH
from search import wording
from throttling.store import StoreLostError

_STATUS: Final[Mapping[Reason, HTTPStatus]] = {
    Reason.HOUR: HTTPStatus.TOO_MANY_REQUESTS,
    Reason.NOTHING: HTTPStatus.BAD_REQUEST,
    Reason.TOO_LONG: HTTPStatus.BAD_REQUEST,
}


def told(request: HttpRequest, status: HTTPStatus, title: str, *sentences: str, **more: Any) -> HttpResponse:
    """A page that says what is wrong."""
    context = {"titel": f"{title} – BesluitBron", "hoofd": title, "zinnen": sentences, "vaste_link": "", **more}
    answer = render(request, "reports/geen.html", context, status=status)
    answer.headers["Cache-Control"] = "private, no-store"
    answer.headers["X-Robots-Tag"] = "noindex"
    return answer


def refused(
    request: HttpRequest, error: WishRefusedError, back: str, again: Callable[[], Mapping[str, Any]]
) -> HttpResponse:
    """No report is made: 429 with when, for who asked too many; 400 where asking the same never helps; else 503.

    ``back``: the address of the answers it was asked from; ``again``: a new form for the same question, which stands on
    the page where asking the same may help later.
    """
    at = now()
    status = _STATUS.get(error.reason, HTTPStatus.SERVICE_UNAVAILABLE)
    title = {
        HTTPStatus.BAD_REQUEST: say("Dit rapport kan niet"),
        HTTPStatus.TOO_MANY_REQUESTS: say("U vroeg te veel rapporten"),
    }.get(status, say("Rapport wegens grote drukte geweigerd"))
    when = words.come_back(error.reason, error.come_back_at, at)
    said = wording.joined(words.reason(error.reason), when)
    more = {} if status is HTTPStatus.BAD_REQUEST else {**again(), "opnieuw": True}
    answer = told(request, status, title, said, antwoorden=back, **more)
    if error.come_back_at is not None and status is not HTTPStatus.BAD_REQUEST:
        answer.headers["Retry-After"] = str(max(math.ceil((error.come_back_at - at).total_seconds()), 1))
    return answer


def unread(request: HttpRequest, error: DeskClosedError) -> HttpResponse:
    """503: how a report stands cannot be seen now."""
    kept = say("Een rapport dat er al was, blijft bewaard."), say("Ververs deze pagina over een minuut.")
    return _closed(request, error, *kept)


def closed(
    request: HttpRequest, error: DeskClosedError | StoreLostError, doing: door_words.Doing, **more: Any
) -> HttpResponse:
    """503: a form was sent, and something of our own is away: before anything was done, or maybe just after.

    ``more``: the ways on from that page; loading it again would send a form that may have been used.
    """
    unsure = isinstance(error, DeskClosedError) and error.unsure
    return _closed(request, error, *door_words.closed_means(doing, unsure=unsure), **more)


def _closed(request: HttpRequest, error: DeskClosedError | StoreLostError, *means: str, **more: Any) -> HttpResponse:
    said = wording.joined(door_words.closed(), *means)
    answer = told(request, HTTPStatus.SERVICE_UNAVAILABLE, say("Rapporten kunnen nu even niet"), said, **more)
    answer.headers["Retry-After"] = str(error.retry_after if isinstance(error, DeskClosedError) else COME_BACK)
    return answer


def no_page(request: HttpRequest, back: str) -> HttpResponse:
    """405: what only a form is sent to was opened as a page."""
    answer = told(
        request,
        HTTPStatus.METHOD_NOT_ALLOWED,
        say("Hier staat geen pagina"),
        say("Dit is het adres van de knop waarmee u een rapport annuleert. Er is niets gebeurd."),
        terug=back,
    )
    answer.headers["Allow"] = "POST"
    return answer


def unknown(request: HttpRequest, terms: Terms) -> HttpResponse:
    """404: no report can have this address."""
    return told(
        request,
        HTTPStatus.NOT_FOUND,
        say("Dit is geen adres van een rapport"),
        say(
            "Achter “/rapporten/” staat bij een rapport een rij van {length} letters, cijfers en streepjes, en achter een "
            "bestand nog een punt met de vorm. Kijk of u het hele adres hebt overgenomen.",
            length=TOKEN_LENGTH,
        ),
        say("We bewaren een rapport {days} dagen; daarna werkt het adres niet meer.", days=terms.days),
        say("Zoek opnieuw, en vraag onder de antwoorden een nieuw rapport aan."),
        over_rapporten=True,
    )


def not_here(request: HttpRequest, terms: Terms) -> HttpResponse:
    """404: never was, or was removed."""
    return told(
        request,
        HTTPStatus.NOT_FOUND,
        say("Dit rapport is er niet (meer)"),
        say(
            "Het adres klopt niet, of het rapport is weggehaald. We bewaren een rapport {days} dagen.", days=terms.days
        ),
        say("Zoek opnieuw, en vraag onder de antwoorden een nieuw rapport aan."),
        over_rapporten=True,
    )


def too_large(request: HttpRequest) -> HttpResponse:
    """413."""
    return told(
        request,
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        say("Dit formulier is te groot"),
        say(
            "Er kwam meer binnen dan we lezen. Er is niets gebeurd. Ga terug naar de antwoorden en probeer het opnieuw."
        ),
    )


def wrong_form(request: HttpRequest, wrong: Wrong, more: Mapping[str, Any]) -> HttpResponse:
    """403, with a new form or the way back: whoever meant it needs one press."""
    return told(request, HTTPStatus.FORBIDDEN, say("Dit formulier werkt niet meer"), door_words.form(wrong), **more)
