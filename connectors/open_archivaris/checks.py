"""Whether the live platform still answers as the field map says, for an operator. Three calls; nothing is raised."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeVar

from connectors.bodies import json_object
from connectors.calls import Answer, Ask
from connectors.checking import SKIPPED, Seen, tried
from connectors.open_archivaris import contract
from connectors.open_archivaris.answers import KEY
from connectors.open_archivaris.contract import Deviations
from connectors.open_archivaris.documents import document
from connectors.open_archivaris.health import load_status
from connectors.open_archivaris.items import Reader
from connectors.open_archivaris.parse import search_page
from connectors.open_archivaris.requests import Wanted, document_call, health_call, search_call
from connectors.records import CheckResult, Hit

_T = TypeVar("_T")
CANARY: Final = "begroting"
"""A word that some council paper always holds: a search for it that finds nothing is a fault (field report 31)."""
SWITCHED_OFF: Final = CheckResult(
    "Adres",
    ok=False,
    seen="staat uit: de bron heeft geen openbaar adres voor programma's, en BESLUITBRON_OPEN_ARCHIVARIS_ADRES is leeg",
)


async def check(ask: Ask, reader: Reader) -> tuple[CheckResult, ...]:
    """A search, its first hit and the state, each read and each held against the map: missing and unknown fields are named."""
    fields, found = reader.fields, list[Hit]()

    async def search() -> Seen:
        call = search_call(fields, Wanted(words=CANARY, page_size=fields.search.page_size))
        page, raw = (await ask(call, _both, partial(search_page, reader=reader))).value
        found.extend(page.hits[:1])
        seen = f"{len(page.hits)} treffers van {page.total.value} ({page.total.certainty.value})"
        seen += f", {page.skipped} onleesbaar" if page.skipped else ""
        deviations = contract.of_search(fields, raw)
        return _held(seen, deviations, ok=bool(page.hits) and not page.skipped)

    async def first_hit() -> Seen:
        if not found:
            return SKIPPED
        number = found[0].upstream_id
        parse = partial(document, upstream_id=number, reader=reader)
        opened, raw = (await ask(document_call(fields, number), _both, parse)).value
        seen = f"{opened.upstream_id}, tekst: {opened.text_state.value}"
        return _held(seen, contract.of_document(fields, raw))

    async def health() -> Seen:
        status, raw = (await ask(health_call(fields), _both, partial(load_status, reader=reader))).value
        loaded = sum(one.last_success is not None for one in status.organisations)
        seen = f"{len(status.organisations)} organisaties, {loaded} ooit geladen"
        return _held(seen, contract.of_health(fields, raw), ok=loaded > 0)

    steps = [await tried("Zoeken", search), await tried("Document openen", first_hit)]
    if fields.health.path:
        steps.append(await tried("Laadstatus", health))
    return tuple(steps)


def _both(answer: Answer, parse: Callable[[Answer], _T]) -> tuple[_T, dict[str, Any]]:
    """What was read, and the object it was read from, to hold against the map."""
    return parse(answer), json_object(KEY, answer)


def _held(seen: str, deviations: Deviations, *, ok: bool = True) -> Seen:
    return ok and not deviations, f"{seen}; {deviations.words}" if deviations else seen
