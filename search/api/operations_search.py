"""Searching over all platforms at once."""

from __future__ import annotations

from contextlib import aclosing

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from ninja import Router

from connectors.moments import now
from connectors.platforms import PLATFORMS
from search import texts
from search.answers import PlatformAnswer, State
from search.api import printing
from search.api.errors import AGAIN_SECONDS, ProblemError, problem
from search.api.openapi import READ, described
from search.api.parameters import SEARCH
from search.api.reading import EVENTS, JSON, Reading, accepts
from search.api.schemas import Zoekresultaat
from search.api.streaming import stream
from search.carried import federation_of, groups_of, program_of
from search.exceptions import InvalidQuestionError
from search.misspelt import unknown_groups
from search.parameters import NO, YES, Asked, read_parameters
from throttling.problems import Kinds

router = Router(tags=["zoeken"])


@router.api_operation(
    READ,
    "/_zoek",
    response=Zoekresultaat,
    summary="Zoek bij alle platforms tegelijk",
    **described("zoek", SEARCH, fails=(400, 406, 503), also=(204,)),
)
async def zoek(request: HttpRequest) -> HttpResponseBase:
    """Stelt één vraag aan alle platforms, of aan die u noemt, en geeft van elk wat het antwoordde.

    Een platform dat niet of te laat antwoordt, staat er met zijn staat bij; het antwoord is dan gewoon 200. Alleen als geen
    enkel platform antwoordde, is het 503. Met `Accept: text/event-stream` komt elk platform als een gebeurtenis `bron`, zodra
    het er is: eerst met staat `bezig`, daarna `gepland` zolang het wacht, en eenmaal met zijn laatste staat. Aan het eind komt
    `einde`. Wie de stroom eerder sluit, geeft zijn plekken in de rijen op.
    """
    form = accepts(request, JSON, EVENTS)
    asked = read_search(request)
    if form == EVENTS:
        response = stream(request, asked)
    elif request.method == "GET":
        response = await _gathered(request, asked)
    else:
        response = HttpResponse(content_type=JSON, headers={"Cache-Control": "private, no-store"})
    response.headers["Vary"] = "Accept"
    return response


def read_search(request: HttpRequest) -> Asked:
    """The question of a request, or a problem with every fault in it."""
    return read_question(Reading.of(request, SEARCH), request)


def read_question(reading: Reading, request: HttpRequest) -> Asked:
    """The question in what was given with a request, or a problem with every fault in it."""
    reading.days("van", "tot")
    reading.chosen("voorgangers", (YES, NO))
    most = settings.QUESTION_MAX_CHARACTERS
    try:
        asked = read_parameters(reading.values, federation_of(request).register, max_characters=most)
    except InvalidQuestionError as error:
        reading.add(error.faults, most)
        raise reading.refusal() from error
    reading.done()
    if asked.is_empty:
        reading.fault("vraag", "Er is geen vraag. Geef woorden, een organisatie, een soort of een periode.")
        reading.done()
    return asked


async def _gathered(request: HttpRequest, asked: Asked) -> HttpResponse:
    """The last that each platform said, in the order of the platforms."""
    last: dict[str, PlatformAnswer] = {}
    federation = federation_of(request)
    query = asked.broad(federation.register)
    async with aclosing(federation.ask(query, asked.platforms, program_of(request))) as answering:
        async for answer in answering:
            last[answer.platform.key] = answer
    answers = [last[platform.key] for platform in PLATFORMS if platform.key in last]
    if not any(answer.state.has_answered or answer.state is State.NOT_SUPPORTED for answer in answers):
        raise nobody(answers)
    unknown = await unknown_groups(asked, groups_of(request), federation)
    return printing.private(printing.whole(asked, answers, federation, now(), unknown))


def nobody(answers: list[PlatformAnswer]) -> ProblemError:
    """No platform answered: what each said, and when it makes sense to come back."""
    moment = now()
    starts = [answer.starts_at or answer.retry_at for answer in answers]
    waits = [(start - moment).total_seconds() for start in starts if start is not None and start > moment]
    only_wait = all(answer.state in {State.PLANNED, State.REFUSED} for answer in answers)
    return problem(
        Kinds.WAITING if only_wait else Kinds.UNREACHABLE,
        "Geen van de gevraagde platforms gaf antwoord. Dit zegt niets over wat zij hebben.",
        max(min(waits, default=float(AGAIN_SECONDS)), 1.0),
        foutenPerPlatform=[
            {"platform": answer.platform.key, "staat": answer.state.value, "melding": texts.state(answer, moment)}
            for answer in answers
        ],
    )
