"""Whether the live platform still answers as we expect, for an operator. Five calls; nothing is raised."""

from __future__ import annotations

from dataclasses import dataclass
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
from connectors.records import CheckResult, Hit, Query, SearchText, Term

CANARY: Final = "begroting"
"""A word that some council paper always holds: a search for it that finds nothing is a fault (field report 31)."""

_WITHOUT_ALIASES: Final = "overgeslagen: de lijst van organisaties kwam niet"


async def check(ask: Ask, addresses: Addresses) -> tuple[CheckResult, ...]:
    """The aliases and what is behind them, one search, and its first hit as a document, against the shapes that we read."""
    steps = _Steps(ask, addresses)
    return (
        await tried("Organisaties", steps.organisations),
        await tried("Indexen", steps.copies),
        await tried("Velden", steps.described),
        await tried("Zoeken", steps.search),
        await tried("Document openen", steps.first_hit),
    )


@dataclass(slots=True)
class _Steps:
    """The steps in their order: each leaves behind what a later one needs."""

    ask: Ask
    addresses: Addresses
    behind: Aliases | None = None
    hit: Hit | None = None

    async def organisations(self) -> Seen:
        self.behind = (await self.ask(aliases_call(), aliases)).value
        there = self.behind.names
        gone, new = sources().keys() - there, there - sources().keys()
        return bool(there), f"{len(there)} organisaties, {len(gone)} van onze lijst niet aanwezig, {len(new)} nieuw"

    async def copies(self) -> Seen:
        if self.behind is None:
            return False, _WITHOUT_ALIASES
        held = (await self.ask(indices_call(), indices)).value
        named = {index for _, index in self.behind.indices}
        lost = named - {index.name for index in held}
        size = sum(index.documents or 0 for index in held if index.name in named)
        old = sum(1 for index in held if index.name not in named)
        return not lost, f"{len(held)} indexen, {old} zonder organisatie, {size} stukken en pagina's, {len(lost)} zoek"

    async def described(self) -> Seen:
        if self.behind is None:
            return False, _WITHOUT_ALIASES
        alias = min(self.behind.names)
        wrong = wrong_fields((await self.ask(mapping_call(alias), fields)).value)
        return not wrong, f"{alias}, anders dan verwacht: {', '.join(wrong)}" if wrong else f"{alias}, alle aanwezig"

    async def search(self) -> Seen:
        call = search_call(Query(text=SearchText((Term((CANARY,)),))), TYPES, (), 0, 5)
        page = (await self.ask(call, search_page, self.addresses)).value
        self.hit = next(iter(page.hits), None)
        return _seen(page)

    async def first_hit(self) -> Seen:
        asked = item_id(self.hit.upstream_id) if self.hit else None
        if asked is None:
            return SKIPPED
        opened = (await self.ask(record_call(asked), record, asked)).value
        return True, f"{asked.text}, {opened.item.record_type}"


def _seen(page: SearchPage) -> Seen:
    counted = "onbekend" if page.total.value is None else str(page.total.value)
    seen = f"{len(page.hits)} treffers van {counted} ({page.total.certainty.value}) in {page.shards} indexen"
    if page.skipped or page.is_partial:
        return False, f"{seen}, {page.skipped} onleesbaar" + (", onvolledig" if page.is_partial else "")
    return bool(page.hits), seen
