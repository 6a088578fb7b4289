"""One process of a crowd: takes turns at a service and sends a request at each, until its calls are over or it is killed.

Started by the tests as ``python -m tests.throttling.member`` with its orders as JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict, dataclass
from typing import Any

from throttling.callers import Caller
from throttling.limits import SlidingWindow
from throttling.memory import ForgetfulMemory
from throttling.outgoing import Outgoing
from throttling.rules import QueueRules
from throttling.store import Store
from throttling.turns import Outcome, Wanted

REQUEST = b"GET / HTTP/1.1\r\nHost: proef\r\nConnection: close\r\n\r\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """What a member does. ``sessions`` askers each make ``calls`` calls; ``hangs``: a turn is never given back."""

    address: str
    service: str
    port: int
    units: float
    seconds: float
    lease: float
    name: str
    sessions: int = 1
    calls: int = 1
    in_flight: int = 1000
    flight: str = ""
    hangs: bool = False

    @property
    def rules(self) -> QueueRules:
        """The rules of the queue, the same for every member."""
        limit = SlidingWindow(self.units, self.seconds)
        return QueueRules(limit=limit, in_flight=self.in_flight, deadline=2.0, lease=self.lease)

    def command(self) -> tuple[str, ...]:
        """How to start the member."""
        return (sys.executable, "-m", "tests.throttling.member", json.dumps(asdict(self)))


async def request(port: int) -> None:
    """One request and its answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(REQUEST)
    await reader.read()
    writer.close()
    await writer.wait_closed()


def says(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


async def asks(turns: Outgoing, orders: Orders, session: str) -> None:
    wanted = Wanted(service=orders.service, flight=orders.flight)
    for _ in range(orders.calls):
        async with turns.turn(wanted, Caller(session=session), lambda _: says("waits")) as turn:
            says("turn")
            if orders.hangs:
                await asyncio.Event().wait()
            if turn.outcome is None:
                await request(orders.port)
        await turn.share(Outcome())


async def main(given: dict[str, Any]) -> None:
    orders = Orders(**given)
    async with (
        Store(orders.address) as store,
        Outgoing(store, {orders.service: orders.rules}, ForgetfulMemory()) as turns,
        asyncio.TaskGroup() as group,
    ):
        for number in range(orders.sessions):
            group.create_task(asks(turns, orders, f"{orders.name}.{number}"))


if __name__ == "__main__":
    asyncio.run(main(json.loads(sys.argv[1])))
