"""Where a person is sent: the official page where there is one, else OpenTK's, or our own for what the stand-in made."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

from connectors.addresses import Addresses, PlatformMode
from connectors.opentk.ids import Key, Thing
from connectors.platforms import OPENTK

_SITE: Final = "https://www.tweedekamer.nl"
_OFFICIAL: Final = "https://zoek.officielebekendmakingen.nl"
_OPEN: Final = "https://open.overheid.nl/details"
_MADE_UP: Final = re.compile(r"[0-9]{4}D9[0-9]{4}|TZ202509-9[0-9]{2}|oep-0{16}[0-9a-f]{16}|0{8}-.*", re.ASCII)
"""Numbers that the Tweede Kamer does not reach: those of what was made for the stand-ins."""


class Pages:
    """Addresses for what this platform has. For citation the official one goes first (section 4)."""

    def __init__(self, addresses: Addresses) -> None:
        self._addresses = addresses
        self._live = OPENTK.service("zoeken").live_address

    def of(self, key: Key, case: str = "") -> str:
        """The page that a person cites. ``case`` is the number of the case to which a paper belongs."""
        if self._is_made_up(key):
            return self._addresses.own_page(OPENTK, key.upstream_id)
        match key.thing:
            case Thing.DOCUMENT:
                return f"{_SITE}/kamerstukken/detail?id={quote(case or key.name)}&did={quote(key.name)}"
            case Thing.CASE:
                return f"{_SITE}/kamerstukken/detail?id={quote(key.name)}"
            case Thing.ACTIVITY:
                return f"{_SITE}/debat_en_vergadering/plenaire_vergaderingen/details/activiteit?id={quote(key.name)}"
            case Thing.OPEN:
                return f"{_OPEN}/{quote(key.name)}"
            case _:
                return self.here(key)

    def here(self, key: Key) -> str:
        """The page at OpenTK itself."""
        return f"{self._live}/{key.page}"

    def also(self, key: Key) -> str | None:
        """The page at OpenTK, where another one is cited; None for what only the stand-in has."""
        return None if self._is_made_up(key) or self.of(key) == self.here(key) else self.here(key)

    def file(self, key: Key) -> str | None:
        """The original file of a paper; None for what has none, and for what only the stand-in has."""
        if key.thing is not Thing.DOCUMENT or self._is_made_up(key):
            return None
        return f"{self._live}/getraw/{quote(key.name)}"

    def _is_made_up(self, key: Key) -> bool:
        return self._addresses.mode is PlatformMode.STAND_INS and _MADE_UP.fullmatch(key.name) is not None


def official_page(identifier: str) -> str:
    """The page of an official publication (``kst-36045-299``)."""
    return f"{_OFFICIAL}/{quote(identifier)}.html"
