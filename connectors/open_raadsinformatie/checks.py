"""Whether the live platform still answers as we expect, for an operator. Three calls; nothing is raised."""

from __future__ import annotations

from typing import Final

from connectors.addresses import Addresses
from connectors.calls import Ask
from connectors.checking import SKIPPED, Seen, tried
from connectors.open_raadsinformatie.catalogue import aliases
from connectors.open_raadsinformatie.documents import record
from connectors.open_raadsinformatie.ids import item_id
from connectors.open_raadsinformatie.kinds import TYPES
from connectors.open_raadsinformatie.organisations import sources
from connectors.open_raadsinformatie.parse import SearchPage, search_page
from connectors.open_raadsinformatie.requests import aliases_call, record_call, search_call
from connectors.reading import read
from connectors.records import CheckResult, Hit, Query, SearchText, Term

CANARY: Final = "begroting"
"""A word that some council paper always holds: a search for it that finds nothing is a fault (field report 31)."""


async def check(ask: Ask, addresses: Addresses) -> tuple[CheckResult, ...]:
    """The aliases, one search, and its first hit as a document, each against the shape that we read."""
    found: list[Hit] = []

    async def organisations() -> Seen:
        there = (await read(aliases, await ask(aliases_call()))).names
        gone, new = sources().keys() - there, there - sources().keys()
        return bool(there), f"{len(there)} organisaties, {len(gone)} van onze lijst niet aanwezig, {len(new)} nieuw"

    async def search() -> Seen:
        call = search_call(Query(text=SearchText((Term((CANARY,)),))), TYPES, (), 0, 5)
        page = await read(search_page, await ask(call), addresses)
        found.extend(page.hits[:1])
        return _seen(page)

    async def first_hit() -> Seen:
        asked = item_id(found[0].upstream_id) if found else None
        if asked is None:
            return SKIPPED
        opened = await read(record, await ask(record_call(asked)), asked)
        return True, f"{asked.text}, {opened.item.record_type}"

    return (
        await tried("Organisaties", organisations),
        await tried("Zoeken", search),
        await tried("Document openen", first_hit),
    )


def _seen(page: SearchPage) -> Seen:
    counted = "onbekend" if page.total.value is None else str(page.total.value)
    seen = f"{len(page.hits)} treffers van {counted} ({page.total.certainty.value}) in {page.shards} indexen"
    if page.skipped or page.is_partial:
        return False, f"{seen}, {page.skipped} onleesbaar" + (", onvolledig" if page.is_partial else "")
    return bool(page.hits), seen
