"""The way of the operators' pages to the contracts in the store, over a connection of its own and with a bound.

Stopping goes to the database first, so that it stays so whatever happens; the store acts on the very next request.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import datetime
from typing import Final, TypeVar

import structlog

from admission import storage
from admission.contracts import Standing
from admission.ledger import Ledger
from admission.storage import Order
from throttling.operating.reading import BOUND_SECONDS
from throttling.store import Store, StoreLostError

log = structlog.get_logger(__name__)
_T = TypeVar("_T")
_NODE: Final = "beheer"


class NotHeardError(Exception):
    """The store did not answer: what is written down is told to it as soon as it does."""


def standings(address: str, contracts: Iterable[str]) -> Mapping[str, Standing] | None:
    """How these stand by the store at ``address``; those it does not know are left out. None: it does not answer."""

    async def look(ledger: Ledger) -> dict[str, Standing]:
        seen = [(contract, await ledger.look(contract)) for contract in contracts]
        return {contract: standing for contract, standing in seen if standing is not None}

    try:
        return _at(address, look)
    except NotHeardError:
        return None


def stop(address: str, order: Order, at: datetime) -> None:
    """Stop something. Raises ``NotHeardError``: it is written down, and the store has not heard it yet."""
    number = storage.stop(order, at)
    _at(address, lambda ledger: ledger.revoke(order.what, order.name, why=order.why, seconds=order.seconds))
    storage.applied(number, at)


def lift(address: str, order: Order, at: datetime) -> None:
    """Let new contracts, or changes, come again. The store first: raises ``NotHeardError``, and then nothing is lifted."""
    _at(address, lambda ledger: ledger.lift(order.what, order.name, why=order.why))
    storage.lift(order.what, order.name, order.by, at)


def note(address: str, kind: str, **fields: str) -> None:
    """Write an event of something that an operator did. Without the store it is lost, and the log says so."""
    try:
        _at(address, lambda ledger: ledger.note(kind, **fields))
    except NotHeardError:
        log.warning("admission_event_lost", kind=kind)


def _at(address: str, work: Callable[[Ledger], Awaitable[_T]]) -> _T:
    async def beside() -> _T:
        async with asyncio.timeout(BOUND_SECONDS), Store(address) as store:
            return await work(Ledger(store, node=_NODE))

    try:
        return asyncio.run(beside())
    except (TimeoutError, StoreLostError) as failure:
        log.warning("contracts_unreadable", failure=type(failure).__name__)
        raise NotHeardError from failure
