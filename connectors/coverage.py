"""How much of what a supplier had a platform has, as the platform counted it over a stretch of days."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Coverage:
    """``held`` of the ``supplied`` papers; ``is_at_most``: more may be missing than was counted. Days are None when unknown."""

    supplied: int
    held: int
    first: date | None = None
    last: date | None = None
    is_at_most: bool = False

    @property
    def ratio(self) -> float:
        """The part that is there, from 0 to 1."""
        return self.held / self.supplied

    def as_row(self) -> dict[str, Any]:
        """As it is kept."""
        days = [day.isoformat() if day else None for day in (self.first, self.last)]
        return {"supplied": self.supplied, "held": self.held, "days": days, "is_at_most": self.is_at_most}

    @classmethod
    def of_row(cls, row: object) -> Self | None:
        """What was kept; None when nothing was, or when it cannot be read."""
        if not isinstance(row, Mapping):
            return None
        try:
            first, last = (date.fromisoformat(day) if day else None for day in row["days"])
            return cls.counted(int(row["supplied"]), int(row["held"]), first, last, is_at_most=bool(row["is_at_most"]))
        except (KeyError, TypeError, ValueError):
            return None

    @classmethod
    def counted(
        cls, supplied: int | None, held: int | None, first: date | None, last: date | None, *, is_at_most: bool
    ) -> Self | None:
        """What a platform counted; None when that says nothing: no papers at the supplier, or more here than there."""
        if not supplied or held is None or not 0 <= held <= supplied:
            return None
        return cls(supplied, held, first, last, is_at_most)
