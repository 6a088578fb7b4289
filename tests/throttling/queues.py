"""Queues on a real store, and memories that a test looks into."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from throttling.limits import Limit, SlidingWindow
from throttling.memory import OperatorSettings, Used
from throttling.outgoing import Outgoing
from throttling.rules import QueueRules
from throttling.store import Store

_NUMBERS = itertools.count()


@dataclass(slots=True)
class KeptMemory:
    """A memory that keeps what it is told."""

    until: dict[str, float] = field(default_factory=dict)
    uses: list[Used] = field(default_factory=list)
    wanted: OperatorSettings = field(default_factory=OperatorSettings)

    async def may_send_until(self, queue: str) -> float | None:
        return self.until.get(queue)

    async def allow(self, queue: str, until: float) -> None:
        self.until[queue] = until

    async def used(self, queue: str) -> Sequence[Used]:
        del queue
        return self.uses

    async def operator_settings(self, queue: str) -> OperatorSettings:
        del queue
        return self.wanted


def fresh_service() -> str:
    """A service that no other test uses."""
    return f"bron{next(_NUMBERS)}/dienst"


WINDOW = SlidingWindow(units=60, seconds=60)


@asynccontextmanager
async def outgoing(
    address: str,
    service: str,
    limit: Limit | None = WINDOW,
    in_flight: int = 100,
    memory: KeptMemory | None = None,
    **rules: float,
) -> AsyncIterator[Outgoing]:
    """The turns of one process at one service."""
    wanted = QueueRules(limit=limit, in_flight=in_flight, **rules)  # type: ignore[arg-type]  # a test's own numbers
    async with Store(address) as store, Outgoing(store, {service: wanted}, memory or KeptMemory()) as turns:
        yield turns
