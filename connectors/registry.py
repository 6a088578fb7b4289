"""Platform key → connector. Duplicates are refused; the order is that of registration."""

from __future__ import annotations

from collections.abc import Iterator

from connectors.addresses import Addresses
from connectors.connector import Connector
from connectors.officiele_bekendmakingen.connector import OfficieleBekendmakingen
from connectors.open_archivaris.connector import OpenArchivaris
from connectors.open_archivaris.field_map import FieldMap
from connectors.open_raadsinformatie.connector import OpenRaadsinformatie
from connectors.openbesluitvorming.connector import OpenBesluitvorming
from connectors.opentk.connector import OpenTK
from connectors.rechtspraak.connector import Rechtspraak
from connectors.tweede_kamer.connector import TweedeKamer
from connectors.tweede_kamer.versions import V5, Version


class DuplicateConnectorError(ValueError):
    """Two connectors for one platform."""


class Registry:
    """The connectors in use. A fresh one can be made in a test."""

    def __init__(self) -> None:
        self._connectors: dict[str, Connector] = {}

    def register(self, connector: Connector) -> None:
        """Add a connector; raises ``DuplicateConnectorError`` when its platform has one already."""
        key = connector.platform.key
        if key in self._connectors:
            raise DuplicateConnectorError(key)
        self._connectors[key] = connector

    def get(self, key: str) -> Connector | None:
        """The connector of a platform, or None."""
        return self._connectors.get(key)

    def __iter__(self) -> Iterator[Connector]:
        return iter(self._connectors.values())

    def __len__(self) -> int:
        return len(self._connectors)


def default_registry(
    addresses: Addresses, archive_fields: FieldMap | None = None, kamer_version: Version = V5
) -> Registry:
    """All connectors of the product: a new platform is one line here.

    ``archive_fields``: an operator's field map of Open Archivaris; ``kamer_version``: which service the Kamer is asked at.
    """
    registry = Registry()
    registry.register(OpenRaadsinformatie(addresses))
    registry.register(OpenBesluitvorming(addresses))
    registry.register(TweedeKamer(addresses, kamer_version))
    registry.register(OpenTK(addresses))
    registry.register(OfficieleBekendmakingen(addresses))
    registry.register(Rechtspraak(addresses))
    registry.register(OpenArchivaris(addresses, archive_fields))
    return registry
