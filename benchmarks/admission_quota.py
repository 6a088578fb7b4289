"""An agent at the store: ``python -m benchmarks.admission_quota STORE CONTRACT NAME TIMES`` says how often it was let in.

Apart from everything that loads Django, so that sixteen of them begin together.
"""

from __future__ import annotations

import asyncio
import sys

from admission.edge import Ask
from admission.ledger import Ledger
from admission.operations import Operation
from throttling.store import Store
from throttling.work import Access


async def attempts(address: str, contract: str, name: str, times: int) -> int:
    """Ask so often; how often it was allowed."""
    allowed = 0
    async with Store(address, 60.0) as store:
        ledger = Ledger(store)
        for one in range(times):
            decision = await ledger.decide(search(contract, f"{name}.{one}"))
            allowed += decision.allowed
            if decision.allowed:
                await ledger.release(contract, decision.lease)
    return allowed


def search(contract: str, name: str) -> Ask:
    """A request that reads, with a proof and an id of its own."""
    return Ask(
        contract=contract,
        token="t",  # noqa: S106 - a name, no secret
        proof=name,
        operation=Operation("zoeken", Access.READ),
        token_class=Access.READ,
        resource="/zoeken",
        request=name,
    )


if __name__ == "__main__":
    found = attempts(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
    sys.stdout.write(f"{asyncio.run(found)}\n")
