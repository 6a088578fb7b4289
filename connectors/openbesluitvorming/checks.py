"""Whether the live platform still answers as we expect, for an operator. Three calls of one unit each; nothing is raised."""

from __future__ import annotations

from typing import Final

from connectors.addresses import Addresses
from connectors.calls import Ask
from connectors.checking import SKIPPED, Seen, tried
from connectors.openbesluitvorming.catalogue import lists
from connectors.openbesluitvorming.documents import document
from connectors.openbesluitvorming.parse import SearchPage, search_page
from connectors.openbesluitvorming.requests import entity_call, search_call, sources_call
from connectors.records import CheckResult, Hit, Query, SearchText, Term

CANARY: Final = "begroting"
"""A word that some council paper always holds: a search for it that finds nothing is a fault (field report 31)."""


async def check(ask: Ask, addresses: Addresses) -> tuple[CheckResult, ...]:
    """The list of sources, one search, and its first hit as a document, each against the shape that we read."""
    found: list[Hit] = []

    async def sources() -> Seen:
        named = (await ask(sources_call(), lists)).value.organisations
        return True, f"{len(named)} organisaties"

    async def search() -> Seen:
        page = (await ask(search_call(Query(text=SearchText((Term((CANARY,)),)))), search_page, addresses)).value
        found.extend(page.hits[:1])
        return _seen(page)

    async def first_hit() -> Seen:
        if not found:
            return SKIPPED
        number = found[0].upstream_id
        opened = (await ask(entity_call(number), document, number, addresses)).value
        return True, f"{opened.upstream_id}, tekst: {opened.text_state.value}"

    return (
        await tried("Bronnenlijst", sources),
        await tried("Zoeken", search),
        await tried("Document openen", first_hit),
    )


def _seen(page: SearchPage) -> Seen:
    counted = "onbekend" if page.total.value is None else str(page.total.value)
    seen = f"{len(page.hits)} treffers van {counted} ({page.total.certainty.value})"
    if page.skipped:
        return False, f"{seen}, {page.skipped} onleesbaar"
    return bool(page.hits), seen
