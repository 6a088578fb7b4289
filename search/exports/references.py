"""References to all that was found as one RIS file. RIS has no place for what goes for the whole file: each record says it.

What only looks like what was asked is left out: who takes a file into his library cites what is in it.
"""

from __future__ import annotations

from connectors.moments import AMSTERDAM
from connectors.records import Hit
from search import texts
from search.exports.gathering import Gathered
from search.reference_forms import consulted_on, ris
from search.same import SameItem
from search.trial import told


def references(gathered: Gathered) -> bytes:
    """The records, one after another."""
    made = gathered.made_at
    asked = f" op de vraag “{gathered.asked.question.typed}”" if gathered.asked.question.typed else ""
    found = f"Gevonden met BesluitBron{asked}, {texts.day(made.astimezone(AMSTERDAM).date())} om {texts.clock(made)}."
    notes = (found, *gathered.remarks, gathered.without_alike)
    return "\r\n".join(_record(thing, gathered, notes) for thing in gathered.fitting_things).encode()


def _record(thing: SameItem[Hit], gathered: Gathered, notes: tuple[str, ...]) -> str:
    hit, name = thing.first, gathered.name(thing.first.platform)
    others = (f"Ook bij {gathered.name(one.platform)}: {one.address}" for one in thing.things[1:])
    differs = (one.warning for one in thing.disagreements)
    return ris(hit, name, consulted_on(hit), *filter(None, (told(name, hit.address), *others, *differs, *notes)))
