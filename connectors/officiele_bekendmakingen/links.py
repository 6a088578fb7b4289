"""Where a person is sent and where a file is: the addresses in a record, as far as they are ones we may give."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from connectors.addresses import Addresses, PlatformMode
from connectors.officiele_bekendmakingen.ids import SITE, page_address
from connectors.officiele_bekendmakingen.parse_search import Record
from connectors.platforms import OFFICIELE_BEKENDMAKINGEN

_FILE_PATH: Final = re.compile(
    r"/frbr/officielepublicaties/(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*/)+[A-Za-z0-9_-][A-Za-z0-9_.-]*"
)
_LONGEST: Final = 600
_ORIGINALS: Final = ("pdf", "xml", "html", "odt")
"""The PDF is the authentic version; the site itself calls it so."""


@dataclass(frozen=True, slots=True)
class Links:
    """The addresses of records. With the stand-ins, generated publications lead to our own pages and to the stand-in."""

    addresses: Addresses

    @property
    def holds_all(self) -> bool:
        """Whether any publication that another one names can be opened where it came from."""
        return self.addresses.mode is PlatformMode.LIVE

    def page(self, record: Record) -> str:
        """The page to cite: that of the record on the platform's site, or our own for what exists nowhere else."""
        own = self.addresses.own_page(OFFICIELE_BEKENDMAKINGEN, record.identifier)
        if not self.holds_all and record.address == own:
            return own
        return page_address(record.identifier)

    def original(self, record: Record) -> str | None:
        """The address of the original file."""
        return next((url for name in _ORIGINALS if (url := record.files.get(name)) and self._is_ours(url)), None)

    def _is_ours(self, url: str) -> bool:
        service = OFFICIELE_BEKENDMAKINGEN.service("bestanden")
        bases = [service.live_address, SITE]
        if not self.holds_all:
            bases.append(self.addresses.base(OFFICIELE_BEKENDMAKINGEN, service))
        return len(url) <= _LONGEST and any(url.startswith(f"{base}/") for base in bases) and url.isprintable()


def file_path(record: Record, manifestation: str) -> str | None:
    """The path of a file below the service ``bestanden``; None when there is none, or when it is not of this publication."""
    url = record.files.get(manifestation, "")
    at = url.find("/frbr/")
    path = url[at:] if at >= 0 else ""
    if len(url) > _LONGEST or not _FILE_PATH.fullmatch(path) or f"/{record.identifier}/" not in path:
        return None
    return path
