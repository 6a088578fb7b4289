"""Members of the Kamer: who holds or held which seat, and from when until when (section 8).

A person sits on a seat of a fractie for some days, in a role. Of a person we keep the name alone: the service also gives births
and places of birth, which nobody needs here.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from connectors.calls import Answer
from connectors.kamer_words import line
from connectors.records import ListItem
from connectors.tweede_kamer.answers import rows_of
from connectors.tweede_kamer.values import Row, day_of, expanded, number


@dataclass(frozen=True, slots=True)
class Member:
    """One person on one seat. ``last_day`` is the last day on it, None for who sits there now.

    ``name``, ``party`` and ``party_id`` are empty where the answer does not hold them; ``weight`` is the place on the list.
    """

    person_id: str
    name: str
    role: str
    party: str = ""
    party_id: str = ""
    first_day: date | None = None
    last_day: date | None = None
    weight: int | None = None

    @property
    def item(self) -> ListItem:
        """As an item of a list below its fractie, with party, role and days in the name."""
        role = "" if self.role.casefold() == "lid" else self.role.lower()
        words = ", ".join(filter(None, (self.name, self.party, role, self._days())))
        return ListItem(self.person_id, words, self.party_id or None)

    def _days(self) -> str:
        if self.first_day and self.last_day:
            return f"{self.first_day:%d-%m-%Y} tot en met {self.last_day:%d-%m-%Y}"
        if self.first_day:
            return f"sinds {self.first_day:%d-%m-%Y}"
        return f"tot en met {self.last_day:%d-%m-%Y}" if self.last_day else ""


@dataclass(frozen=True, slots=True)
class MemberPage:
    """One page of seats with who sits on them. ``given`` counts the rows that came."""

    members: tuple[Member, ...]
    given: int

    @property
    def items(self) -> tuple[ListItem, ...]:
        """The page as items of a list."""
        return tuple(member.item for member in self.members)


def member_page(answer: Answer) -> MemberPage:
    """The members in an answer. A row without a person or a name is left out."""
    found = rows_of(answer)
    members = [made for row in found.rows if (made := member(row)) is not None and made.name]
    return MemberPage(tuple(members), found.given)


def member(row: Row) -> Member | None:
    """The member in a row of ``FractieZetelPersoon`` with what is expanded in it; None without a person."""
    person = expanded(row.get("Persoon")) or {}
    person_id = line(row.get("Persoon_Id")) or line(person.get("Id"))
    if not person_id:
        return None
    seat = expanded(row.get("FractieZetel")) or {}
    party = expanded(seat.get("Fractie")) or {}
    return Member(
        person_id=person_id,
        name=person_name(person),
        role=line(row.get("Functie")),
        party=line(party.get("Afkorting")) or line(party.get("NaamNL")),
        party_id=line(party.get("Id")) or line(seat.get("Fractie_Id")),
        first_day=day_of(row.get("Van")),
        last_day=day_of(row.get("TotEnMet")),
        weight=number(seat.get("Gewicht")),
    )


def person_name(person: Row) -> str:
    """The name by which a person is known: "Fleur Agema"; with initials where no first name is given."""
    parts = (line(person.get("Roepnaam")) or line(person.get("Initialen")), person.get("Tussenvoegsel"))
    surname = line(person.get("Achternaam"))
    return " ".join(filter(None, (*map(line, parts), surname))) if surname else ""
