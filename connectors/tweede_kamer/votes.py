"""The outcome of a vote: per fractie, with members that voted otherwise and with corrected mistakes (section 7).

A show of hands has one row per fractie with its seats; members who deviate have rows of their own beside it, so their seats are
taken off. A roll call has one row per member. A row that was listed twice counts once (field report 26). ``Vergissing`` says
that a vote was a mistake: the outcome keeps it as it was recorded, and the facts name it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from connectors.kamer_words import line
from connectors.records import Detail
from connectors.tweede_kamer.values import Row, number, objects
from connectors.voting import VoteGroup, Votes

_RESULTS: Final = ("aangenomen", "verworpen", "ingetrokken", "aangehouden")
_OTHER: Final = "overig"
_ROLL_CALL: Final = "hoofdelijk"
_FOR, _AGAINST, _ABSENT = "voor", "tegen", "niet deelgenomen"


@dataclass(frozen=True, slots=True)
class Cast:
    """One row: how a fractie with its seats, or a member, voted."""

    name: str
    party: str
    choice: str
    seats: int
    is_member: bool
    is_mistake: bool


def decisions_votes(decisions: list[Row]) -> tuple[Votes | None, tuple[Detail, ...]]:
    """The outcome of the last decision that says one, and its facts. A motion has one for being handed in as well."""
    telling = [row for row in decisions if _is_outcome(row)]
    if not telling:
        return None, ()
    chosen = max(enumerate(telling), key=lambda item: (bool(objects(item[1].get("Stemming"))), item[0]))[1]
    return _votes(chosen), _details(chosen)


def _is_outcome(row: Row) -> bool:
    status = line(row.get("Status"))
    if status and status != "Besluit":
        return False
    word = line(row.get("BesluitSoort")).lower()
    return bool(objects(row.get("Stemming"))) or word.startswith("stemmen") or any(one in word for one in _RESULTS)


def _votes(decision: Row) -> Votes:
    literal = " – ".join(filter(None, (line(decision.get("BesluitSoort")), line(decision.get("BesluitTekst")))))
    groups = groups_of(casts(decision), is_roll_call=_is_roll_call(decision))
    lower = literal.lower()
    return Votes(
        result=next((one for one in _RESULTS if one in lower), _OTHER),
        literal=literal,
        in_favour=sum(group.in_favour for group in groups) if groups else None,
        against=sum(group.against for group in groups) if groups else None,
        groups=groups,
        summary=line(decision.get("StemmingsSoort")),
    )


def casts(decision: Row) -> tuple[Cast, ...]:
    """The rows of a decision, each once."""
    found = (_cast(row) for row in objects(decision.get("Stemming")))
    return tuple(dict.fromkeys(cast for cast in found if cast is not None))


def groups_of(rows: tuple[Cast, ...], *, is_roll_call: bool) -> tuple[VoteGroup, ...]:
    """How each fractie voted, in the order in which it is first named."""
    counted: dict[str, Counter[str]] = {row.party: Counter() for row in rows}
    as_one = {} if is_roll_call else _parties(rows)
    for party, row in as_one.items():
        counted[party][row.choice] = row.seats
    for row in rows:
        if not row.is_member:
            continue
        party_row = as_one.get(row.party)
        if party_row is None:
            counted[row.party][row.choice] += 1
        elif party_row.choice != row.choice:
            counted[row.party][party_row.choice] -= 1
            counted[row.party][row.choice] += 1
    return tuple(VoteGroup(party, max(votes[_FOR], 0), max(votes[_AGAINST], 0)) for party, votes in counted.items())


def _parties(rows: tuple[Cast, ...]) -> dict[str, Cast]:
    """The row of each fractie as a whole; of two, the one that is no mistake."""
    found: dict[str, Cast] = {}
    for row in rows:
        if not row.is_member and (row.party not in found or (found[row.party].is_mistake and not row.is_mistake)):
            found[row.party] = row
    return found


def _cast(row: Row) -> Cast | None:
    party = line(row.get("ActorFractie")) or line(row.get("ActorNaam"))
    choice = line(row.get("Soort")).lower()
    if not party or not choice:
        return None
    name = line(row.get("ActorNaam")) or party
    # Rows of older recordings lack the ids: a name that is not the fractie's own is that of a member.
    is_member = bool(row.get("Persoon_Id") or row.get("SidActorLid")) or name != party
    return Cast(name, party, choice, number(row.get("FractieGrootte")) or 0, is_member, row.get("Vergissing") is True)


def _is_roll_call(decision: Row) -> bool:
    return line(decision.get("StemmingsSoort")).lower() == _ROLL_CALL


def _details(decision: Row) -> tuple[Detail, ...]:
    rows = casts(decision)
    roll_call = _is_roll_call(decision)
    absent = [row for row in rows if row.choice == _ABSENT]
    sides = {party: row.choice for party, row in _parties(rows).items()}
    deviating = [row for row in rows if row.is_member and not roll_call and sides.get(row.party) != row.choice]
    facts = [
        ("Niet deelgenomen", "; ".join(_named(row) for row in absent)),
        ("Stemde anders dan de fractie", "; ".join(f"{_named(row)}: {row.choice}" for row in deviating)),
        ("Vergissing bij stemming", "; ".join(f"{_named(row)}: {row.choice}" for row in rows if row.is_mistake)),
        ("Opmerking bij besluit", line(decision.get("Opmerking"))),
    ]
    if roll_call:
        for choice, label in ((_FOR, "Leden voor"), (_AGAINST, "Leden tegen")):
            facts.append((label, "; ".join(_named(row) for row in rows if row.choice == choice and row.is_member)))
    return tuple(Detail(label, value) for label, value in facts if value)


def _named(row: Cast) -> str:
    if row.is_member:
        return f"{row.name} ({row.party})"
    return f"{row.party} ({row.seats})" if row.seats else row.party
