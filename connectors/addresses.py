"""Where the services are, and where a person is sent: the live platforms, or the stand-ins and our own pages."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import quote

from connectors.platforms import Platform, Service


class PlatformMode(StrEnum):
    """Which counterpart answers; the values are those of ``BESLUITBRON_PLATFORMS``."""

    STAND_INS = "stand-ins"
    LIVE = "live"


@dataclass(frozen=True, slots=True)
class Addresses:
    """``stand_ins`` is the root address of the stand-ins, ``pages`` the root address of our own site (no slash at the end)."""

    mode: PlatformMode
    stand_ins: str
    pages: str

    def base(self, platform: Platform, service: Service) -> str:
        """The address below which the calls of ``service`` go, without a slash at the end."""
        if self.mode is PlatformMode.LIVE:
            return service.live_address
        return f"{self.stand_ins}/{platform.key}/{service.key}"

    def own_page(self, platform: Platform, upstream_id: str) -> str:
        """Our own page of a document, absolute."""
        return f"{self.pages}/document/{platform.key}/{quote(upstream_id, safe=':')}"
