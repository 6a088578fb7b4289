"""From rows and the store to what the operators' pages print. Pure, and nothing in it is markup."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from admission.contracts import Standing
from admission.models import Agreement, AgreementState
from admission.proofs import strict

_LONGEST_VALUE: Final = 2_000
TIERS: Final[Mapping[str, str]] = {
    "federated": "uitgever staat in voor de taak",
    "cimd": "document van een programma",
    "signed-agent": "ondertekende agent",
    "ad-hoc": "alleen een sleutel",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One contract. ``now``: by the store; without it ``left`` and ``writes_left`` are of the last checkpoint, at ``as_of``."""

    row: Agreement
    state: str
    holds: bool
    left: int
    writes_left: int
    in_flight: int | None
    refused: int
    as_of: datetime | None

    @property
    def used(self) -> int:
        """Units."""
        return max(self.row.units - self.left, 0)

    @property
    def writes_used(self) -> int:
        """State changes."""
        return max(self.row.writes - self.writes_left, 0)

    @property
    def tier(self) -> str:
        """How well it is known who this is."""
        return TIERS.get(self.row.tier, self.row.tier)


def seen(row: Agreement, now: datetime, standing: Standing | None) -> Seen:
    """A contract as it stands."""
    state = state_of(row, now)
    return Seen(
        row=row,
        state=state,
        holds=state == "loopt",
        left=row.left if standing is None else standing.left,
        writes_left=row.writes_left if standing is None else standing.writes_left,
        in_flight=None if standing is None else standing.in_flight,
        refused=row.refused if standing is None else standing.refused,
        as_of=row.checked_at or row.asked_at if standing is None else None,
    )


def state_of(row: Agreement, now: datetime) -> str:
    """In a word or two: whether it still holds, by its moments."""
    if row.state != AgreementState.AGREED:
        return str(AgreementState(row.state).label)
    if row.revoked_at is not None:
        return "ingetrokken"
    return "loopt" if row.ends_at > now else "voorbij"


@dataclass(frozen=True, slots=True)
class Over:
    """A contract that was over something: ``why`` in sentences, and whether that was to be expected."""

    contract: Seen
    why: tuple[str, ...]
    expected: bool
    verdict: str


def over(contract: Seen, spent: int) -> Over | None:
    """Whether a contract went over its budget, or over what it said it would use. ``spent``: refusals because of its budget."""
    row, why = contract.row, []
    if spent:
        times = "1 verzoek is" if spent == 1 else f"{spent} verzoeken zijn"
        why.append(f"Het budget was op of te klein: {times} daarom geweigerd.")
    more = contract.used > row.expected_units
    if more:
        why.append(
            f"Het gebruikte {_counted(contract.used, 'eenheid', 'eenheden')}, en zei {row.expected_units} te verwachten."
        )
    more_writes = contract.writes_used > row.expected_writes
    if more_writes:
        done = _counted(contract.writes_used, "wijziging", "wijzigingen")
        why.append(f"Het deed {done}, en zei {row.expected_writes} te verwachten.")
    if not why:
        return None
    narrowed = row.expected_units > row.units or row.expected_writes > row.writes
    if more or more_writes:
        verdict = "Niet verwacht: het gebruikte meer dan het zelf zei."
    elif narrowed:
        verdict = "Te verwachten: het zei meer nodig te hebben dan het kreeg."
    else:
        verdict = "Niet verwacht: het had genoeg aan wat het zei, en vroeg toch door."
    return Over(contract, tuple(why), narrowed and not (more or more_writes), verdict)


def _counted(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"


def overs(contracts: Iterable[Seen], spent: Mapping[str, int]) -> tuple[Over, ...]:
    """Those that were over, in the order they come."""
    found = (over(one, spent.get(one.row.contract, 0)) for one in contracts)
    return tuple(one for one in found if one is not None)


@dataclass(frozen=True, slots=True)
class Member:
    """One member of a body: its name, and its value as it binds, with every sign that nobody sees written out."""

    name: str
    value: str


def members(body: str) -> Sequence[Member]:
    """What is asked, as a table: the members of its body; one row without a name where it is no object of JSON."""
    if not body:
        return ()
    try:
        # Of a name that comes twice a table would show one value: then the body is shown as it is.
        found: Any = json.loads(body, object_pairs_hook=strict.once)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        return (Member("", visible(body)),)
    return [Member(visible(str(name)), visible(_text(value))) for name, value in found.items()]


def visible(text: str) -> str:
    """``text`` in which nothing is hidden: signs that are not seen, or that turn the words around them, as their number."""
    shown = text[:_LONGEST_VALUE]
    seen_signs = "".join(sign if sign.isprintable() else f"\\u{ord(sign):04x}" for sign in shown)
    return seen_signs + (f" … (nog {len(text) - _LONGEST_VALUE} tekens)" if len(text) > _LONGEST_VALUE else "")


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)
