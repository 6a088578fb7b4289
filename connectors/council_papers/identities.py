"""Ids as the suppliers give them: numbers that grow with time, or UUIDs at iBabs. The same dice give the same ids."""

from __future__ import annotations

from datetime import datetime
from enum import Enum
from random import Random
from uuid import UUID

from connectors.council_papers.bodies import Body, Supplier

_FIRST_YEAR = 2010


class Thing(Enum):
    """What is numbered: first number and step a year at suppliers with large numbers."""

    MEETING = (100_000, 80_000)
    PAPER = (1_000_000, 950_000)
    MOTION = (60_000, 70_000)
    AGENDA_ITEM = (500_000, 600_000)


class Identities:
    """Hands out ids, never the same twice."""

    def __init__(self, dice: Random) -> None:
        self._dice = dice
        self._count = 0

    def next(self, thing: Thing, body: Body, moment: datetime) -> str:
        """The next id of a thing at a body."""
        self._count += 1
        if body.supplier is Supplier.IBABS:
            return str(UUID(int=self._dice.getrandbits(128), version=4))
        first, step = thing.value
        if body.supplier is not Supplier.NOTUBIZ:
            first, step = first // 1_000, 0
        return str(first + (moment.year - _FIRST_YEAR) * step + self._count * 3)
