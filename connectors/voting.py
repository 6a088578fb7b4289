"""The outcome of a vote, as a platform counts it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class VoteGroup:
    """How one party voted, as counted by the platform; where it does not say so, absent and abstaining are the same."""

    name: str
    in_favour: int
    against: int


@dataclass(frozen=True, slots=True)
class Votes:
    """The outcome of a vote: aangenomen, verworpen, ingetrokken, aangehouden or overig; ``literal`` as the platform says it."""

    result: str
    literal: str
    in_favour: int | None = None
    against: int | None = None
    groups: tuple[VoteGroup, ...] = ()
    summary: str = ""
