"""Looking after contracts: they come back after a cold start of the store; what ended and what happened is kept.

Every process looks whether the store must be loaded; all else is done by one process at a time, whichever comes first.
"""

from __future__ import annotations

import asyncio
from datetime import datetime
from types import TracebackType
from typing import Final

import structlog

from admission import events, storage
from admission.books import BooksLostError
from admission.edge import PROOF_SECONDS
from admission.gatehouse import Gatehouse
from admission.negotiation import lapse
from admission.stopping import tell
from throttling.ending import Alongside
from throttling.store import StoreLostError

log = structlog.get_logger(__name__)
EVERY: Final = 5
"""Seconds between two looks: so much of the use of a contract may be lost with the store."""
_TIDY_EVERY: Final = 3_600
_EVENTS: Final = 1_000
_MOST_BATCHES: Final = 10
"""Of events at one look: who is far behind goes on at the next."""
_EXPIRED: Final = 100


class Upkeep(Alongside):
    """Looks after the contracts of ``house`` for as long as its context lasts. ``quiet``: as in ``Admissions.open``."""

    def __init__(self, house: Gatehouse, every: float = EVERY, quiet: float = PROOF_SECONDS) -> None:
        self._house = house
        self._every = every
        self._quiet = quiet

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await super().__aexit__(kind, error, trace)
        await self._house.tally.tell_last(self._house.admissions.note)

    async def _go_on(self) -> None:
        while True:
            try:
                await self.once()
            except (BooksLostError, StoreLostError) as failure:
                log.warning("contracts_not_looked_after", failure=type(failure).__name__)
            except Exception:  # whatever it is, the next look may do better
                log.exception("contracts_upkeep_broken")
            await asyncio.sleep(self._every)

    async def once(self) -> None:
        """One look. Raises ``BooksLostError`` and ``StoreLostError``; what was not done then is done at the next."""
        house = self._house
        if not await house.admissions.is_open():
            await load(house, self._quiet)
        await house.tally.tell(house.admissions.note)
        if await self._my_turn("look", self._every):
            await look_after(house)
        if await self._my_turn("tidy", _TIDY_EVERY):
            await house.books(_tidy, house.now())

    async def _my_turn(self, what: str, seconds: float) -> bool:
        """Whether nobody did this in these seconds. A look that takes longer than a turn breaks nothing: it is found out."""
        return await self._house.once.spend(f"contracts|{what}", max(int(seconds) - 1, 1))


async def load(house: Gatehouse, quiet: float) -> None:
    """Bring back what there was, stopped things first; then decisions begin. State changes wait: old proofs are forgotten.

    Raises ``BooksLostError`` and ``StoreLostError``.
    """
    for number, order in await house.books(storage.orders, house.now(), unheard=False):
        await tell(house, number, order)
    contracts = await house.books(storage.living, house.now())
    await house.admissions.load(contracts)
    if await house.admissions.open(quiet):
        log.info("contracts_loaded", contracts=len(contracts))


async def look_after(house: Gatehouse) -> None:
    """Tell the store what it did not hear, end what is over, and keep what happened. Raises as ``load``."""
    for number, order in await house.books(storage.orders, house.now(), unheard=True):
        await tell(house, number, order)
    await lapse(house)
    while await house.admissions.expire(_EXPIRED) == _EXPIRED:
        pass
    await keep_events(house)


async def keep_events(house: Gatehouse) -> None:
    """Write down what happened since. Raises as ``load``."""
    after = await house.books(events.last)
    for _ in range(_MOST_BATCHES):
        found = await house.admissions.events(after, _EVENTS)
        if not found:
            return
        await house.books(events.keep, found, house.now())
        after = found[-1].id


def _tidy(at: datetime) -> None:
    storage.tidy(at)
    events.forget(at)
