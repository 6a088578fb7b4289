"""The courts that the platform knows: the list Instanties as shipped with the project, and how to find one in it.

The list holds every code that stands in an ECLI of the Netherlands, also those of courts that are no more (section A5), so no
second list of codes is needed.
"""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Final

from connectors.names import register_id
from connectors.platforms import RECHTSPRAAK
from connectors.rechtspraak.ecli import court_code
from connectors.rechtspraak.parse_lists import Court, parse_courts
from connectors.records import BodyKind, Organisation

_SHIPPED: Final = Path(__file__).parent / "lists" / "Instanties.xml"


def organisation_of(court: Court) -> Organisation:
    """A court of the list as an organisation of the register. Its key is the identifier, kept as it is."""
    return Organisation(
        id=register_id(BodyKind.GERECHT, court.name) or f"{BodyKind.GERECHT}-{court.code}",
        name=court.name,
        kind=BodyKind.GERECHT,
        keys=((RECHTSPRAAK.key, court.identifier),),
        code=court.code or None,
        ended=court.last_day + timedelta(days=1) if court.last_day else None,
    )


@cache
def shipped_courts() -> tuple[Organisation, ...]:
    """The courts of the shipped list, in its order."""
    return tuple(organisation_of(court) for court in parse_courts(_SHIPPED.read_bytes()))


@cache
def _by_name() -> dict[str, Organisation]:
    return {court.name.casefold(): court for court in shipped_courts()}


@cache
def _by_code() -> dict[str, Organisation]:
    return {court.code: court for court in shipped_courts() if court.code}


def court_named(name: str, ecli: str) -> Organisation | None:
    """The court called ``name``, else the one whose code stands in ``ecli``; None when neither is in the list."""
    return _by_name().get(name.casefold()) or _by_code().get(court_code(ecli))
