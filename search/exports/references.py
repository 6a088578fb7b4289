"""References to all hits as one RIS file. RIS has no place for what goes for the whole file: each record says it."""

from __future__ import annotations

from connectors.moments import AMSTERDAM
from search import texts
from search.exports.gathering import Gathered
from search.reference_forms import consulted_on, ris


def references(gathered: Gathered) -> bytes:
    """The records, one after another."""
    made = gathered.made_at
    asked = f" op de vraag “{gathered.asked.question.typed}”" if gathered.asked.question.typed else ""
    found = f"Gevonden met BesluitBron{asked}, {texts.day(made.astimezone(AMSTERDAM).date())} om {texts.clock(made)}."
    notes = (found, *gathered.remarks)
    records = (ris(hit, gathered.name(hit.platform), consulted_on(hit), *notes) for hit in gathered.hits)
    return "\r\n".join(records).encode()
