"""One document and the parts of its text."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from ninja import Router

from connectors.exceptions import ConnectorError
from connectors.moments import now
from connectors.platforms import Platform
from connectors.records import Document
from search.api import printing, printing_documents
from search.api.errors import problem
from search.api.failures import instead
from search.api.openapi import READ, described
from search.api.parameters import PARTS
from search.api.reading import JSON, Reading, accepts
from search.api.schemas_documents import Deel, Delen
from search.api.schemas_documents import Document as DocumentForm
from search.carried import federation_of, program_of
from search.federation import StillWaitingError
from throttling.problems import Kinds

router = Router(tags=["documenten"])
_FAILS: Final = (400, 404, 406, 410, 502, 503, 504)
_ID: Final = (
    "Het id over alle platforms: platform, dubbele punt, nummer bij de bron.|rechtspraak:ECLI:NL:HR:2001:ZD2545"
)


@router.api_operation(
    READ,
    "/documenten/{id}",
    response=DocumentForm,
    summary="Eén stuk",
    **described("document", fails=_FAILS, path={"id": _ID}),
)
async def document(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002 - the name in the address
    """Alle gegevens van één stuk, met zijn verwijzing en de koppen van zijn delen. De tekst zelf staat in de delen.

    Het nummer mag in elke schrijfwijze die de bron kent; in `Content-Location` staat het adres met de vaste. Wacht de vraag
    langer dan een minuut op een beurt bij de bron, dan is het antwoord 503 met `Retry-After`.
    """
    accepts(request, JSON)
    Reading.of(request, ()).done()
    found, platform = await _opened(request, id)
    return _located(printing.private(printing_documents.document(found, platform, settings.SITE_ADDRESS, now())), found)


@router.api_operation(
    READ,
    "/documenten/{id}/delen",
    response=Delen,
    summary="De tekst van een stuk, in delen",
    **described("delen", PARTS, fails=_FAILS, path={"id": _ID}),
)
async def parts(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002 - the name in the address
    """De tekst per bladzijde of per deel, zoals de bron haar geeft."""
    accepts(request, JSON)
    reading = Reading.of(request, PARTS)
    page, count = reading.whole("pagina", 1, 200), reading.whole("aantal", 20, 50)
    reading.done()
    found, _ = await _opened(request, id)
    return _located(printing.private(printing_documents.parts(found, page, count)), found, "/delen")


@router.api_operation(
    READ,
    "/documenten/{id}/delen/{nummer}",
    response=Deel,
    summary="Eén deel van de tekst",
    **described("deel", fails=_FAILS, path={"id": _ID, "nummer": "Het nummer van het deel, vanaf 1.|1"}),
)
async def part(request: HttpRequest, id: str, nummer: int) -> HttpResponse:  # noqa: A002 - the name in the address
    """Eén bladzijde of deel van de tekst. Het nummer is dat in `#pagina-…` of `#deel-…` op de website."""
    accepts(request, JSON)
    Reading.of(request, ()).done()
    found, _ = await _opened(request, id)
    passage = next((one for one in found.passages if one.number == nummer), None)
    if passage is None:
        raise problem(
            Kinds.NOT_FOUND, f"Dit stuk heeft geen deel met dit nummer. Het heeft {len(found.passages)} delen."
        )
    return _located(printing.private(printing_documents.part(passage)), found, f"/delen/{passage.number}")


def _located(response: HttpResponse, found: Document, behind: str = "") -> HttpResponse:
    response.headers["Content-Location"] = f"{printing.document_address(found.id)}{behind}"
    return response


async def _opened(request: HttpRequest, identifier: str) -> tuple[Document, Platform]:
    """The document with this id over all platforms, or the problem that stands in its place."""
    federation = federation_of(request)
    key, colon, number = identifier.partition(":")
    connector = federation.connector(key)
    if not colon or connector is None:
        raise problem(
            Kinds.NOT_FOUND, "Een id begint met een platform en een dubbele punt: rechtspraak:ECLI:NL:HR:2001:ZD2545."
        )
    canonical = connector.canonical_id(number)
    if canonical is None:
        raise problem(Kinds.NOT_FOUND, f"Dit is geen nummer van {connector.platform.name}.")
    try:
        return await federation.document(connector, canonical, program_of(request)), connector.platform
    except (ConnectorError, StillWaitingError) as error:
        raise instead(connector.platform, error) from error
