"""Operations on trial: decided and written down, and let through. An operator says which; every process follows (choice A6)."""

from __future__ import annotations

import asyncio
from typing import Final

from admission.books import Books, BooksLostError
from admission.ledger import Ledger
from admission.models import DryRun
from throttling.ending import Alongside

EVERY: Final = 3.0
"""Seconds until every process does as an operator said."""


def current() -> frozenset[str]:
    """The ids of the operations on trial. Uses the database, and blocks."""
    return frozenset(DryRun.objects.values_list("operation", flat=True))


class Following(Alongside):
    """Keeps a ledger to what operators set, for as long as its context lasts. Without the database it stays as it was."""

    def __init__(self, ledger: Ledger, books: Books, every: float = EVERY) -> None:
        self._ledger = ledger
        self._books = books
        self._every = every

    async def look(self) -> None:
        """Look once."""
        try:
            self._ledger.dry_runs = await self._books(current)
        except BooksLostError:
            return

    async def _go_on(self) -> None:
        while True:
            await self.look()
            await asyncio.sleep(self._every)
