"""One process of an agent: asks and asks under a contract, or holds what it got until it is killed.

Started by the tests as ``python -m tests.admission.agent`` with its orders as JSON. Says how many requests were allowed.
"""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict, dataclass
from typing import Any

from admission.ledger import Ledger
from tests.admission.asking import search
from tests.support.valkey import PATIENCE
from throttling.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """What an agent does: ``attempts`` requests, or ``hold`` so many at once and never give them back."""

    address: str
    ledger: str
    contract: str
    name: str
    attempts: int = 0
    hold: int = 0

    def command(self) -> tuple[str, ...]:
        """How to start it."""
        return (sys.executable, "-m", "tests.admission.agent", json.dumps(asdict(self)))


def says(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


async def main(given: dict[str, Any]) -> None:
    orders = Orders(**given)
    async with Store(orders.address, PATIENCE) as store:
        ledger = Ledger(store, name=orders.ledger)
        allowed = 0
        for number in range(orders.attempts + orders.hold):
            one = f"{orders.name}.{number}"
            decision = await ledger.decide(search(orders.contract, proof=one, request=one))
            allowed += decision.allowed
            if decision.allowed and not orders.hold:
                await ledger.release(orders.contract, decision.lease)
        says(str(allowed))
        if orders.hold:
            await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(json.loads(sys.argv[1])))
