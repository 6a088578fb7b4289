"""How a vote falls: parties vote as one, now and then one of them is divided."""

from __future__ import annotations

from random import Random

from connectors.council_papers.bodies import Body
from connectors.council_papers.papers import Result, Vote

# In a hundred: how often a party is in favour of what others propose, and how often one party is divided.
_IN_FAVOUR, _DIVIDED = 50, 20
_STATUS: dict[str, dict[Result, str]] = {
    "ibabs": {
        Result.ADOPTED: "Motie aangenomen",
        Result.REJECTED: "Motie verworpen",
        Result.WITHDRAWN: "Motie ingetrokken",
        Result.HELD_OVER: "Motie aangehouden",
    },
    "parlaeus": {
        Result.ADOPTED: "Aangenomen",
        Result.REJECTED: "Verworpen",
        Result.WITHDRAWN: "Ingetrokken",
        Result.HELD_OVER: "Aangehouden",
    },
}


def status(body: Body, result: Result, *, is_amendment: bool) -> str:
    """The supplier's wording of a result."""
    words = _STATUS.get(body.supplier.value)
    if words is None:
        return result.value
    return words[result].replace("Motie", "Amendement") if is_amendment else words[result]


def cast(dice: Random, body: Body, proposers: tuple[str, ...]) -> tuple[Vote, ...]:
    """A vote of all seats. The parties that proposed it are in favour; no vote ends in a tie."""
    in_favour = {party.name: party.name in proposers or dice.randrange(100) < _IN_FAVOUR for party in body.parties}
    divided = dice.choice(body.parties) if dice.randrange(100) < _DIVIDED else None
    votes = []
    for party in body.parties:
        dissenting = party is divided and party.seats > 2 and party.name not in proposers  # noqa: PLR2004 - two make no split
        for seat in range(1, party.seats + 1):
            choice = in_favour[party.name]
            votes.append(Vote(party.name, seat, not choice if dissenting and seat == 1 else choice))
    if sum(vote.in_favour for vote in votes) * 2 == len(votes):
        votes[-1] = Vote(votes[-1].party, votes[-1].seat, not votes[-1].in_favour)
    return tuple(votes)


def outcome(votes: tuple[Vote, ...]) -> Result:
    """What a vote leads to."""
    return Result.ADOPTED if sum(vote.in_favour for vote in votes) * 2 > len(votes) else Result.REJECTED
