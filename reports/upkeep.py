"""Looking after reports: what takes too long is ended, what gate and database do not agree on is put right, the old removed.

They part when an event is lost on its way, when the store forgot, or when the database was away just as something ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Final

import structlog

from reports.models import AskState as KeptState
from reports.passing import AGAIN
from reports.records import Reason
from reports.stopping import let_go, too_long, why_failed
from reports.storage import OpenAsk
from reports.workshop import Office
from throttling.load import AskState, Overview, Standing

log = structlog.get_logger(__name__)
_SETTLED: Final = timedelta(minutes=2)
"""What was asked for more recently may not have come to the gate yet."""


async def look_after(office: Office) -> None:
    """Once. Raises ``StoreLostError`` and ``StorageLostError``; whatever was not done then is done the next time."""
    at = office.clock()
    seen, events = await office.gate.overview(ended=False)
    await office.passing.on(events)
    await _end(office, seen, at)
    open_asks = await office.storage.open_asks(at - _SETTLED)
    known = await _known(office, seen, open_asks)
    for ask in open_asks:
        await _put_right(office, ask, known.get(ask.ask))
    for run in _forgotten(open_asks, known):
        log.warning("report_forgotten_by_store")
        await office.storage.fail(run, Reason.STORE, 0, 0, at)
    await office.storage.remove_old(at)


async def _end(office: Office, seen: Overview, at: datetime) -> None:
    """End what a worker is at for too long; and tell the gate of whatever was ended while it could not be told."""
    for ask in too_long(seen, office.gate.rules.longest_run):
        if await office.storage.stop(ask.run, Reason.DURATION, ask.done, ask.size, at):
            log.warning("report_took_too_long")
    for run in await office.storage.stopped({ask.run for ask in seen.asks}):
        await let_go(office.store, office.gate, office.passing, run)


async def _known(office: Office, seen: Overview, asks: Iterable[OpenAsk]) -> dict[str, Standing]:
    """What the gate knows of these: of all that is open at once, and of what ended one by one, for those are few."""
    known = {standing.id: standing for standing in seen.asks}
    for ask in asks:
        if ask.ask not in known:
            found, events = await office.gate.see(ask.ask)
            await office.passing.on(events)
            if found is not None:
                known[ask.ask] = found
    return known


async def _put_right(office: Office, ask: OpenAsk, standing: Standing | None) -> None:
    """Write down how an ask ended, where the gate knows that and the database does not."""
    if standing is None:
        return
    at, storage = office.clock(), office.storage
    match standing.state:
        case AskState.REFUSED:
            reason = Reason.read(standing.reason.value) if standing.reason else Reason.WAIT
            await storage.end_ask(ask.ask, KeptState.REFUSED, reason, at + AGAIN, at)
        case AskState.CANCELLED | AskState.STOPPED:
            await storage.end_ask(ask.ask, KeptState.CANCELLED, None, None, at)
        case AskState.FAILED:
            why = why_failed(standing, office.gate.rules.deaths)
            await storage.fail(ask.run, why, standing.done, standing.size, at)
        case _:
            return


def _forgotten(asks: Iterable[OpenAsk], known: Mapping[str, Standing]) -> set[str]:
    """The runs of which the gate knows no ask any more."""
    found: dict[str, bool] = {}
    for ask in asks:
        found[ask.run] = found.get(ask.run, False) or ask.ask in known
    return {run for run, is_known in found.items() if not is_known}
