"""Reporting a fault in a paper or a source, under a contract."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from django.http import HttpRequest, HttpResponse
from ninja import Router

from search.api import printing
from search.api.errors import problem
from search.api.openapi import described
from search.api.parameters import KEYS
from search.api.reading import JSON, Parameter, accepts
from search.api.schemas_faults import Foutmelding
from search.api.writing import body_of, contract_of, nothing_beside, read_body
from search.carried import faults_of
from search.faults import LONGEST, LONGEST_ID, OPERATION, FaultKind, FaultyReportError, read_fault
from search.kept import KeptUnreadableError
from search.serialise import utc
from throttling.problems import Kinds

router = Router(tags=["foutmeldingen"])
FAULT: Final = (
    Parameter("soort", "Wat er mis is.", {"type": "string", "enum": [one.value for one in FaultKind]}, "link"),
    Parameter(
        "document", "Het id van het stuk.", {"type": "string", "maxLength": LONGEST_ID}, "rechtspraak:ECLI:NL:HR:1"
    ),
    Parameter("platform", "De bron, als het niet over één stuk gaat.", {"type": "string", "enum": KEYS}, "rechtspraak"),
    Parameter("melding", "Wat u zag, in gewone woorden.", {"type": "string", "minLength": 1, "maxLength": LONGEST}),
)
_EXAMPLE: Final = {"soort": "link", "document": "rechtspraak:ECLI:NL:HR:2019:2006", "melding": "De link geeft 404."}


@router.post(
    "/foutmeldingen",
    response={HTTPStatus.CREATED: Foutmelding},
    summary="Meld een fout in een stuk of bron",
    **described(
        "foutmelding",
        fails=(400, 406, 413, 415, 503),
        body=body_of(FAULT, _EXAMPLE, "soort", "melding"),
        changes=True,
    ),
)
async def report_fault(request: HttpRequest) -> HttpResponse:
    """Meld de beheerder een fout: in een stuk (`document`), of in een bron als geheel (`platform`).

    Kan alleen onder een contract dat `meld-fout` toestaat. Bewaard worden de melding, het stuk of de bron, en het contract; een
    zoekvraag van iemand alleen als die in de melding staat. Zet daar dus geen gegevens van mensen in.
    """
    accepts(request, JSON)
    contract = contract_of(request, OPERATION)
    nothing_beside(request)
    reading = read_body(request, FAULT)
    reading.done()
    try:
        fault = read_fault(
            kind=reading.one("soort"),
            document=reading.one("document"),
            platform=reading.one("platform"),
            text=reading.one("melding"),
            contract=contract.contract,
            workload=contract.workload,
        )
        kept = await faults_of(request).keep(fault)
    except FaultyReportError as error:
        reading.fault(error.name, error.reason)
        raise reading.refusal() from error
    except KeptUnreadableError as error:
        raise problem(Kinds.OWN_FAULT, retry_after=60) from error
    told = {"nummer": kept.number, "gemeldOp": utc(kept.at), "bewaardTot": utc(kept.until)}
    response = printing.private(told)
    response.status_code = int(HTTPStatus.CREATED)
    return response
