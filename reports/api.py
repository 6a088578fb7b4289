"""Reports in the API: how one stands, and what it says. Asking for one, and cancelling it: ``reports.api_asking``."""

from __future__ import annotations

import math
from http import HTTPStatus
from itertools import islice
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from ninja import Router

from reports import door_words, page, words
from reports.doors import Reception, reception_of
from reports.exceptions import DeskClosedError
from reports.exports.data import items, summary
from reports.page import Subject
from reports.records import Report, ReportStatus, Standing
from reports.schemas import Rapport, Stukken
from search import wording
from search.api import printing
from search.api.errors import ProblemError, problem
from search.api.openapi import READ, described
from search.api.reading import JSON, Parameter, Reading, accepts
from search.carried import federation_of
from search.parameters import MAX_PAGE
from search.serialise import utc
from throttling.problems import Kinds

TAG: Final = (
    "rapporten",
    "Hoe het met een rapport staat, en wat erin staat. Vragen kan op de website, en voor een programma onder een contract.",
)
POLL: Final = 10
"""Seconds after which it makes sense to look again at a report that is under way."""
SOONEST: Final = 5
MOST_ITEMS: Final = 100
router = Router(tags=[TAG[0]])
ID: Final = {"id": "Het laatste deel van het adres van het rapport.|AbCdEfGhIjKlMnOpQrStUvWxYz012345"}
ITEMS: Final = (
    Parameter(
        "pagina",
        "De hoeveelste bladzijde, vanaf 1.",
        {"type": "integer", "minimum": 1, "maximum": MAX_PAGE, "default": 1},
        1,
    ),
    Parameter(
        "aantal",
        "Hoeveel stukken per bladzijde.",
        {"type": "integer", "minimum": 1, "maximum": MOST_ITEMS, "default": 50},
        50,
    ),
)


@router.api_operation(
    READ,
    "/rapporten/{id}",
    response=Rapport,
    summary="Eén rapport",
    **described("rapport", fails=(400, 404, 406, 503), path=ID),
)
async def report(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002 - the name in the address
    """Hoe het met een rapport staat.

    Zolang het niet klaar is, staat in `opnieuwNa` en in `Retry-After` wanneer opnieuw kijken zin heeft; is het klaar, dan staat
    de inhoud in `uitkomst` en onder `stukken`. Wie het id heeft, mag het lezen.
    """
    accepts(request, JSON)
    Reading.of(request, ()).done()
    return told(request, *await fetched(reception_of(request), id))


@router.api_operation(
    READ,
    "/rapporten/{id}/stukken",
    response=Stukken,
    summary="De stukken van een rapport",
    **described("rapportstukken", ITEMS, fails=(400, 404, 406, 503), path=ID),
)
async def report_items(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002 - the name in the address
    """De stukken van een rapport dat klaar is: elk met zijn bron, datums, stemming en de plekken waar de woorden staan."""
    accepts(request, JSON)
    reading = Reading.of(request, ITEMS)
    number, count = reading.whole("pagina", 1, MAX_PAGE), reading.whole("aantal", 50, MOST_ITEMS)
    reading.done()
    standing, found = await fetched(reception_of(request), id)
    if found is None:
        raise problem(Kinds.NOT_FOUND, f"Dit rapport heeft geen stukken: het is {standing.status.value}.")
    total = found.overview.number
    shown = {
        "aantal": total,
        "pagina": number,
        "volgendePagina": number + 1 if number * count < total else None,
        "stukken": list(islice(items(found), (number - 1) * count, number * count)),
    }
    return _secret(printing.private(shown))


def closed(error: DeskClosedError, doing: door_words.Doing, *, done: bool = False) -> ProblemError:
    """What was wanted of the desk was not done, or nobody can tell; ``done``: it was, and only how it stands is not known."""
    means = door_words.closed_means(doing, unsure=error.unsure or done)
    return problem(Kinds.OWN_FAULT, wording.joined(door_words.closed(), *means), error.retry_after)


async def fetched(here: Reception, token: str, after: door_words.Doing | None = None) -> tuple[Standing, Report | None]:
    """How it stands, with the report when it is ready, or the problem in its place. ``after``: what was done to it before."""
    try:
        found = await here.fetch(token)
    except DeskClosedError as error:
        if after is not None:
            raise closed(error, after, done=True) from error
        raise problem(Kinds.OWN_FAULT, retry_after=error.retry_after) from error
    if found is None:
        raise problem(
            Kinds.NOT_FOUND, f"Dit rapport is er niet (meer). Een rapport blijft {here.terms().days} dagen bewaard."
        )
    return found


def told(
    request: HttpRequest, standing: Standing, found: Report | None = None, status: int = HTTPStatus.OK
) -> HttpResponse:
    """The answer that says how a report stands, and when it makes sense to look again."""
    about = page.subject(standing.wish, federation_of(request).register)
    response = _secret(printing.private(_as_data(standing, found, about)))
    response.status_code = int(status)
    if (seconds := again(standing)) is not None:
        response.headers["Retry-After"] = str(seconds)
    return response


def again(standing: Standing) -> int | None:
    """After how many seconds it makes sense to look again; None where nothing changes any more."""
    if standing.status.is_final:
        return None
    if standing.status is ReportStatus.WAITS and standing.start_in is not None:
        return min(max(math.ceil(standing.start_in / 4), SOONEST), 60)
    return POLL


def _as_data(standing: Standing, found: Report | None, about: Subject) -> dict[str, Any]:
    site, waits = settings.SITE_ADDRESS, standing.status is ReportStatus.WAITS
    root = f"{site}/rapporten/{standing.token}"
    return {
        "staat": standing.status.value,
        "melding": words.sentence(standing) if found is None else page.summary(found),
        "vraag": about.typed,
        "zoekopdracht": f"{site}{about.address}",
        "tijdstip": utc(standing.now),
        "gevraagdOp": utc(standing.asked_at),
        "plaats": standing.place if waits and standing.place else None,
        "verwachteStart": utc(standing.start_at) if waits and standing.start_at else None,
        "delenKlaar": standing.done,
        "delenTotaal": standing.size,
        "reden": standing.reason.value if standing.reason else None,
        "terugkomen": utc(standing.come_back_at) if standing.come_back_at else None,
        "klaarOp": utc(standing.finished_at) if standing.finished_at and found else None,
        "bewaardTot": utc(standing.kept_until),
        "versie": standing.version,
        "opnieuwNa": again(standing),
        "uitkomst": summary(found, about, site) if found else None,
        "bladzijde": root,
        "bestanden": [{"vorm": form, "adres": f"{root}.{form}"} for form in page.forms(found.lacks)] if found else [],
    }


def _secret(response: HttpResponse) -> HttpResponse:
    """Its address is a secret: nobody keeps it, and no index holds it."""
    response.headers["Cache-Control"] = "no-store"
    return response
