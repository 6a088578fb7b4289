"""``organisaties``: bodies of government and courts: when they existed, what they went to, what sources hold of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final

from assistants.arguments import BadArgumentsError
from assistants.printing.quoting import written
from assistants.printing.schemas import (
    COUNT,
    FLAG,
    KEYS,
    MAYBE_COUNT,
    MAYBE_DAY,
    PLATFORM,
    TEXT,
    TEXTS,
    arguments,
    closed,
    many,
)
from assistants.tool import Arguments, Outcome, Tool, Visit, without
from assistants.years import ask_years, looked_up
from connectors.load_status import LoadState
from connectors.moments import AMSTERDAM, now
from connectors.platforms import PLATFORMS
from connectors.records import BodyKind, Organisation
from search import texts
from search.held import Held, held
from search.kept import KeptUnreadableError
from search.lives import Succession, codes_of
from search.organisations import Bodies, successors_now

_TOOL: Final = "organisaties"
_AT_ONCE: Final = 25
_MOST_NAMED: Final = 3
_PLATFORM_NAMES: Final = {platform.key: platform.name for platform in PLATFORMS}
_DESCRIPTION: Final = (
    "Zoekt organisaties op naam, id of code (CBS, ECLI): gemeenten, provincies, waterschappen, stadsdelen, "
    "ministeries, parlement en gerechten. Zegt van elk het id voor `zoek`, van wanneer tot wanneer zij bestond, "
    "voorgangers en opvolgers na een fusie, en van welke jaren een bron stukken heeft, waar dat bekend is. "
    "Goedkoop; alleen met `jaren` worden bronnen gevraagd."
)
_UNREADABLE: Final = "De Laadstatus is nu niet te lezen; daarom staan er weinig jaren bij."


async def list_bodies(given: Arguments, visit: Visit) -> Outcome:
    """The bodies that were asked for. Raises ``ToolFailedError``: for bad arguments, or when no source told its years."""
    register = visit.federation.register
    name = given.get("naam", "").strip()
    found = register.find(name) if name else register.everybody()
    chosen = [body for body in sorted(found, key=lambda body: (body.name, body.id)) if _fits(body, given, visit)]
    page = given.get("pagina", 1)
    shown = chosen[(page - 1) * _AT_ONCE : page * _AT_ONCE]
    statuses, trouble = await load_rows(visit)
    today = now().astimezone(AMSTERDAM).date()
    looked = await looked_up(visit.kept)
    holdings = {body.id: held(body, statuses, today, looked) for body in shown}
    if shown and given.get("jaren"):
        if len(shown) != 1:
            raise BadArgumentsError(_TOOL, ["`jaren` kan bij één organisatie: geef haar id als `naam`."])
        years = await ask_years(shown[0], holdings[shown[0].id], visit, today)
        holdings = {shown[0].id: years.held}
        trouble = " ".join(filter(None, (trouble, _silent(years.silent))))
    suggestions = register.suggestions(name) if name and not found else ()
    data = {
        "melding": " ".join(filter(None, (_left_out(found, chosen, name) or _message(chosen, name, page), trouble))),
        "organisaties": [body_data(body, register, holdings[body.id], visit, today) for body in shown],
        "aantal": len(chosen),
        "volgendePagina": page + 1 if page * _AT_ONCE < len(chosen) else None,
        "suggesties": [{"id": body.id, "naam": body.name} for body in suggestions],
    }
    return Outcome(data=data, text=written(list(_lines(data)), with_legend=False))


def _fits(body: Organisation, given: Arguments, visit: Visit) -> bool:
    kind, platform = given.get("soort"), given.get("platform")
    if kind and body.kind.value != kind:
        return False
    if platform:
        return body.key_at(platform) is not None
    return "naam" in given or any(body.key_at(key) for key in visit.platforms)


async def load_rows(visit: Visit) -> tuple[Mapping[str, Sequence[LoadState]], str]:
    """The rows of the Laadstatus by platform, and a sentence when they cannot be read."""
    try:
        kept = await visit.kept.load_status(visit.platforms)
    except KeptUnreadableError:
        return {}, _UNREADABLE
    return {status.platform: status.organisations for status in kept}, ""


def _silent(sources: Sequence[str]) -> str:
    """That sources were asked for their years in vain: what is said of them was known before."""
    if not sources:
        return ""
    give = "gaf" if len(sources) == 1 else "gaven"
    return f"{' en '.join(sources)} {give} nu geen antwoord. Vraag de jaren daarvan later opnieuw."


def _left_out(found: Sequence[Organisation], chosen: Sequence[Organisation], name: str) -> str:
    """That bodies have the name, but not what else was chosen."""
    if not name or chosen or not found:
        return ""
    bodies = ", ".join(f"{body.name} (`{body.id}`)" for body in found[:_MOST_NAMED])
    return f"Wel gevonden: {bodies}. Maar dat past niet bij de gekozen `soort` of `platform`."


def _message(chosen: Sequence[Organisation], name: str, page: int) -> str:
    if not chosen:
        return (
            "Geen organisatie gevonden die hierbij past." if name else "Er is geen organisatie die bij deze keuze past."
        )
    if (page - 1) * _AT_ONCE >= len(chosen):
        return f"Er zijn {len(chosen)} organisaties. Vraag een eerdere pagina."
    if name and len(chosen) > 1:
        return "Deze naam kan meer organisaties betekenen. Gebruik het id."
    return ""


def body_data(
    body: Organisation, register: Bodies, holdings: Sequence[Held], visit: Visit, today: date
) -> dict[str, Any]:
    """One body."""
    life = register.life(body.id)
    return {
        "id": body.id,
        "naam": body.name,
        "soort": body.kind.value,
        "bestaatNu": body.ended is None or body.ended > today,
        "geldigVan": life.began.isoformat() if life.began else None,
        "opgehevenOp": body.ended.isoformat() if body.ended else None,
        "codes": [{"stelsel": code.scheme, "waarde": code.value} for code in codes_of(body)],
        "andereNamen": list(body.names),
        "voorgangers": [_change(one, one.before, register) for one in life.came_of],
        "opvolgers": [_change(one, one.after, register) for one in life.went_to],
        "opvolgersNu": [{"id": one.id, "naam": one.name} for one in successors_now(body, register)],
        "bronnen": [_held_data(one, body) for one in holdings if one.platform in visit.platforms],
    }


def _change(change: Succession, other: str, register: Bodies) -> dict[str, Any]:
    body = register.body(other)
    return {
        "id": other,
        "naam": body.name if body else other,
        "op": change.day.isoformat(),
        "geheel": change.whole,
        "alleenNaam": change.renamed,
    }


def _held_data(one: Held, body: Organisation) -> dict[str, Any]:
    return {
        "platform": one.platform,
        "kenmerk": body.key_at(one.platform) or "",
        "eersteStuk": one.first.isoformat() if one.first else None,
        "nieuwsteStuk": one.last.isoformat() if one.last else None,
        "stukken": one.documents,
        "laadstatus": one.state,
        "jaren": one.sentence,
    }


def _lines(data: dict[str, Any]) -> Iterator[str]:
    if data["melding"]:
        yield data["melding"]
    for suggestion in data["suggesties"]:
        yield f"Bedoelt u {suggestion['naam']} (`{suggestion['id']}`)?"
    for body in data["organisaties"]:
        yield from _body_lines(body)
    if data["volgendePagina"]:
        yield f"Er zijn er {data['aantal']}: vraag `pagina` {data['volgendePagina']}."


def _body_lines(body: dict[str, Any]) -> Iterator[str]:
    began = f", bestaat sinds {_day(body['geldigVan'])}" if body["geldigVan"] else ""
    ended = f", opgeheven op {_day(body['opgehevenOp'])}" if body["opgehevenOp"] else ""
    yield f"- {body['naam']} (`{body['id']}`): {body['soort']}{began}{ended}"
    for label, others in (("kwam voort uit", body["voorgangers"]), ("ging over in", body["opvolgers"])):
        if others:
            names = ", ".join(f"{one['naam']} (`{one['id']}`, {_day(one['op'])})" for one in others)
            yield f"  {label}: {names}"
    for source in body["bronnen"]:
        state = f" Laadstatus: {source['laadstatus']}." if source["laadstatus"] else ""
        yield f"  {_PLATFORM_NAMES[source['platform']]}: {source['jaren']}{state}"


def _day(text: str) -> str:
    return texts.day(date.fromisoformat(text))


_ONE: Final = closed({"id": TEXT, "naam": TEXT})
_CHANGE: Final = closed({"id": TEXT, "naam": TEXT, "op": MAYBE_DAY, "geheel": FLAG, "alleenNaam": FLAG})
_BODY: Final = closed(
    {
        "id": TEXT,
        "naam": TEXT,
        "soort": {"type": "string", "enum": [kind.value for kind in BodyKind]},
        "bestaatNu": FLAG,
        "geldigVan": MAYBE_DAY,
        "opgehevenOp": MAYBE_DAY,
        "codes": many(closed({"stelsel": TEXT, "waarde": TEXT})),
        "andereNamen": TEXTS,
        "voorgangers": many(_CHANGE),
        "opvolgers": many(_CHANGE),
        "opvolgersNu": many(_ONE),
        "bronnen": many(
            closed(
                {
                    "platform": PLATFORM,
                    "kenmerk": TEXT,
                    "eersteStuk": MAYBE_DAY,
                    "nieuwsteStuk": MAYBE_DAY,
                    "stukken": MAYBE_COUNT,
                    "laadstatus": TEXT,
                    "jaren": TEXT,
                }
            )
        ),
    }
)
_OUTPUT: Final = closed(
    {
        "melding": TEXT,
        "organisaties": many(_BODY),
        "aantal": COUNT,
        "volgendePagina": MAYBE_COUNT,
        "suggesties": many(_ONE),
    }
)
_PROPERTIES: Final[dict[str, Any]] = {
    "naam": {"type": "string", "maxLength": 200, "description": "naam, id of code; leeg voor alle"},
    "soort": {"type": "string", "enum": [kind.value for kind in BodyKind]},
    "platform": {"type": "string", "enum": KEYS},
    "jaren": {"type": "boolean", "description": "vraag het oudste en nieuwste stuk aan de bronnen (duur)"},
    "pagina": {"type": "integer", "minimum": 1, "maximum": 1000},
}
BODIES: Final = Tool(
    name=_TOOL,
    title="Organisaties",
    description=_DESCRIPTION,
    input_schema=arguments(_PROPERTIES),
    output_schema=_OUTPUT,
    run=list_bodies,
)
BODIES_HERE: Final = without(BODIES, "platform")
