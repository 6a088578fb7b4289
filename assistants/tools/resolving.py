"""``herleid``: from any id or address to the live record and its address."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from assistants.locating import elsewhere
from assistants.lookups import looked_up
from assistants.opening import Opened, opened
from assistants.printing.documents import paper_data, paper_lines
from assistants.printing.hits import shared_data, shared_lines
from assistants.printing.quoting import written
from assistants.printing.schemas import FLAG, PAPER, PLATFORM, SHARED, TEXT, arguments, closed, many
from assistants.tool import Arguments, Outcome, Tool, ToolFailedError, Visit
from connectors.exceptions import GoneError, NotSupportedError, ReplacedError, TakenDownError
from connectors.moments import now
from search.notations import embedded
from search.references import Located, candidates, named_platform
from search.same import together

_MOST: Final = 6
_DESCRIPTION: Final = (
    "Zoekt bij een nummer of adres het stuk zelf op, zoals het nu bij de bron staat, met zijn id en adres. Neemt "
    "ids en adressen van alle bronnen in elke schrijfwijze: ECLI, kamerstuk (36600-VII, nr. 139), gmb- en "
    "stcrt-nummers, Gemeenteblad 2024, 216934, webadressen, ook van onze eigen pagina's. Vraagt elke bron waar het "
    "nummer kan bestaan om het hele stuk: geef liever een id met de bron ervoor."
)


@dataclass(frozen=True, slots=True)
class _Missing:
    """A document that did not come. ``is_answer``: its platform says that there is none, which is no failure."""

    located: Located
    failure: ToolFailedError
    is_answer: bool


@dataclass(frozen=True, slots=True)
class _There:
    """A document, and the id under which it was asked when it was replaced since."""

    found: Opened
    replaces: str | None = None


async def resolve(given: Arguments, visit: Visit) -> Outcome:
    """What the reference stands for. Raises ``ToolFailedError``."""
    places = await _places(given["verwijzing"], visit)
    outcomes = await asyncio.gather(*(_open(place, visit) for place in places[:_MOST]))
    there = [outcome for outcome in outcomes if isinstance(outcome, _There)]
    missing = [outcome for outcome in outcomes if isinstance(outcome, _Missing)]
    failures = [outcome.failure for outcome in missing if not outcome.is_answer]
    if not there and failures:
        raise failures[0]
    data = {
        "melding": _message(there, missing),
        "gevonden": [paper_data(one.found.document, one.found.began, now()) for one in there],
        "samen": [shared_data(one) for one in together(one.found.document for one in there) if one.is_shared],
        "vervangt": [{"gevraagd": one.replaces, "id": one.found.document.id} for one in there if one.replaces],
        "nietGevonden": [_missing_data(one) for one in missing],
    }
    return Outcome(data=data, text=written(list(_lines(data))))


async def _places(text: str, visit: Visit) -> Sequence[Located]:
    """Everything that the reference may be at this endpoint. Raises ``ToolFailedError`` when it is nothing."""
    everywhere = candidates(text, visit.federation.connectors)
    if not everywhere:
        inside = [one for piece in embedded(text) for one in candidates(piece, visit.federation.connectors)]
        everywhere = tuple({one.id: one for one in inside}.values())
    if not everywhere:
        everywhere = await looked_up(text, visit)
    here = [one for one in everywhere if one.connector.platform.key in visit.platforms]
    if here:
        return here
    if everywhere:
        raise elsewhere(everywhere[0].connector.platform.key)
    named = named_platform(text)
    if named is not None and named not in visit.platforms:
        raise elsewhere(named)
    raise _unknown()


def _unknown() -> ToolFailedError:
    return ToolFailedError(
        "Dit is geen nummer of adres dat een van de bronnen kent.",
        "Of het stuk bestaat, weten we daarmee niet.",
        "Controleer het nummer, of zoek het stuk met `zoek` op woorden uit de titel.",
    )


async def _open(located: Located, visit: Visit) -> _There | _Missing:
    """The document, or what took its place."""
    try:
        return _There(await opened(located, visit))
    except ToolFailedError as failure:
        cause = failure.__cause__
        if isinstance(cause, ReplacedError):
            return await _successor(located, cause.successor, failure, visit)
        is_answer = isinstance(cause, GoneError | TakenDownError | NotSupportedError)
        return _Missing(located, failure, is_answer)


async def _successor(located: Located, successor: str, failure: ToolFailedError, visit: Visit) -> _There | _Missing:
    upstream_id = located.connector.canonical_id(successor)
    if upstream_id is None:
        return _Missing(located, failure, is_answer=True)
    try:
        return _There(await opened(Located(located.connector, upstream_id), visit), replaces=located.id)
    except ToolFailedError:
        return _Missing(located, failure, is_answer=True)


def _message(there: Sequence[_There], missing: Sequence[_Missing]) -> str:
    if not there:
        return "De bron waar dit nummer kan bestaan, heeft zo'n stuk niet (meer)."
    count = "Eén stuk gevonden." if len(there) == 1 else f"{len(there)} stukken gevonden."
    if len(there) > 1:
        count += " Het kan hetzelfde stuk bij meer bronnen zijn."
    replaced = " Het gevraagde stuk is vervangen; dit is de opvolger." if any(one.replaces for one in there) else ""
    failed = " Niet elke bron kon nu antwoorden." if any(not one.is_answer for one in missing) else ""
    return f"{count}{replaced}{failed}"


def _missing_data(missing: _Missing) -> dict[str, Any]:
    return {
        "id": missing.located.id,
        "platform": missing.located.connector.platform.key,
        "reden": missing.failure.text,
        "storing": not missing.is_answer,
    }


def _lines(data: dict[str, Any]) -> Iterator[str]:
    yield data["melding"]
    for paper in data["gevonden"]:
        yield ""
        yield from paper_lines(paper)
    for one in data["samen"]:
        yield from shared_lines(one)
    for missing in data["nietGevonden"]:
        yield f"- {missing['id']}: {missing['reden']}"


RESOLVE: Final = Tool(
    name="herleid",
    title="Een nummer of adres herleiden",
    description=_DESCRIPTION,
    input_schema=arguments({"verwijzing": {"type": "string", "minLength": 3, "maxLength": 2000}}, "verwijzing"),
    output_schema=closed(
        {
            "melding": TEXT,
            "gevonden": many(PAPER),
            "samen": many(SHARED),
            "vervangt": many(closed({"gevraagd": TEXT, "id": TEXT})),
            "nietGevonden": many(closed({"id": TEXT, "platform": PLATFORM, "reden": TEXT, "storing": FLAG})),
        }
    ),
    run=resolve,
)
