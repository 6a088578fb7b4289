"""Whether the live platform still answers as we expect, for an operator. Five calls; nothing is raised."""

from __future__ import annotations

from typing import Final

from connectors.addresses import Addresses
from connectors.calls import Ask
from connectors.checking import SKIPPED, Seen, tried
from connectors.open_raadsinformatie.catalogue import Aliases, aliases
from connectors.open_raadsinformatie.documents import record
from connectors.open_raadsinformatie.ids import item_id
from connectors.open_raadsinformatie.indices import fields, indices, wrong_fields
from connectors.open_raadsinformatie.kinds import TYPES
from connectors.open_raadsinformatie.organisations import sources
from connectors.open_raadsinformatie.parse import SearchPage, search_page
from connectors.open_raadsinformatie.requests import aliases_call, indices_call, mapping_call, record_call, search_call
from connectors.reading import read
from connectors.records import CheckResult, Hit, Query, SearchText, Term

CANARY: Final = "begroting"
"""A word that some council paper always holds: a search for it that finds nothing is a fault (field report 31)."""

_WITHOUT_ALIASES: Final = "overgeslagen: de lijst van organisaties kwam niet"


async def check(ask: Ask, addresses: Addresses) -> tuple[CheckResult, ...]:
    """The aliases and what is behind them, one search, and its first hit as a document, against the shapes that we read."""
    found: list[Hit] = []
    behind: list[Aliases] = []

    async def organisations() -> Seen:
        behind.append(await read(aliases, await ask(aliases_call())))
        there = behind[0].names
        gone, new = sources().keys() - there, there - sources().keys()
        return bool(there), f"{len(there)} organisaties, {len(gone)} van onze lijst niet aanwezig, {len(new)} nieuw"

    async def copies() -> Seen:
        held = await read(indices, await ask(indices_call()))
        if not behind:
            return False, _WITHOUT_ALIASES
        named = {index for _, index in behind[0].indices}
        lost = named - {index.name for index in held}
        size = sum(index.documents or 0 for index in held if index.name in named)
        old = sum(1 for index in held if index.name not in named)
        return not lost, f"{len(held)} indexen, {old} zonder organisatie, {size} stukken en pagina's, {len(lost)} zoek"

    async def described() -> Seen:
        if not behind:
            return False, _WITHOUT_ALIASES
        alias = min(behind[0].names)
        wrong = wrong_fields(await read(fields, await ask(mapping_call(alias))))
        return not wrong, f"{alias}, anders dan verwacht: {', '.join(wrong)}" if wrong else f"{alias}, alle aanwezig"

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
        await tried("Indexen", copies),
        await tried("Velden", described),
        await tried("Zoeken", search),
        await tried("Document openen", first_hit),
    )


def _seen(page: SearchPage) -> Seen:
    counted = "onbekend" if page.total.value is None else str(page.total.value)
    seen = f"{len(page.hits)} treffers van {counted} ({page.total.certainty.value}) in {page.shards} indexen"
    if page.skipped or page.is_partial:
        return False, f"{seen}, {page.skipped} onleesbaar" + (", onvolledig" if page.is_partial else "")
    return bool(page.hits), seen
