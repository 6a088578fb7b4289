"""How a Laadstatus is said in Dutch: the states of its rows, and what its rows are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from connectors.language import later, say

_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "ok": later("in orde"),
        "up_to_date": later("bijgewerkt"),
        "stale": later("loopt achter"),
        "failing": later("inlezen mislukt"),
        "never_imported": later("nooit ingelezen"),
        "not_implemented": later("de bron leest deze niet in"),
        "discontinued": later("gestopt"),
        "degraded": later("mislukt vaker dan het lukt"),
        "down": later("storing"),
        "idle": later("niets geprobeerd"),
    }
)


_REGISTERS_SHOWN: Final = 30
"""Every council has words of its own: all of them stand with the lists of the source."""


def in_dutch(state: str) -> str:
    """The state in Dutch with the platform's own word between brackets; a word that is not known here stays as it is.

    What each means: the status of OpenBesluitvorming (platform page, the states of suppliers and of sources).
    """
    said = _WORDS.get(state)
    return f"{say(said)} ({state})" if said else state


def register_words(names: Sequence[str]) -> str:
    """Which registers a source says it has, most used first, or that it does not say so (field report 16)."""
    if not names:
        return say("Welke registers zij heeft ingelezen, zoals moties of ingekomen stukken, zegt deze bron niet.")
    shown, more = ", ".join(names[:_REGISTERS_SHOWN]), len(names) - _REGISTERS_SHOWN
    told = say("Registers waaruit deze bron stukken heeft, van alle organisaties samen: {names}.", names=shown)
    beside = [say("Er zijn nog {count} andere namen.", count=more)] if more > 0 else []
    return " ".join([told, *beside, say("Welke daarvan zij van één organisatie heeft, zegt zij niet.")])


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """How the rows and the suppliers of a Laadstatus are called: not every platform lists bodies.

    ``missing``: what a silent supplier means.
    """

    one: str
    many: str
    supplier: str
    suppliers: str
    missing: str

    def of(self, count: int) -> str:
        """All of this many rows."""
        if count == 1:
            return say("Eén {one}", one=say(self.one))
        return say("Alle {count} {many}", count=count, many=say(self.many))

    @property
    def head(self) -> str:
        """Above the column of their names."""
        return say(self.one).capitalize()

    @property
    def supplier_head(self) -> str:
        """Above the column of the names of suppliers."""
        return say(self.supplier).capitalize()


BODIES: Final = Naming(
    one=later("organisatie"),
    many=later("organisaties"),
    supplier=later("leverancier"),
    suppliers=later("Leveranciers"),
    missing=later("Stukken van zijn organisaties kunnen ontbreken."),
)
PARTS: Final = Naming(
    one=later("onderdeel"),
    many=later("onderdelen"),
    supplier=later("onderdeel"),
    suppliers=later("Andere onderdelen"),
    missing=later("Nieuwe stukken kunnen ontbreken."),
)
