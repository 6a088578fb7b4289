"""What may be done once alone, whichever process sees it: the store remembers, and forgets when it cannot come back."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from throttling.store import Store

PREFIX: Final = "eenmaal:"
_DIGITS: Final = 32


class Once:
    """Remembers names in ``store``, as digests: what a name means stands nowhere."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def spend(self, name: str, seconds: int) -> bool:
        """Whether ``name`` was not used in the last ``seconds``; from now on it is. Raises ``StoreLostError``."""
        digest = sha256(name.encode()).hexdigest()[:_DIGITS]
        return bool(await self._store.run("once", f"{PREFIX}{digest}", (str(seconds),)))
