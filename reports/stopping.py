"""Ending a report that somebody may still want: an operator says so, or a worker is at it for longer than may be.

First it is written down, so that whoever asked reads why; then the gate forgets it, which gives its place to another, and its
worker hears of it as of a cancelled one, within a second (rule L10). Where only the first was done, upkeep does the second.
"""

from __future__ import annotations

from collections.abc import Iterable

from reports.lease import STOPS
from reports.passing import Passing
from reports.records import Reason
from throttling.load import LoadGate, Overview, Standing
from throttling.store import Store


async def let_go(store: Store, gate: LoadGate, passing: Passing, run: str) -> None:
    """The gate forgets a run with all its asks, which do not count for their hour; a worker hears so. Twice is no harm.

    Raises ``StoreLostError``.
    """
    events = await gate.forget(run=run)
    await store.publish(STOPS, run)
    await passing.on(events)


def too_long(seen: Overview, longest: float) -> Iterable[Standing]:
    """One ask for each run that a worker is at for longer than ``longest`` seconds. What no worker has, takes nobody's time."""
    found: dict[str, Standing] = {}
    for ask in seen.asks:
        is_late = ask.started_at is not None and seen.now - ask.started_at >= longest
        if ask.has_worker and is_late:
            found[ask.run] = ask
    return found.values()


def why_failed(seen: Standing, deaths: int) -> Reason:
    """Why a run failed of which the database has no end: as its worker told the gate, or because more died than ``deaths``."""
    if seen.failure:
        return Reason.read(seen.failure)
    return Reason.WORKERS if seen.deaths > deaths else Reason.UNKNOWN
