"""Seats of which there are so many over all processes and machines: each held for a lease, so that a dead holder's comes free.

Leases are kept in the store and by its clock. Without the store nobody gets a seat (as with turns, rule R12).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from throttling.store import Store

PREFIX: Final = "plaatsen:"
LEASE: Final = 15.0
"""Seconds after which a seat comes free whose holder was not heard of."""


class Seats:
    """The seats called ``name``. Holders are names that nobody else has. Every method raises ``StoreLostError``."""

    def __init__(self, store: Store, name: str, lease: float = LEASE) -> None:
        self._store = store
        self._key = f"{PREFIX}{name}"
        self._lease = lease

    async def take(self, holder: str, most: int) -> bool:
        """Whether ``holder`` has a seat now: fewer than ``most`` were taken."""
        return bool(await self._run("take", holder, most=most))

    async def keep(self, holders: Collection[str]) -> int:
        """Hold these seats for another lease; gives how many were still held. One that was lost stays so."""
        return await self._run("keep", *holders)

    async def leave(self, *holders: str) -> None:
        """Give seats back; of one that is not held any more nothing comes."""
        await self._run("leave", *holders)

    async def taken(self) -> int:
        """How many are taken."""
        return await self._run("look")

    async def _run(self, act: str, *holders: str, most: int = 0) -> int:
        return int(await self._store.run("seats", self._key, (act, str(most), repr(self._lease), *holders)))
