"""The bodies for which papers are made: real councils, with the keys and suppliers of OpenBesluitvorming's catalogue.

Keys, labels, suppliers and codes: samples ``organisations.json`` of the platform page. The parties are invented: nothing here
says how a real party voted.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class BodyType(StrEnum):
    """What kind of body; the values are those of the platforms."""

    GEMEENTE = "gemeente"
    PROVINCIE = "provincie"
    WATERSCHAP = "waterschap"


class Supplier(StrEnum):
    """The council information systems from which the platforms take their papers."""

    NOTUBIZ = "notubiz"
    IBABS = "ibabs"
    GEMEENTEOPLOSSINGEN = "gemeenteoplossingen"
    PARLAEUS = "parlaeus"


@dataclass(frozen=True, slots=True)
class Party:
    """An invented party with its number of seats."""

    name: str
    seats: int


@dataclass(frozen=True, slots=True)
class Body:
    """One body. ``ended`` is the first day it no longer existed; ``imported`` is false where the import has stopped."""

    key: str
    name: str
    type: BodyType
    supplier: Supplier
    parties: tuple[Party, ...]
    ended: date | None = None
    began: date | None = None
    imported: bool = True

    @property
    def seats(self) -> int:
        """The number of seats of all parties together."""
        return sum(party.seats for party in self.parties)


_LOCAL_PARTIES = (
    "Lokaal Samen",
    "Dorpsbelang",
    "Stadspartij Vooruit",
    "Groen Geluid",
    "Burgerlijst",
    "Nieuw Midden",
    "Sociaal Anders",
    "Ouderenkring",
    "Jong en Lokaal",
    "Vrije Lijst",
)
_REGIONAL_PARTIES = (
    "Regio Centraal",
    "Platteland Nu",
    "Groen Geluid",
    "Nieuw Midden",
    "Sociaal Anders",
    "Provinciebelang",
)
_WATER_PARTIES = ("Water Lokaal", "Schoon Water Nu", "Ongebouwd", "Natuurterreinen", "Burgerwater")
_SEATS = ((8, 6, 5, 3, 1), (7, 5, 4, 4, 2, 1), (9, 7, 5, 3, 2, 1), (6, 5, 4, 3, 2, 2, 1))

_G, _P, _W = BodyType.GEMEENTE, BodyType.PROVINCIE, BodyType.WATERSCHAP
_N, _I, _GO, _PA = Supplier.NOTUBIZ, Supplier.IBABS, Supplier.GEMEENTEOPLOSSINGEN, Supplier.PARLAEUS

_ROWS: tuple[tuple[str, str, BodyType, Supplier], ...] = (
    ("ede", "Ede", _G, _N),
    ("utrecht", "Utrecht", _G, _I),
    ("amsterdam", "Amsterdam", _G, _N),
    ("rotterdam", "Rotterdam", _G, _I),
    ("groningen", "Groningen", _G, _GO),
    ("soest", "Soest", _G, _I),
    ("ermelo", "Ermelo", _G, _N),
    ("zeewolde", "Zeewolde", _G, _I),
    ("land_van_cuijk", "Land van Cuijk", _G, _I),
    ("boxmeer", "Boxmeer", _G, _I),
    ("weesp", "Weesp", _G, _N),
    ("dongen", "Dongen", _G, _N),
    ("alkmaar", "Alkmaar", _G, _N),
    ("altena", "Altena", _G, _N),
    ("baarn", "Baarn", _G, _N),
    ("schagen", "Schagen", _G, _N),
    ("houten", "Houten", _G, _I),
    ("texel", "Texel", _G, _I),
    ("den_bosch", "'s-Hertogenbosch", _G, _N),
    ("apeldoorn", "Apeldoorn", _G, _PA),
    ("alblasserdam", "Alblasserdam", _G, _GO),
    ("overijssel", "Overijssel", _P, _N),
    ("zuid_holland", "Zuid-Holland", _P, _N),
    ("flevoland", "Flevoland", _P, _N),
    ("noord-holland", "Noord-Holland", _P, _I),
    ("provincie-utrecht", "Utrecht", _P, _GO),
    ("aa-en-maas", "Aa en Maas", _W, _I),
    ("de-dommel", "De Dommel", _W, _I),
    ("scheldestromen", "Scheldestromen", _W, _N),
    ("vechtstromen", "Vechtstromen", _W, _I),
)
_ENDED = {"boxmeer": date(2022, 1, 1), "weesp": date(2022, 3, 24)}
_BEGAN = {"land_van_cuijk": date(2022, 1, 1), "altena": date(2019, 1, 1)}
_NOT_IMPORTED = frozenset({"dongen"})


def _parties(place: int, kind: BodyType) -> tuple[Party, ...]:
    """The parties of a body: a rotation of the names of its kind, so that neighbours differ."""
    names = {_G: _LOCAL_PARTIES, _P: _REGIONAL_PARTIES, _W: _WATER_PARTIES}[kind]
    seats = _SEATS[place % len(_SEATS)][: len(names)]
    return tuple(Party(names[(place * 3 + i) % len(names)], count) for i, count in enumerate(seats))


BODIES: tuple[Body, ...] = tuple(
    Body(key, name, kind, supplier, _parties(place, kind), _ENDED.get(key), _BEGAN.get(key), key not in _NOT_IMPORTED)
    for place, (key, name, kind, supplier) in enumerate(_ROWS)
)
BODY_BY_KEY = {body.key: body for body in BODIES}
