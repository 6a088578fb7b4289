"""Where a person is sent: the pages of www.tweedekamer.nl, and our own page for what only the stand-in has (section 13)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from connectors.addresses import Addresses, PlatformMode
from connectors.kamer_words import line
from connectors.platforms import TWEEDE_KAMER
from connectors.tweede_kamer.ids import Entity, Key, key_of
from connectors.tweede_kamer.values import Row
from connectors.tweede_kamer.versions import Version

MADE_UP: Final = "00000000-"
"""How the ids begin of rows that were made for the stand-in; the platform has no such rows, and no pages of them."""
_SITE: Final = "https://www.tweedekamer.nl"
_OFFICIAL: Final = "https://zoek.officielebekendmakingen.nl"


@dataclass(frozen=True, slots=True)
class Pages:
    """Addresses for rows of one version of the service."""

    addresses: Addresses
    version: Version

    def of(self, row: Row, upstream_id: str, case: str = "") -> str:
        """The page that a person cites."""
        key = key_of(upstream_id)
        if key is None or self._is_made_up(row):
            return self.addresses.own_page(TWEEDE_KAMER, upstream_id)
        match key:
            case Key(entity=Entity.DOCUMENT, number=number) if number:
                return f"{_SITE}/kamerstukken/detail?id={quote(case or number)}&did={quote(number)}"
            case Key(entity=Entity.CASE, number=number) if number:
                return f"{_SITE}/kamerstukken/detail?id={quote(number)}"
            case Key(entity=Entity.ACTIVITY, number=number) if number:
                place = "/debat_en_vergadering/plenaire_vergaderingen/details/activiteit"
                return f"{_SITE}{place}?id={quote(number)}"
            case _:
                return self.row(key.entity, row)

    def file(self, row: Row, upstream_id: str) -> str | None:
        """The file of a document; None for what has none, and for what only the stand-in has."""
        key = key_of(upstream_id)
        if key is None or key.entity is not Entity.DOCUMENT or self._is_made_up(row):
            return None
        if key.number:
            return f"{_SITE}/downloads/document?id={quote(key.number)}"
        return f"{self.row(Entity.DOCUMENT, row)}/resource"

    def row(self, entity: str, row: Row) -> str:
        """The row itself at the open data service: what has no page has at least this."""
        return f"{TWEEDE_KAMER.service('odata').live_address}{self.version.path}/{entity}({quote(line(row.get('Id')))})"

    def _is_made_up(self, row: Row) -> bool:
        return self.addresses.mode is PlatformMode.STAND_INS and line(row.get("Id")).startswith(MADE_UP)


def official_page(identifier: str) -> str:
    """The page of an official publication (``kst-36045-299``)."""
    return f"{_OFFICIAL}/{quote(identifier)}.html"
