"""Stopping what was agreed: first in the database, so that it stays so, then in the store, which acts on the next request."""

from __future__ import annotations

import structlog

from admission import storage
from admission.contracts import Stop
from admission.gatehouse import Gatehouse
from admission.storage import Order

log = structlog.get_logger(__name__)


async def stop(house: Gatehouse, order: Order) -> None:
    """Stop a token, a contract, a workload, an issuer, or all changes. When this returns, nothing that begins is allowed by it.

    Raises ``BooksLostError``: nothing was stopped. Raises ``StoreLostError``: it is written down and the store will be told;
    what it still has may be used until then.
    """
    number = await house.books(storage.stop, order, house.now())
    await tell(house, number, order)
    log.info("admission_stopped", what=order.what.value)


async def tell(house: Gatehouse, number: int, order: Order) -> None:
    """Tell the store what must stop. Raises ``StoreLostError``."""
    await house.admissions.revoke(order.what, order.name, why=order.why, seconds=order.seconds)
    await house.books(storage.applied, number, house.now())


async def lift(house: Gatehouse, what: Stop, name: str, *, by: str, why: str = "") -> None:
    """Let a workload, an issuer or changes come again. Raises ``ValueError`` for anything else, and the two of ``stop``.

    The store first: until it heard so, it stays stopped.
    """
    await house.admissions.lift(what, name, why=why)
    await house.books(storage.lift, what, name, by, house.now())
