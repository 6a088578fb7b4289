"""Contracts and requests of the tests."""

from __future__ import annotations

import itertools
from typing import Any, Final

from admission.contracts import Budget, Contract, Grant, Tier
from admission.edge import Admissions, Ask, Reason
from admission.ledger import Ledger
from admission.operations import Operation
from throttling.store import Store
from throttling.work import Access

_NUMBERS = itertools.count()
SEARCH: Final = Operation("zoeken", Access.READ)
ORDER: Final = Operation("rapport-aanvragen", Access.WRITE)
NOW: Final = 1_790_000_000.0
"""A moment of an invented clock."""
MOST: Final = Budget(in_flight=1000, units=1_000_000, writes=1000)
GRANTS: Final = (Grant("zoeken", ("/zoeken",)), Grant("rapport-aanvragen", ("/rapporten",)))


def agreed(name: str = "c", *, in_flight: int = 5, units: int = 100, writes: int = 5, **other: Any) -> Contract:
    """A contract as it is asked for."""
    given: dict[str, Any] = {
        "id": name,
        "workload": "spiffe://bank.example/indexer",
        "issuer": "bank.example",
        "tier": Tier.FEDERATED,
        "budget": Budget(in_flight=in_flight, units=units, writes=writes),
        "most": MOST,
        "seconds": 3600.0,
        "grants": GRANTS,
    }
    return Contract(**(given | other))


def search(contract: str = "c", **other: Any) -> Ask:
    """A request that reads, with a proof and an id of its own unless it is told otherwise."""
    number = next(_NUMBERS)
    given: dict[str, Any] = {
        "contract": contract,
        "token": "t",
        "proof": f"p{number}",
        "operation": SEARCH,
        "token_class": Access.READ,
        "resource": "/zoeken",
        "request": f"r{number}",
    }
    return Ask(**(given | other))


def order(contract: str = "c", **other: Any) -> Ask:
    """A request that changes state."""
    given = {"operation": ORDER, "token_class": Access.WRITE, "resource": "/rapporten"}
    return search(contract, **(given | other))


async def opened(
    store: Store, *contracts: Contract, quiet: float = 0.0, now: float | None = None, **other: Any
) -> Ledger:
    """A ledger of its own in the store, with these contracts; ``now``: in a time of its own."""
    ledger = Ledger(store, name=f"t{next(_NUMBERS)}", **other)
    ledger.frozen = now
    await ledger.open(quiet)
    for contract in contracts:
        assert (await ledger.put(contract)).answer == "put"
    return ledger


async def reason(ledger: Admissions, ask: Ask) -> Reason | None:
    """Why a request is refused, None where it is not."""
    return (await ledger.decide(ask)).reason
