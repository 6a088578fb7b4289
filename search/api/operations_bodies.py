"""The register of organisations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.http import HttpRequest, HttpResponse
from ninja import Router

from connectors.moments import AMSTERDAM, now
from connectors.records import BodyKind, Organisation
from search.api import printing, printing_register
from search.api.errors import problem
from search.api.openapi import READ, described
from search.api.parameters import BODIES, KEYS, MOST_ROWS
from search.api.reading import JSON, Reading, accepts
from search.api.schemas_register import Organisatie, Organisaties
from search.carried import federation_of, statuses_of
from search.organisations import Bodies
from search.parameters import MAX_PAGE
from search.spelling import fold, names_of
from throttling.problems import Kinds

router = Router(tags=["organisaties"])
_KINDS: Final = [kind.value for kind in BodyKind]


@router.api_operation(
    READ,
    "/organisaties",
    response=Organisaties,
    summary="Zoek in het register van organisaties",
    **described("organisaties", BODIES, fails=(400, 406), also=(304,)),
)
async def organisations(request: HttpRequest) -> HttpResponse:
    """Organisaties op naam, ook wie er niet meer is. Wie precies zo heet, staat vooraan; dan wie zo begint, dan de anderen."""
    accepts(request, JSON)
    reading = Reading.of(request, BODIES)
    kinds, platforms = reading.chosen("soort", _KINDS), reading.chosen("platform", KEYS)
    page, count = reading.whole("pagina", 1, MAX_PAGE), reading.whole("aantal", 50, MOST_ROWS)
    name = reading.one("naam")
    reading.done()
    register = federation_of(request).register
    found = [
        body
        for body in (_named(name, register) if name else _by_name(register.everybody()))
        if (not kinds or body.kind.value in kinds) and (not platforms or any(body.key_at(key) for key in platforms))
    ]
    shown = found[(page - 1) * count : page * count]
    data = {
        "aantal": len(found),
        "pagina": page,
        "volgendePagina": page + 1 if page * count < len(found) else None,
        "organisaties": [printing_register.short(body, register.life(body.id)) for body in shown],
    }
    return printing.listed(request, data)


@router.api_operation(
    READ,
    "/organisaties/{id}",
    response=Organisatie,
    summary="Eén organisatie",
    **described("organisatie", fails=(400, 404, 406), also=(304,), path={"id": "Het id in het register.|gemeente-ede"}),
)
async def organisation(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002 - the name in the address
    """Eén organisatie: namen, codes, van wanneer tot wanneer zij er was, wie voorging en wie opvolgde.

    Ook wat platforms van haar hebben, volgens hun Laadstatus en onze lijsten. Wat niemand zegt, is leeg en geen nul.
    """
    accepts(request, JSON)
    Reading.of(request, ()).done()
    register = federation_of(request).register
    body = register.body(id)
    if body is None:
        near = register.suggestions(id.replace("-", " "))
        choices = [{"waarde": one.id, "naam": one.name} for one in near]
        raise problem(Kinds.NOT_FOUND, "Een organisatie met dit id staat niet in het register.", keuzes=choices)
    statuses = await statuses_of(request).rows()
    looked = await statuses_of(request).looked()
    today = now().astimezone(AMSTERDAM).date()
    return printing.listed(request, printing_register.organisation(body, register, statuses, today, looked))


def _named(text: str, register: Bodies) -> list[Organisation]:
    """Who is called so or has this code, then whose name begins with it, then whose has it as words, then who looks like it."""
    wanted = fold(text)
    found = {body.id: body for body in register.find(text)}
    if wanted:
        rated = []
        for body in register.everybody():
            names = names_of(body)
            if any(name.startswith(wanted) for name in names):
                rated.append((0, body))
            elif any(f" {wanted}" in name for name in names):
                rated.append((1, body))
        found |= {
            body.id: body for _, body in sorted(rated, key=lambda one: (one[0], fold(one[1].name), one[1].id))
        } | found
    if not found:
        found = {body.id: body for body in register.suggestions(text)}
    return list(found.values())


def _by_name(bodies: Iterable[Organisation]) -> list[Organisation]:
    return sorted(bodies, key=lambda body: (fold(body.name), body.id))
