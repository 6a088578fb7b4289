"""Fracties and committees with the days between which they existed (section 8). A party has a row for each unbroken period."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from connectors.calls import Answer
from connectors.kamer_words import line
from connectors.records import ListItem
from connectors.tweede_kamer.answers import rows_of
from connectors.tweede_kamer.values import day_of, number


@dataclass(frozen=True, slots=True)
class Group:
    """A fractie or a committee. ``seats`` is None for a committee and where it is not given."""

    id: str
    name: str
    abbreviation: str
    active_from: date | None
    active_until: date | None
    seats: int | None = None

    @property
    def item(self) -> ListItem:
        """As an item of a list, with its abbreviation and its days in the name."""
        short = f" ({self.abbreviation})" if self.abbreviation and self.abbreviation != self.name else ""
        return ListItem(self.id, f"{self.name}{short}{self._days()}")

    def _days(self) -> str:
        if self.active_from and self.active_until:
            return f", {self.active_from:%d-%m-%Y} tot {self.active_until:%d-%m-%Y}"
        if self.active_from:
            return f", sinds {self.active_from:%d-%m-%Y}"
        return f", tot {self.active_until:%d-%m-%Y}" if self.active_until else ""


@dataclass(frozen=True, slots=True)
class GroupPage:
    """One page of a list. ``given`` counts the rows that came."""

    groups: tuple[Group, ...]
    given: int

    @property
    def items(self) -> tuple[ListItem, ...]:
        """The page as items of a list."""
        return tuple(group.item for group in self.groups)


def group_page(answer: Answer) -> GroupPage:
    """The groups of an answer. Rows without a name are left out: the plenary has one, and a few are empty (section 8)."""
    found = rows_of(answer)
    groups = []
    for row in found.rows:
        name = line(row.get("NaamNL")) or line(row.get("Afkorting"))
        if name and line(row.get("Id")):
            groups.append(
                Group(
                    id=line(row.get("Id")),
                    name=name,
                    abbreviation=line(row.get("Afkorting")),
                    active_from=day_of(row.get("DatumActief")),
                    active_until=day_of(row.get("DatumInactief")),
                    seats=number(row.get("AantalZetels")),
                )
            )
    return GroupPage(tuple(groups), found.given)
