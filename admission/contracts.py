"""What a contract says: who may do what, where, how much and for how long. Values alone; the store counts what is used."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

MOST_CONTRACTS: Final = 3
"""Contracts that live at once of one workload (design page on admission, choice A3)."""
MOST_SECONDS: Final = 86_400
"""The longest life of a contract: 24 hours (choice A4)."""
MOST_UNITS: Final = 1_000_000_000
"""No number in a budget may be larger: far above any tier, far below what the store counts exactly."""
NAMED: Final = re.compile(r"[^\x00-\x1f|\x7f]{1,512}")
"""What a name in a contract may be: of itself, of a workload, an issuer or a pool."""
_PREFIX: Final = re.compile(r"/[^\x00-\x1f\x7f]{0,511}")


class Tier(StrEnum):
    """How well it is known who asks (choice A1)."""

    FEDERATED = "federated"
    CIMD = "cimd"
    SIGNED_AGENT = "signed-agent"
    AD_HOC = "ad-hoc"


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Calls ``in_flight`` at once, and for the life of the contract ``units`` and ``writes`` (state changes).

    Raises ``ValueError`` for a number below zero or beyond ``MOST_UNITS``.
    """

    in_flight: int
    units: int
    writes: int = 0

    def __post_init__(self) -> None:
        for number in (self.in_flight, self.units, self.writes):
            if not 0 <= number <= MOST_UNITS:
                raise ValueError(number)


@dataclass(frozen=True, slots=True)
class Grant:
    """One operation of the registry that may be done, below ``prefixes`` of addresses; none means wherever it is.

    Raises ``ValueError`` for a name or an address that is no such thing.
    """

    operation: str
    prefixes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not NAMED.fullmatch(self.operation) or not all(map(_PREFIX.fullmatch, self.prefixes)):
            raise ValueError(self.operation)


@dataclass(frozen=True, slots=True)
class Pool:
    """What many contracts draw from together: calls ``in_flight``, and ``units`` in any ``seconds``, earned back steadily.

    A burst of all units is possible after ``seconds`` of rest. Raises ``ValueError`` for a bad name or a number below one.
    """

    name: str
    in_flight: int
    units: int
    seconds: int

    def __post_init__(self) -> None:
        if not NAMED.fullmatch(self.name) or min(self.in_flight, self.units, self.seconds) < 1:
            raise ValueError(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """A contract as it is asked for, or loaded again. ``seconds``: how long it lives from now.

    ``workload`` (a SPIFFE id, ``iss#sub``, an address or ``jkt:…``) and ``issuer`` (its trust domain or issuer) are what can be
    stopped as a whole. ``most``: the budget of the workload over all its contracts. Raises ``ValueError`` for what fits in no
    contract: names with control characters, a life outside 1 second to 24 hours.
    """

    id: str
    workload: str
    issuer: str
    tier: Tier
    budget: Budget
    most: Budget
    seconds: float
    grants: tuple[Grant, ...]
    pools: tuple[Pool, ...] = ()

    def __post_init__(self) -> None:
        if not all(map(NAMED.fullmatch, (self.id, self.workload, self.issuer))):
            raise ValueError(self.id)
        if not 1 <= self.seconds <= MOST_SECONDS:
            raise ValueError(self.seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A contract that comes back after a cold start of the store, with what was left at its last checkpoint.

    The margins are what may have been used since: they are taken off, and never more is left than the store itself still knew.
    """

    contract: Contract
    left: int
    writes_left: int
    margin: int
    writes_margin: int
    revoked: bool = False


class PutAnswer(StrEnum):
    """What came of asking for a contract."""

    PUT = "put"
    THERE = "there"
    """The id is in use, or was: it is never used again."""
    CLOSED = "closed"
    """The store was started and its contracts are not loaded yet."""
    REVOKED = "revoked"
    """The workload or its issuer is stopped."""
    MANY = "many"
    """The workload has as many contracts as it may."""
    SPENT = "spent"
    """Nothing is left of what its workload may have, or nothing was asked."""


@dataclass(frozen=True, slots=True)
class Put:
    """What came of it, and what was granted: asking too much is narrowed, not refused."""

    answer: PutAnswer
    granted: Budget


class Stop(StrEnum):
    """What can be stopped (choice A4)."""

    TOKEN = "token"  # noqa: S105 - a kind of thing, no secret
    CONTRACT = "contract"
    WORKLOAD = "workload"
    ISSUER = "issuer"
    WRITES = "writes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How it stands with a contract. ``stopped`` is a reason, empty while it is in use; ``seconds`` it still has.

    ``workload_in_flight``: over all contracts of its workload. ``refused``: requests so far, which cost nothing.
    """

    stopped: str
    units: int
    writes: int
    left: int
    writes_left: int
    cap: int
    in_flight: int
    workload_in_flight: int
    refused: int
    seconds: float
