"""The pages of reports for people: ask for one, see how it stands, read it, cancel it. Thin, and without scripts complete."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    QueryDict,
    StreamingHttpResponse,
)
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_http_methods, require_safe

from connectors.language import say
from reports import forms, page, words
from reports.door_words import Doing
from reports.doors import Reception, Terms, reception_of
from reports.exceptions import DeskClosedError, WishRefusedError
from reports.forms import BadFormError, Purpose
from reports.page import Subject
from reports.records import BodyPart, Reason, Report, ReportStatus, Standing, Wish
from reports.refusals import closed, no_page, not_here, refused, told, too_large, unknown, unread, wrong_form
from search import fault_texts
from search.carried import federation_of, visitor_of
from search.choices import zoeken
from search.exceptions import InvalidQuestionError
from search.parameters import Asked
from search.streams import nothing
from throttling.store import StoreLostError

SECONDS: Final = 30
"""How often a page that waits is fetched again by a browser without our script, when its reader wants that."""
SCRIPT_SECONDS: Final = 10
_FORM: Final = "application/x-www-form-urlencoded"
_REFRESH: Final = ("ververs", "aan")


def below_answers(here: Reception) -> Callable[[Asked], Mapping[str, Any]]:
    """What stands below the answers of a search: the form that asks for a report of it."""
    return lambda asked: {"eronder": "reports/_aanvragen.html", "rapport": offer(asked, here.terms())}


def offer(asked: Asked, terms: Terms) -> dict[str, Any]:
    """What the form that asks for a report of ``asked`` needs."""
    target = asked.address(pagina=None)
    return {
        "doel": target,
        "formulier": forms.signed(Purpose.ASK, target),
        "kort": words.in_short(terms),
        "voorwaarden": words.terms(terms),
    }


@require_http_methods(["GET", "HEAD", "POST"])
async def reports(request: HttpRequest) -> HttpResponseBase:
    """What a report is; and by POST: ask for one."""
    here = reception_of(request)
    if request.method != "POST":
        return secret(render(request, "reports/uitleg.html", {"voorwaarden": words.terms(here.terms())}))
    given = _given(request)
    return given if isinstance(given, HttpResponse) else await _ask(request, here, given)


async def _ask(request: HttpRequest, here: Reception, given: QueryDict) -> HttpResponseBase:
    """Take on what a form asks for, or say why not."""
    target = given.get("zoekvraag", "")
    try:
        asked = page.read(target, federation_of(request).register)
    except InvalidQuestionError as error:
        faults = [fault_texts.fault(fault, settings.QUESTION_MAX_CHARACTERS) for fault in error.faults]
        return told(request, HTTPStatus.BAD_REQUEST, say("Dit rapport kan niet"), *faults, antwoorden=zoeken(target))
    try:
        if asked.is_empty:
            raise WishRefusedError(Reason.NOTHING)  # noqa: TRY301 - told as when the desk says it
        await forms.use(given.get("formulier", ""), Purpose.ASK, target, here.spent)
        standing = await here.desk.ask(Wish(asked.address(pagina=None)), _requester(request))
    except BadFormError as error:
        return wrong_form(request, error.wrong, offer(asked, here.terms()))
    except WishRefusedError as error:
        return refused(request, error, _answers(asked), lambda: offer(asked, here.terms()))
    except (DeskClosedError, StoreLostError) as error:
        ways = {"antwoorden": _answers(asked), "opnieuw": True, **offer(asked, here.terms())}
        return closed(request, error, Doing.ASK, **ways)
    return secret(HttpResponseRedirect(page.address(standing.token), status=HTTPStatus.SEE_OTHER))


@require_safe
async def report(request: HttpRequest, token: str) -> HttpResponseBase:
    """One report: how it stands, or what it says."""
    here = reception_of(request)
    try:
        fetched = await here.fetch(token)
    except DeskClosedError as error:
        return unread(request, error)
    if fetched is None:
        return not_here(request, here.terms())
    standing, found = fetched
    if found is None:
        return _state(request, standing, here)
    if request.method != "GET":
        return secret(StreamingHttpResponse(nothing(), content_type="text/html; charset=utf-8"))
    return secret(StreamingHttpResponse(_pieces(request, standing, found), content_type="text/html; charset=utf-8"))


@require_safe
def no_report(request: HttpRequest, rest: str = "") -> HttpResponseBase:
    """An address below those of reports that no report can have."""
    del rest
    return unknown(request, reception_of(request).terms())


async def cancel(request: HttpRequest, token: str) -> HttpResponseBase:
    """Cancel a report; whoever knows its address may. Who opens this address as a page finds the way back."""
    if request.method != "POST":
        return no_page(request, page.address(token))
    here = reception_of(request)
    given = _given(request)
    if isinstance(given, HttpResponse):
        return given
    try:
        standing = await here.desk.standing(token)
        if standing is None:
            return not_here(request, here.terms())
        if not standing.status.is_final:
            await forms.use(given.get("formulier", ""), Purpose.CANCEL, token, here.spent)
            await here.desk.cancel(token)
    except BadFormError as error:
        return wrong_form(request, error.wrong, {"terug": page.address(token)})
    except (DeskClosedError, StoreLostError) as error:
        return closed(request, error, Doing.CANCEL, terug=page.address(token))
    return secret(HttpResponseRedirect(page.address(token), status=HTTPStatus.SEE_OTHER))


def secret(response: HttpResponseBase) -> HttpResponseBase:
    """An answer whose address is a secret: kept by nobody, and in no index.

    To other sites it does not go either: every page of ours is sent with the policy ``same-origin`` for referrers. Not with
    ``no-referrer``: then a browser hides from us too where a form of this page was sent.
    """
    response.headers["Cache-Control"] = "private, no-store"
    response.headers["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    return response


def _given(request: HttpRequest) -> QueryDict | HttpResponse:
    """The fields of a form, or why they are not read."""
    if not forms.is_own(request.headers, request.get_host(), settings.SITE_ADDRESS):
        return told(
            request,
            HTTPStatus.FORBIDDEN,
            say("Dit mag niet"),
            say("Dit formulier werd niet verstuurd vanaf deze website. Er is niets gebeurd."),
        )
    if len(request.body) > forms.MOST_BYTES:
        return too_large(request)
    if request.content_type != _FORM:
        return told(
            request,
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            say("Dit verzoek begrijpen we niet"),
            say("Dit is geen formulier van deze website. Er is niets gebeurd."),
        )
    return QueryDict(request.body, encoding="utf-8")


def _answers(asked: Asked) -> str:
    """The address of the answers that somebody asked a report of, as they had them; nothing where nothing was asked."""
    return "" if asked.is_empty else zoeken(asked.address())


def _requester(request: HttpRequest) -> str:
    """The key under which somebody's reports are counted; an address is not in it."""
    caller = visitor_of(request)
    return caller.visitor or caller.session


def _state(request: HttpRequest, standing: Standing, here: Reception) -> HttpResponseBase:
    about = page.subject(standing.wish, federation_of(request).register)
    by_itself = request.GET.get(_REFRESH[0]) == _REFRESH[1] and not standing.status.is_final
    context = {
        "kop": "reports/_kop_stand.html",
        "titel": f"{words.head(standing)} – BesluitBron",
        "hoofd": words.head(standing),
        "over": about,
        "stand": standing,
        "staat": words.state(standing.status),
        "zin": words.sentence(standing),
        "op_weg": not standing.status.is_final,
        "opnieuw": standing.status in {ReportStatus.REFUSED, ReportStatus.FAILED, ReportStatus.CANCELLED},
        "fout": standing.status in {ReportStatus.REFUSED, ReportStatus.FAILED},
        "bezig": standing.status is ReportStatus.BUSY and standing.size > 0,
        "klaar_delen": min(standing.done, standing.size),
        "gevraagd_op": words.moment(standing.asked_at),
        "nu": words.moment(standing.now),
        "seconden": SECONDS,
        "vanzelf": by_itself,
        "script_seconden": SCRIPT_SECONDS,
        "adres": page.address(standing.token),
        "doel": standing.wish.target,
        "formulier": forms.signed(Purpose.CANCEL, standing.token),
        "nieuw_formulier": forms.signed(Purpose.ASK, standing.wish.target),
        "dagen": here.terms().days,
        "vaste_link": "",
    }
    return secret(render(request, "reports/stand.html", context))


async def _pieces(request: HttpRequest, standing: Standing, found: Report) -> AsyncIterator[str]:
    """The page in pieces, made beside the event loop: a long report keeps no other page waiting."""
    about = page.subject(found.wish, federation_of(request).register)
    context = page.head(found, about, standing.token, words.moment(standing.kept_until))
    yield render_to_string("reports/rapport_begin.html", context, request)
    for place, body in enumerate(found.overview.bodies, 1):
        yield await asyncio.to_thread(_body, body, place, about, request)
    yield render_to_string("reports/rapport_eind.html", context, request)


def _body(body: BodyPart, place: int, about: Subject, request: HttpRequest) -> str:
    return render_to_string(
        "reports/_organisatie.html", {"organisatie": page.body_view(body, place, about.found)}, request
    )
