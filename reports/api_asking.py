"""Asking for a report in the API, and cancelling it: under a contract, and counted under it (choice A8 of the design page)."""

from __future__ import annotations

import math
from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from connectors.moments import now
from reports import words
from reports.api import ID, closed, fetched, told
from reports.api import router as router  # noqa: PLC0414 - both files fill one router
from reports.door_words import Doing
from reports.doors import reception_of
from reports.exceptions import DeskClosedError, WishRefusedError
from reports.records import Reason, Wish
from reports.schemas import Rapport
from search import wording
from search.api.errors import ProblemError, problem
from search.api.openapi import described
from search.api.operations_search import read_question
from search.api.parameters import SEARCH
from search.api.reading import JSON, accepts
from search.api.version import ROOT
from search.api.writing import body_of, contract_of, nothing_beside, read_body
from throttling.problems import Kinds

ASK: Final = "rapport-aanvragen"
CANCEL: Final = "rapport-annuleren"
WISH: Final = tuple(parameter for parameter in SEARCH if parameter.name != "pagina")
"""What a report can be asked of: all that a search can be, but a page of it."""


@router.post(
    "/rapporten",
    response={HTTPStatus.ACCEPTED: Rapport},
    summary="Vraag een rapport aan",
    **described(
        "rapportaanvraag",
        fails=(400, 406, 413, 415, 503),
        body=body_of(WISH, {"vraag": "urgenda", "platform": ["rechtspraak"]}),
        changes=True,
    ),
)
async def ask_report(request: HttpRequest) -> HttpResponse:
    """Vraag een rapport aan van een zoekvraag: dezelfde gegevens als bij zoeken, maar dan in de inhoud van het verzoek.

    Kan alleen onder een contract dat `rapport-aanvragen` toestaat. Het antwoord zegt hoe het met het rapport staat; kijk
    daarna op het adres in `Location`. Wie binnen een uur hetzelfde vraagt, krijgt hetzelfde rapport.
    """
    accepts(request, JSON)
    contract = contract_of(request, ASK)
    nothing_beside(request)
    asked = read_question(read_body(request, WISH), request)
    try:
        standing, found = await reception_of(request).ask(
            Wish(asked.address(pagina=None)), settings.CALLERS.contract(contract.contract)
        )
    except WishRefusedError as error:
        raise refusal(error) from error
    except DeskClosedError as error:
        raise closed(error, Doing.ASK) from error
    response = told(request, standing, found, HTTPStatus.ACCEPTED)
    response.headers["Location"] = f"{ROOT}/rapporten/{standing.token}"
    return response


@router.delete(
    "/rapporten/{id}",
    response=Rapport,
    summary="Annuleer een rapport",
    url_name="report",
    **described("rapportannulering", fails=(400, 404, 406, 503), path=ID, changes=True),
)
async def cancel_report(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002 - the name in the address
    """Trek een aanvraag in. Een rapport dat al klaar is, blijft; het antwoord zegt hoe het ermee staat.

    Kan alleen onder een contract dat `rapport-annuleren` toestaat. Nog eens annuleren is geen fout.
    """
    accepts(request, JSON)
    contract_of(request, CANCEL)
    nothing_beside(request)
    here = reception_of(request)
    try:
        await here.desk.cancel(id)
    except DeskClosedError as error:
        raise closed(error, Doing.CANCEL) from error
    return told(request, *await fetched(here, id, Doing.CANCEL))


def refusal(error: WishRefusedError) -> ProblemError:
    """No report is made: 429 for who asked too many, 400 where asking the same never helps, else 503."""
    at = now()
    wait = None if error.come_back_at is None else max((error.come_back_at - at).total_seconds(), 1.0)
    detail = wording.joined(words.reason(error.reason), words.come_back(error.reason, error.come_back_at, at))
    if error.reason in {Reason.NOTHING, Reason.TOO_LONG}:
        return problem(Kinds.INVALID_INPUT, detail, reden=error.reason.value)
    kind = Kinds.TOO_MANY if error.reason is Reason.HOUR else Kinds.REPORT_REFUSED
    return problem(kind, detail, math.ceil(wait) if wait else None, reden=error.reason.value)
