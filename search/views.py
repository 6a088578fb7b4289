"""The pages for people.

The form and the answers as they come. Thin: they parse the question and print the answer.
"""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from connectors.language import here, later, say
from connectors.records import Group
from search import fault_texts
from search.address_names import asked_only
from search.answer_page import Page, form, pieces
from search.carried import asked_of, federation_of, further_of, groups_of, statuses_of, visitor_of
from search.exceptions import Fault, FieldFault, InvalidQuestionError
from search.federation import Federation
from search.forms import EMPTY_FORM, as_asked, as_typed
from search.misspelt import group_offers, unknown_groups
from search.parameters import PARAMETERS, Asked
from search.present import document_path
from search.spelling import fold, names_of, squeezed
from search.straight import Led, led_from_sentence
from search.streams import nothing

EXAMPLES = (
    (later("warmtenet"), "vraag=warmtenet"),
    (later("parkeren in Ede"), "vraag=parkeren&organisatie=gemeente-ede"),
    (later("moties over subsidie"), "vraag=subsidie&soort=motie"),
    (later("“redelijke termijn” bij de rechter"), "vraag=%22redelijke+termijn%22&platform=rechtspraak"),
    (later("subsidie, nieuwste eerst"), "vraag=subsidie&sorteer=nieuwste"),
)


@require_safe
async def home(request: HttpRequest) -> HttpResponse:
    """The form with examples, and the sources."""
    return render(request, "search/home.html", form(federation_of(request), EMPTY_FORM) | {"voorbeelden": EXAMPLES})


@require_safe
async def search(request: HttpRequest) -> HttpResponseBase:
    """The answers to one question, each source's section as soon as it is there, in one response without scripts.

    A question that is the number or address of a document leads to it instead.
    """
    federation = federation_of(request)
    try:
        asked = asked_of(request)
    except InvalidQuestionError as error:
        return _refused(request, federation, error)
    if asked.is_empty:
        context = form(federation, as_asked(asked)) | {"voorbeelden": EXAMPLES, "leeg": True}
        return render(request, "search/home.html", context)
    if request.method != "GET":
        return _private(StreamingHttpResponse(nothing(), content_type="text/html; charset=utf-8"))
    caller = visitor_of(request)
    goes = (
        Led() if _stays(asked) else await led_from_sentence(asked.question.typed, federation, asked.platforms, caller)
    )
    if goes.document is not None:
        document = goes.document
        return _private(HttpResponseRedirect(document_path(document.connector.platform.key, document.upstream_id)))
    page = Page(
        request=request,
        federation=federation,
        statuses=statuses_of(request),
        caller=caller,
        typed=asked,
        led=goes,
        form=form(federation, EMPTY_FORM),
        further=further_of(request),
        unknown=group_offers(asked, await unknown_groups(asked, groups_of(request), federation)),
    )
    return _private(StreamingHttpResponse(pieces(page), content_type="text/html; charset=utf-8"))


@require_safe
async def names(request: HttpRequest) -> HttpResponse:
    """The names of all organisations, one a line: what the field for one can be filled in with.

    Behind a tab stands what is to be known of it: that the body is no more, or whose other name this is.
    """
    register = federation_of(request).register
    found: dict[str, str] = {}
    for body in register.everybody():
        found[body.name] = say("bestaat niet meer") if body.ended else ""
        known = {squeezed(name) for name in names_of(replace(body, names=()))}
        others = (one for one in body.names if squeezed(fold(one)) not in known and len(register.find(one)) == 1)
        found |= {name: body.name for name in others if name not in found}
    lines = (f"{name}\t{about}" if about else name for name, about in sorted(found.items()))
    response = HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")
    response.headers["Cache-Control"] = "public, max-age=3600"
    return response


@require_safe
async def group_names(request: HttpRequest, group: Group) -> HttpResponse:
    """The names of fracties or of committees, one a line: what its field can be filled in with."""
    found = await groups_of(request).names(group, federation_of(request).connectors)
    response = HttpResponse("".join(f"{name}\n" for name in found), content_type="text/plain; charset=utf-8")
    response.headers["Cache-Control"] = "public, max-age=3600"
    return response


def _stays(asked: Asked) -> bool:
    """Whether a question stays on this page: further pages of it do, and who says so himself."""
    return asked.literally or asked.query.page > 1 or not asked.question.typed


def _private(response: HttpResponseBase) -> HttpResponseBase:
    response.headers["Cache-Control"] = "private, no-store"
    response.headers["X-Accel-Buffering"] = "no"  # a proxy must hand each section on as it comes
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _refused(request: HttpRequest, federation: Federation, error: InvalidQuestionError) -> HttpResponse:
    """The form with what was typed, each fault in a list on top and at its field, each choice a link that mends it."""
    faults = [
        {
            "veld": fault.parameter,
            "tekst": fault_texts.fault(fault, settings.QUESTION_MAX_CHARACTERS),
            "keuzes": _choices(request, fault),
        }
        for fault in error.faults
    ]
    at_field = {str(fault["veld"]): _at_field(str(fault["tekst"])) for fault in faults}
    values = as_typed(dict(request.GET.lists()), federation.register)
    context = form(federation, values) | {"fouten": faults, "veldfout": at_field}
    return render(request, "search/refused.html", context, status=HTTPStatus.BAD_REQUEST)


def _choices(request: HttpRequest, fault: FieldFault) -> list[tuple[str, str]]:
    """What mends a fault, as words and address. A name that is unknown becomes the one that was meant, or is left out."""
    if fault.fault is Fault.REPEATED:
        return [(value, _instead(request, {fault.parameter: [value]})) for value, _ in fault.choices]
    if fault.fault is Fault.PERIOD_TWICE:
        return [
            (say("Zoek met de periode"), _instead(request, {"van": [], "tot": []})),
            (say("Zoek met de datums"), _instead(request, {"periode": []})),
        ]
    if fault.fault is not Fault.UNKNOWN_NAME:
        return [(say(name), _mended(request, fault, value)) for value, name in fault.choices]
    named = fault_texts.shown_name(fault.value)
    return [
        *((say("Zoek met ‘{name}’", name=near), _renamed(request, fault, near)) for near, _ in fault.choices),
        (say("Zoek zonder ‘{name}’", name=named), _renamed(request, fault, "")),
    ]


def _instead(request: HttpRequest, values: dict[str, list[str]]) -> str:
    """The address of the same question with these values."""
    return here("/zoeken?") + urlencode(asked_only(dict(request.GET.lists())) | values, doseq=True)


def _renamed(request: HttpRequest, fault: FieldFault, near: str) -> str:
    """The address of the same question with the values under an unknown name added to those of ``near``, or left out."""
    given = asked_only(dict(request.GET.lists()))
    moved = [value for name in [*given] if fault.is_about(name) and name not in PARAMETERS for value in given.pop(name)]
    if near:
        given[near] = [*given.get(near, ()), *moved]
    return here("/zoeken?") + urlencode(given, doseq=True)


def _at_field(text: str) -> str:
    """The sentence at a field: the choices that it announces stand in the list on top."""
    return f"{text} {say('zie de lijst bovenaan.')}" if text.endswith(":") else text


def _mended(request: HttpRequest, fault: FieldFault, choice: str) -> str:
    """The address of the same question with the one value that was at fault replaced."""
    given = asked_only(dict(request.GET.lists()))
    values = given.get(fault.parameter, [])
    mended = [choice if fault.is_about(value) else value for value in values] if len(values) > 1 else [choice]
    return here("/zoeken?") + urlencode(given | {fault.parameter: mended}, doseq=True)
