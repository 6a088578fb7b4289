"""Who is asking. The session key decides whose turn a call takes at a platform with a limit."""

from __future__ import annotations

from dataclasses import dataclass

HOUSE_SESSION = "huis"


@dataclass(frozen=True, slots=True)
class Caller:
    """One asker: ``session`` is the key under which use is counted, ``visitor`` tells visitors of the house apart.

    ``one_at_a_time``: only one call of this caller stands in a queue (rules R10 and R13). ``heir_of``: the session whose recent
    use a new session begins with, so that opening sessions buys no share.
    """

    session: str
    visitor: str = ""
    one_at_a_time: bool = False
    heir_of: str = ""

    @property
    def is_house(self) -> bool:
        """Whether this is the house: the search page and own maintenance, whose use is not counted (rule R10)."""
        return self.session == HOUSE_SESSION


def house(visitor: str = "") -> Caller:
    """The house, on behalf of ``visitor`` (a key, never an address; empty for own maintenance)."""
    return Caller(session=HOUSE_SESSION, visitor=visitor, one_at_a_time=not visitor)
