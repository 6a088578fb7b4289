"""The pages for people.

The form, the answers as they come, one document. Thin: they parse the question and print the answer.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from connectors.moments import now
from connectors.records import Kind, Sort
from search import texts
from search.answers import PlatformAnswer
from search.exceptions import FieldFault, InvalidQuestionError
from search.federation import Federation
from search.forms import EMPTY_FORM, FormValues, as_asked, as_typed
from search.parameters import PARAMETERS, Asked, read_parameters
from search.present import section_view, summary
from throttling.callers import Caller, Callers

EXAMPLES = (
    ("warmtenet", "vraag=warmtenet"),
    ("parkeren in Ede", "vraag=parkeren&organisatie=gemeente-ede"),
    ("moties over subsidie", "vraag=subsidie&soort=motie"),
    ("“redelijke termijn” bij de rechter", "vraag=%22redelijke+termijn%22&platform=rechtspraak"),
    ("subsidie, nieuwste eerst", "vraag=subsidie&sorteer=nieuwste"),
)


def federation_of(request: HttpRequest) -> Federation:
    """The federation that the ASGI shell opened for this process."""
    scope: dict[str, Any] = getattr(request, "scope", {})
    federation = scope["state"]["federation"]
    assert isinstance(federation, Federation)
    return federation


def asker(request: HttpRequest) -> Caller:
    """The house, on behalf of whoever reads this page."""
    callers = settings.CALLERS
    assert isinstance(callers, Callers)
    scope: dict[str, Any] = getattr(request, "scope", {})
    return callers.visitor(scope)


@require_safe
async def home(request: HttpRequest) -> HttpResponse:
    """The form with examples, and the sources."""
    return render(request, "search/home.html", _form(federation_of(request)) | {"voorbeelden": EXAMPLES})


@require_safe
async def search(request: HttpRequest) -> HttpResponseBase:
    """The answers to one question, each source's section as soon as it is there, in one response without scripts."""
    federation = federation_of(request)
    try:
        asked = read_parameters(
            dict(request.GET.lists()), federation.register, max_characters=settings.QUESTION_MAX_CHARACTERS
        )
    except InvalidQuestionError as error:
        return _refused(request, federation, error)
    if asked.is_empty:
        context = _form(federation, as_asked(asked)) | {"voorbeelden": EXAMPLES, "leeg": True}
        return render(request, "search/home.html", context)
    body = _stream(request, federation, asked) if request.method == "GET" else _nothing()
    response = StreamingHttpResponse(body, content_type="text/html; charset=utf-8")
    response.headers["Cache-Control"] = "private, no-store"
    response.headers["X-Accel-Buffering"] = "no"  # a proxy must hand each section on as it comes
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def exports(asked: Asked) -> list[tuple[str, str, str]]:
    """The forms in which this search can be kept: name, address, media type."""
    query = asked.address(pagina=None)
    newest = asked.address(pagina=None, sorteer="nieuwste")
    return [
        ("Tabel (CSV)", f"/zoeken.csv?{query}", "text/csv"),
        ("Verwijzingen (RIS)", f"/zoeken.ris?{query}", "application/x-research-info-systems"),
        ("Gegevens (JSON)", f"/zoeken.json?{query}", "application/json"),
        ("Feed, nieuwste eerst (Atom)", f"/zoeken.atom?{newest}", "application/atom+xml"),
    ]


async def _nothing() -> AsyncIterator[str]:
    """The body of an answer to HEAD: no platform is asked for it."""
    empty: tuple[str, ...] = ()
    for piece in empty:
        yield piece


async def _stream(request: HttpRequest, federation: Federation, asked: Asked) -> AsyncIterator[str]:
    context = _form(federation, as_asked(asked)) | {
        "gekozen": asked.query.organisations,
        "gevraagd": [connector.platform for connector in federation.chosen(asked.platforms)],
        "opmerkingen": [texts.remark(remark) for remark in asked.question.remarks],
        "niet_gekozen": [key for key in asked.platforms if federation.connector(key) is None],
    }
    yield render_to_string("search/answers_begin.html", context, request)
    last: dict[str, PlatformAnswer] = {}
    async for answer in federation.ask(asked.query, asked.platforms, asker(request)):
        last[answer.platform.key] = answer
        yield render_to_string("search/section.html", {"bron": section_view(answer, asked, now())}, request)
    yield render_to_string(
        "search/answers_end.html", {"samenvatting": summary(last.values()), "uitvoer": exports(asked)}, request
    )


def _refused(request: HttpRequest, federation: Federation, error: InvalidQuestionError) -> HttpResponse:
    """The form with what was typed, each fault in a list on top and at its field, each choice a link that mends it."""
    faults = [
        {
            "veld": fault.parameter,
            "tekst": texts.fault(fault, settings.QUESTION_MAX_CHARACTERS),
            "keuzes": [(name, _mended(request, fault, value)) for value, name in fault.choices],
        }
        for fault in error.faults
    ]
    at_field = {str(fault["veld"]): _at_field(str(fault["tekst"])) for fault in faults}
    context = _form(federation, as_typed(dict(request.GET.lists()))) | {"fouten": faults, "veldfout": at_field}
    return render(request, "search/refused.html", context, status=HTTPStatus.BAD_REQUEST)


def _at_field(text: str) -> str:
    """The sentence at a field: the choices that it announces stand in the list on top."""
    return f"{text} zie de lijst bovenaan." if text.endswith(":") else text


def _mended(request: HttpRequest, fault: FieldFault, choice: str) -> str:
    """The address of the same question with the one value that was at fault replaced."""
    given = {name: values for name, values in request.GET.lists() if name in PARAMETERS}
    values = given.get(fault.parameter, [])
    mended = [choice if fault.is_about(value) else value for value in values] if len(values) > 1 else [choice]
    return "/zoeken?" + urlencode(given | {fault.parameter: mended}, doseq=True)


def _form(federation: Federation, values: FormValues = EMPTY_FORM) -> dict[str, Any]:
    """What the search form needs: the values it shows, and its choices."""
    return {
        "waarden": values,
        "soorten": [kind.value for kind in Kind],
        "volgordes": [sort.value for sort in Sort],
        "bronnen": [connector.platform for connector in federation.connectors],
        "uit": federation.off,
    }
