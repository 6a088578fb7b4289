"""Whether anybody is there to do work that may wait: whoever does it says so to the store, with or without work to do."""

from __future__ import annotations

from typing import Final

from throttling.store import Store, StoreLostError

PREFIX: Final = "aanwezig:"
EVERY: Final = 5.0
"""Seconds between two signs of life."""
HOLDS: Final = 30.0
"""Seconds that a sign holds: a restart takes some, and a busy machine lets a sign come late."""
_NONSENSE: Final = "not an answer of ours"


class Presence:
    """Signs of life under ``name``, of all who give them together. Every method raises ``StoreLostError``."""

    def __init__(self, store: Store, name: str = "rapporten") -> None:
        self._store = store
        self._key = f"{PREFIX}{name}"

    async def sign(self) -> None:
        """Somebody is there."""
        await self._run("1")

    async def silent(self) -> float:
        """For how many seconds nobody gave a sign: since the last one, or since the first look where there never was one."""
        return await self._run("")

    async def _run(self, what: str) -> float:
        raw = await self._store.run("presence", self._key, (what,))
        try:
            return max(float(raw), 0.0)
        except (TypeError, ValueError) as failure:
            raise StoreLostError(_NONSENSE) from failure
