"""Real processes at one store: a quota is exact, a killed holder's slots come free, and what is revoked stops at once."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

import admission
from admission.contracts import Stop
from admission.edge import LEASE_SECONDS, Reason
from admission.ledger import Ledger
from tests.admission.agent import Orders
from tests.admission.asking import agreed, search
from tests.support.valkey import PATIENCE, Valkey
from throttling.store import Store

pytestmark = pytest.mark.anyio
ROOT = Path(admission.__file__).parent.parent
BOUND = 120.0
_NUMBERS = itertools.count()


@asynccontextmanager
async def agent(orders: Orders) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(*orders.command(), cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        process._transport.close()  # type: ignore[attr-defined]  # else its pipe outlives the loop


async def said(process: asyncio.subprocess.Process) -> int:
    assert process.stdout is not None
    async with asyncio.timeout(BOUND):
        return int(await process.stdout.readline())


async def test_sixteen_processes_get_exactly_the_quota(valkey: Valkey) -> None:
    """Attack 11 of the study: between reading what is left and taking it there is no moment."""
    name = f"p{next(_NUMBERS)}"
    async with Store(valkey.address, PATIENCE) as store, AsyncExitStack() as stack:
        ledger = Ledger(store, name=name)
        await ledger.open(0)
        await ledger.put(agreed(in_flight=100, units=1000))
        orders = [
            Orders(address=valkey.address, ledger=name, contract="c", name=f"a{n}", attempts=100) for n in range(16)
        ]
        crowd = [await stack.enter_async_context(agent(one)) for one in orders]
        allowed = [await said(one) for one in crowd]
        standing = await ledger.look("c")
    assert sum(allowed) == 1000
    assert standing is not None
    assert (standing.left, standing.in_flight, standing.refused) == (0, 0, 600)


async def test_the_slots_of_a_killed_holder_are_free_after_one_lease(valkey: Valkey) -> None:
    """Attack 12 of the study. The lease is waited for in invented time."""
    name = f"p{next(_NUMBERS)}"
    async with Store(valkey.address, PATIENCE) as store:
        ledger = Ledger(store, name=name)
        await ledger.open(0)
        await ledger.put(agreed(in_flight=5))
        async with agent(Orders(address=valkey.address, ledger=name, contract="c", name="h", hold=5)) as process:
            assert await said(process) == 5
            process.kill()
            await process.wait()
        began = [float(event.fields["at"]) for event in await ledger.events() if event.kind == "allow"]
        ledger.frozen = began[0] + LEASE_SECONDS - 1
        refused = await ledger.decide(search())
        ledger.frozen = began[-1] + LEASE_SECONDS + 0.01
        freed = await ledger.decide(search())
        last = (await ledger.events())[-1]
    assert refused.reason is Reason.IN_FLIGHT_EXCEEDED
    assert (freed.allowed, freed.in_flight) == (True, 1)
    assert (last.kind, last.fields["reclaimed"]) == ("allow", "5")


async def test_nothing_that_began_after_revoking_returned_is_accepted(valkey: Valkey) -> None:
    """Attack 16 of the study: sixteen connections ask on and on, while one revokes."""
    async with AsyncExitStack() as stack:
        stores = [await stack.enter_async_context(Store(valkey.address, PATIENCE)) for _ in range(16)]
        name = f"p{next(_NUMBERS)}"
        ledgers = [Ledger(store, name=name) for store in stores]
        await ledgers[0].open(0)
        await ledgers[0].put(agreed(in_flight=1000, units=1_000_000))
        enough, returned = asyncio.Event(), asyncio.Event()
        accepted, late, reasons = [0], [0], set()

        async def ask_on(ledger: Ledger) -> None:
            refusals = 0
            while refusals < 20:
                began_after = returned.is_set()
                decision = await ledger.decide(search())
                if decision.allowed:
                    accepted[0] += 1
                    late[0] += began_after
                    await ledger.release("c", decision.lease)
                else:
                    reasons.add(decision.reason)
                    refusals += 1
                if accepted[0] >= 1000:
                    enough.set()

        async def revoke() -> None:
            await enough.wait()
            await ledgers[0].revoke(Stop.CONTRACT, "c", why="misbruik")
            returned.set()

        async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
            group.create_task(revoke())
            for ledger in ledgers:
                group.create_task(ask_on(ledger))
    assert accepted[0] >= 1000
    assert late == [0]
    assert reasons == {Reason.CONTRACT_REVOKED}
