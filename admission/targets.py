"""Addresses that somebody else gave us to fetch from: which of them may be asked at all (attack 6 of the study of admission).

Two looks: at the address as it is written, before anything is done; and at every network address that its name turns out
to have, before anything is dialled.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final

MOST_URL: Final = 512
_URL: Final = re.compile(
    r"https://(?P<host>[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+)(?::443)?(?P<path>/[!$&-;=@-Z_a-z~%]*)?(?P<query>\?[!$&-;=?-Z_a-z~%/]*)?",
    re.ASCII,
)
_LABEL: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?", re.ASCII)
_LAST: Final = re.compile(r"[a-z]{2,63}|xn--[a-z0-9-]+", re.ASCII)
"""How a name ends: a host of digits would be taken for an address by some readers."""
_LONGEST_HOST: Final = 253
_INNER: Final = frozenset(
    {"localhost", "local", "internal", "intranet", "lan", "home", "corp", "private", "localdomain", "arpa"}
)
"""Names that mean something inside a network alone."""
_DRESSED: Final = tuple(
    map(
        IPv6Network,
        ("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32"),
    )
)
"""Addresses of IPv6 that carry one of IPv4 inside: whichever that is, nobody needs to be reached so."""


class BadTargetError(Exception):
    """An address that is never asked."""


@dataclass(frozen=True, slots=True)
class Target:
    """An address that may be asked, in its one spelling: https, 443, a name with a dot in it, no user, no fragment."""

    url: str
    host: str
    path: str

    @classmethod
    def of(cls, url: str) -> Target:
        """From an address as somebody wrote it. Raises ``BadTargetError``; capitals in the host are another spelling."""
        found = _URL.fullmatch(url) if len(url) <= MOST_URL else None
        if found is None:
            raise BadTargetError
        host, path = found["host"], found["path"] or "/"
        labels = host.split(".")
        named = (
            len(host) <= _LONGEST_HOST
            and all(map(_LABEL.fullmatch, labels))
            and _LAST.fullmatch(labels[-1])
            and labels[-1] not in _INNER
        )
        if not named or any(part in {".", ".."} for part in path.split("/")) or "//" in path:
            raise BadTargetError
        shown = f"{path}{found['query'] or ''}"
        return cls(f"https://{host}{shown}", host, shown)


def is_public(address: str) -> bool:
    """Whether a network address may be dialled: everybody on the internet can reach it, and it is one machine's own."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address) and (found.scope_id or any(found in network for network in _DRESSED)):
        return False
    return found.is_global and not _special(found)


def _special(address: IPv4Address | IPv6Address) -> bool:
    site_local = isinstance(address, IPv6Address) and address.is_site_local
    return address.is_multicast or address.is_reserved or address.is_unspecified or address.is_loopback or site_local
