"""How a Laadstatus is said in Dutch: the states of its rows, and what its rows are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "ok": "in orde",
        "up_to_date": "bijgewerkt",
        "stale": "loopt achter",
        "failing": "inlezen mislukt",
        "never_imported": "nooit ingelezen",
        "not_implemented": "de bron leest deze niet in",
        "discontinued": "gestopt",
        "degraded": "mislukt vaker dan het lukt",
        "down": "storing",
        "idle": "niets geprobeerd",
    }
)


def in_dutch(state: str) -> str:
    """The state in Dutch with the platform's own word between brackets; a word that is not known here stays as it is.

    What each means: the status of OpenBesluitvorming (platform page, the states of suppliers and of sources).
    """
    said = _WORDS.get(state)
    return f"{said} ({state})" if said else state


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
        return f"Eén {self.one}" if count == 1 else f"Alle {count} {self.many}"

    @property
    def head(self) -> str:
        """Above the column of their names."""
        return self.one.capitalize()

    @property
    def supplier_head(self) -> str:
        """Above the column of the names of suppliers."""
        return self.supplier.capitalize()


BODIES: Final = Naming(
    one="organisatie",
    many="organisaties",
    supplier="leverancier",
    suppliers="Leveranciers",
    missing="Stukken van zijn organisaties kunnen ontbreken.",
)
PARTS: Final = Naming(
    one="onderdeel",
    many="onderdelen",
    supplier="onderdeel",
    suppliers="Andere onderdelen",
    missing="Nieuwe stukken kunnen ontbreken.",
)
