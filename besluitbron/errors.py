"""The pages for when something is wrong, and what robots may read. They use no database and ask no platform."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe
from starlette.responses import HTMLResponse, Response
from starlette.types import Scope

from admission.problems import Refusals
from admission.shown import DISCOVERY
from besluitbron.context import site
from connectors.language import say, say_number
from throttling.problems import Kinds, Problem

_FOR_PROGRAMS: Final = ("/api/", "/mcp/")
_NOT_FOR_ROBOTS = (
    *("/zoeken", "/document/", "/rapporten/", "/en/zoeken", "/en/document/", "/en/rapporten/", "/api/v1/", "/beheer/"),
)
_ROBOTS = "User-agent: *\n" + "".join(f"Disallow: {path}\n" for path in _NOT_FOR_ROBOTS)


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Answers and documents are not for crawlers: each visit would cost the platforms calls."""
    del request
    pointer = f"# Agents: {settings.SITE_ADDRESS}{DISCOVERY}\n"
    return HttpResponse(pointer + _ROBOTS, content_type="text/plain; charset=utf-8")


def _page(request: HttpRequest, status: HTTPStatus, title: str, text: str) -> HttpResponse:
    return render(request, "error.html", {"titel": title, "tekst": text}, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400."""
    del exception
    return _page(
        request,
        HTTPStatus.BAD_REQUEST,
        say("Dit verzoek begrijpen we niet"),
        say("Er stond iets in het adres dat niet kan. Ga naar de voorpagina en stel uw vraag opnieuw."),
    )


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """403."""
    del exception
    return _page(
        request,
        HTTPStatus.FORBIDDEN,
        say("Dit mag niet"),
        say("U hebt geen toegang tot deze pagina. Meld u eerst aan."),
    )


def method_page(request: HttpRequest) -> HttpResponse:
    """405."""
    return _page(
        request,
        HTTPStatus.METHOD_NOT_ALLOWED,
        say("Dit kan hier niet"),
        say("Op deze pagina kunt u alleen lezen. Ga naar de voorpagina om iets te vragen."),
    )


def host_refusal(scope: Scope) -> Response:
    """The answer to a request under a name that is not ours: a page, or where programs ask the problem itself (RFC 9457)."""
    kind = Kinds.UNKNOWN_NAME.value
    if str(scope.get("path", "")).startswith(_FOR_PROGRAMS):
        told = Problem(kind=kind, detail=kind.means).as_json(settings.SITE_ADDRESS)
        return Response(told, kind.status, {"Cache-Control": "no-store"}, "application/problem+json")
    text = say("Onder deze naam is deze website niet te bereiken. Controleer het adres, of vraag de beheerder om hulp.")
    page = render_to_string("error.html", {"titel": say("Onbekende naam"), "tekst": text} | site(None))
    return HTMLResponse(page, kind.status)


def busy_page(problem: Problem, scope: Scope) -> str:
    """The page for a reader of whom, or beside whom, too much came in; ``retry_after`` says when one page passes again."""
    wait = _send_again(problem) if scope["method"] == "POST" else _load_again(problem)
    text = f"{say('Er kwam op dit moment te veel tegelijk binnen, van u of van iedereen samen.')} {wait}"
    return render_to_string("error.html", {"titel": say("Het is hier nu te druk"), "tekst": text} | site(None))


def _send_again(problem: Problem) -> str:
    """A form is in no address, and was not read."""
    return say_number(
        "Het formulier dat u verstuurde, is niet verwerkt. Wacht 1 seconde, ga terug naar de vorige pagina en verstuur het "
        "opnieuw.",
        "Het formulier dat u verstuurde, is niet verwerkt. Wacht {seconds} seconden, ga terug naar de vorige pagina en "
        "verstuur het opnieuw.",
        problem.retry_after,
        seconds=problem.retry_after,
    )


def _load_again(problem: Problem) -> str:
    return say_number(
        "Wacht 1 seconde en ververs dan deze pagina. Wat u vroeg, staat nog in het adres.",
        "Wacht {seconds} seconden en ververs dan deze pagina. Wat u vroeg, staat nog in het adres.",
        problem.retry_after,
        seconds=problem.retry_after,
    )


def problem_page(problem: Problem) -> str:
    """The page for a reader whose request cannot be read."""
    kind = problem.kind
    text = f"{say(kind.means)} {say(kind.advice)}"
    return render_to_string("error.html", {"titel": say(kind.title), "tekst": text} | site(None))


@require_safe
def problem(request: HttpRequest, slug: str) -> HttpResponse:
    """What a kind of problem means and what can be done: the page under its ``type`` (RFC 9457)."""
    found = next((kind.value for kind in (*Kinds, *Refusals) if kind.value.slug == slug), None)
    if found is None:
        raise Http404
    return _page(request, HTTPStatus.OK, say(found.title), f"{say(found.means)} {say(found.advice)}")


def no_token(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403, when a form of the operators' site comes without its token."""
    del reason
    return _page(
        request,
        HTTPStatus.FORBIDDEN,
        "Dit formulier is verlopen",
        "Uw invoer is niet verwerkt. Ga terug, ververs de pagina en probeer het opnieuw. Sta cookies van deze site toe.",
    )


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404."""
    del exception
    return _page(
        request,
        HTTPStatus.NOT_FOUND,
        say("Deze pagina bestaat niet"),
        say("Het adres klopt niet, of de pagina is weg. Controleer het adres, of zoek op de voorpagina."),
    )


def broken(request: HttpRequest, *args: Any) -> HttpResponse:
    """500."""
    del args
    return _page(
        request,
        HTTPStatus.INTERNAL_SERVER_ERROR,
        say("Er ging bij ons iets mis"),
        say("Uw vraag is niet beantwoord. Dat ligt niet aan u. Probeer het over een paar minuten opnieuw."),
    )
