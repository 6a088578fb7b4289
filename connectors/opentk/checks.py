"""Whether the live platform still answers as we expect, for an operator. Seven calls at most; nothing is raised."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

from connectors.calls import Ask
from connectors.checking import SKIPPED, Seen, tried
from connectors.moments import now
from connectors.opentk.requests import status_call
from connectors.opentk.status import FEED, LAST_UPDATES, STATUS, feed_items, is_up, load_status
from connectors.records import CheckResult, Query, SearchText, Term, TextState

if TYPE_CHECKING:
    from connectors.connector import Connector

CANARY: Final = Query(text=SearchText((Term(("stikstof",)),)))
"""A word that many papers hold and that costs the platform little: a search that finds nothing is a fault (field report 31)."""
_OLDEST: Final = timedelta(days=1)
"""The platform runs its loop every few minutes (section 1): a day of silence is a fault (field report 17)."""


async def check(ask: Ask, connector: Connector) -> tuple[CheckResult, ...]:
    """Whether it is up and up to date, its newest papers, one search, and its first hit as a document."""
    found: list[str] = []

    async def search() -> Seen:
        result = await connector.search(CANARY, ask)
        found.extend(hit.upstream_id for hit in result.hits[:1])
        return bool(result.hits), f"{result.total.value} treffers ({result.total.certainty.value})"

    async def first_hit() -> Seen:
        if not found:
            return SKIPPED
        document = await connector.document(found[0], ask)
        return document.text_state is not TextState.NONE, f"{found[0]}, tekst: {document.text_state.value}"

    return (
        await tried("Bereikbaar", partial(_up, ask)),
        await tried("Bijgewerkt", partial(_up_to_date, ask)),
        await tried("Nieuwste stukken", partial(_newest, ask)),
        await tried("Zoeken", search),
        await tried("Document openen", first_hit),
    )


async def _up(ask: Ask) -> Seen:
    well = (await ask(status_call(STATUS), is_up)).value
    return well, "ok" if well else "de dienst noemt zichzelf niet in orde"


async def _up_to_date(ask: Ask) -> Seen:
    loaded = (await ask(status_call(LAST_UPDATES), load_status)).value
    states = (*loaded.organisations, *loaded.suppliers)
    seen = max((now() - state.last_success for state in states if state.last_success), default=_OLDEST)
    return seen < _OLDEST, f"bijgewerkt, {int(seen.total_seconds()) // 60} minuten geleden"


async def _newest(ask: Ask) -> Seen:
    items = (await ask(status_call(FEED), feed_items)).value
    if not items:
        return False, "geen nieuwe stukken"
    return True, f"{len(items)} nieuwe stukken, bovenaan {items[0].upstream_id}"
