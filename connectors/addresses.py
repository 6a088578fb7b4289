"""Where the services are, and where a person is sent: the live platforms, or the stand-ins and our own pages."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from urllib.parse import quote, urlsplit

from connectors.platforms import Platform, Service

_MAX_ADDRESS: Final = 2000


class PlatformMode(StrEnum):
    """Which counterpart answers; the values are those of ``BESLUITBRON_PLATFORMS``."""

    STAND_INS = "stand-ins"
    LIVE = "live"


@dataclass(frozen=True, slots=True)
class Addresses:
    """``stand_ins`` is the root address of the stand-ins, ``pages`` the root address of our own site (no slash at the end).

    ``given`` holds live addresses that an operator gave, by the key of a platform that publishes none.
    """

    mode: PlatformMode
    stand_ins: str
    pages: str
    given: tuple[tuple[str, str], ...] = ()

    def base(self, platform: Platform, service: Service) -> str:
        """The address below which the calls of ``service`` go, without a slash at the end; empty where nobody gave one."""
        if self.mode is PlatformMode.LIVE:
            return dict(self.given).get(platform.key, service.live_address)
        return f"{self.stand_ins}/{platform.key}/{service.key}"

    def own_page(self, platform: Platform, upstream_id: str) -> str:
        """Our own page of a document, absolute."""
        return f"{self.pages}/document/{platform.key}/{quote(upstream_id, safe=':')}"


def web_address(value: object) -> str | None:
    """``value`` when it is an http or https address without blanks or control characters, else None."""
    if not isinstance(value, str) or not value.isprintable() or " " in value:  # the one blank that can be printed
        return None
    if len(value) > _MAX_ADDRESS:
        return None
    try:
        parts = urlsplit(value)
        host = parts.hostname
    except ValueError:
        return None
    return value if parts.scheme in {"http", "https"} and host else None
