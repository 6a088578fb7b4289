"""The platforms: what they can do, their limits, and how up to date they are."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from ninja import Router

from connectors.connector import Connector
from connectors.moments import now
from connectors.records import Organisation
from search.api import printing, printing_register
from search.api.desk import desk_of
from search.api.errors import AGAIN_SECONDS, problem
from search.api.openapi import READ, described
from search.api.parameters import LOADING, MOST_CHARACTERS, MOST_HOURS, MOST_ROWS
from search.api.reading import JSON, Reading, accepts
from search.api.schemas_register import Laadstatus, Limieten, Platform, Platforms
from search.carried import federation_of
from search.exceptions import InvalidQuestionError
from search.kept import KeptUnreadableError
from search.loading import named, rows_of, silent_for
from search.parameters import MAX_PAGE, read_parameters
from search.serialise import utc
from throttling.problems import Kinds

router = Router(tags=["platforms"])
_KEY: Final = {"id": "De sleutel van het platform.|rechtspraak"}


@router.api_operation(
    READ,
    "/platforms",
    response=Platforms,
    summary="De platforms",
    **described("platforms", fails=(400, 406), also=(304,)),
)
async def platforms(request: HttpRequest) -> HttpResponse:
    """De zeven bronnen en wat zij kunnen."""
    accepts(request, JSON)
    Reading.of(request, ()).done()
    federation = federation_of(request)
    shown = [printing_register.platform(one, off=one.platform.key in federation.off) for one in federation.connectors]
    return printing.listed(request, {"platforms": shown})


@router.api_operation(
    READ,
    "/platforms/{id}",
    response=Platform,
    summary="Eén platform",
    **described("platform", fails=(400, 404, 406), also=(304,), path=_KEY),
)
async def platform(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002 - the name in the address
    """Eén bron en wat zij kan."""
    accepts(request, JSON)
    Reading.of(request, ()).done()
    connector = _connector(request, id)
    return printing.listed(request, printing_register.platform(connector, off=id in federation_of(request).off))


@router.api_operation(
    READ,
    "/platforms/{id}/limieten",
    response=Limieten,
    summary="De grenzen van een platform",
    **described("limieten", fails=(400, 404, 406), path=_KEY),
)
async def limits(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002 - the name in the address
    """Waar wij ons bij deze bron aan houden, waar dat getal vandaan komt, en hoe druk het er nu is."""
    accepts(request, JSON)
    Reading.of(request, ()).done()
    _connector(request, id)
    desk = desk_of(request)
    shown = [printing_register.limit(one, await desk.standing(id, one.key)) for one in desk.services(id)]
    response = printing.private({"platform": id, "tijdstip": utc(now()), "limieten": shown})
    response.headers["Cache-Control"] = "no-store"
    return response


@router.api_operation(
    READ,
    "/laadstatus",
    response=Laadstatus,
    summary="Hoe actueel platforms zijn",
    **described("laadstatus", LOADING, fails=(400, 406, 503)),
)
async def load_status(request: HttpRequest) -> HttpResponse:
    """Per platform hoe actueel het organisaties heeft, zoals het platform dat zelf zegt en wij het het laatst ophaalden.

    Wie het langst niet is bijgewerkt, staat vooraan. Dit vraagt geen platform iets. Bijgewerkt zegt niet dat niets ontbreekt.
    Met `organisatie` staat er niets anders bij: geen leveranciers, en `perStaat` telt alleen deze organisaties.
    """
    accepts(request, JSON)
    reading = Reading.of(request, LOADING)
    bodies, keys = _bodies(request, reading), reading.platforms()
    hours = reading.whole("ouderDanUren", 0, MOST_HOURS)
    page, count = reading.whole("pagina", 1, MAX_PAGE), reading.whole("aantal", 50, MOST_ROWS)
    reading.done()
    try:
        kept = {one.platform: one for one in await desk_of(request).kept.load_status(keys)}
    except KeptUnreadableError as failure:
        raise problem(Kinds.OWN_FAULT, retry_after=AGAIN_SECONDS) from failure
    shown = []
    for connector in federation_of(request).chosen(keys):
        key = connector.platform.key
        status = kept.get(key)
        found = rows_of(key, status.organisations if status else (), bodies)
        late = silent_for(found, hours, now()) if hours else found
        rows = list(named(late, key, federation_of(request).register.everybody()))
        one = printing_register.status(connector, status, rows, page, count)
        shown.append(one | printing_register.alone(found) if bodies else one)
    return printing.private({"tijdstip": utc(now()), "platforms": shown})


def _connector(request: HttpRequest, key: str) -> Connector:
    connector = federation_of(request).connector(key)
    if connector is None:
        raise problem(Kinds.NOT_FOUND, "Een platform met deze sleutel is er niet.")
    return connector


def _bodies(request: HttpRequest, reading: Reading) -> tuple[Organisation, ...]:
    """The bodies in ``organisatie``, read as in a search."""
    named = {"organisatie": reading.many("organisatie")}
    try:
        return read_parameters(
            named, federation_of(request).register, max_characters=MOST_CHARACTERS
        ).query.organisations
    except InvalidQuestionError as error:
        reading.add(error.faults, MOST_CHARACTERS)
        return ()
