"""From which address somebody asks, when proxies stand in between. Values only; every part of a run reads this at its start.

What a request says of its way (``X-Forwarded-For``, and ``Forwarded`` of RFC 7239) is believed from the right, and only as far
as the proxies that the operator named wrote it. What cannot be read ends the walk: then the last proxy itself is who asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

from throttling.incoming_rules import Rate

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
Headers = Iterable[tuple[bytes, bytes]]

_SITE_BITS: Final = 64  # one customer usually has a whole /64, and can take any address in it
_NEAR_BITS: Final = 24
_WIDE_BITS: Final = 48
_LONGEST: Final = 8192
_PAIR: Final = re.compile(r'[ \t]*([A-Za-z0-9!#$%&\'*+.^_`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^";,\s]+))[ \t]*')
_NODE: Final = re.compile(
    r"\[(?=[^\]]*:)(?P<six>[0-9A-Fa-f:.]+)\](?::[0-9]{1,5})?|(?P<four>[0-9.]+)(?::[0-9]{1,5})?|(?P<bare>[0-9A-Fa-f:.]+)"
)


@dataclass(frozen=True, slots=True)
class Vendor:
    """A vendor of assistants that an operator named, with the addresses it asks from. All who ask from there are one session.

    ``rate``: how much may come in from there, None for as much as from any session.
    """

    name: str
    networks: tuple[Network, ...]
    rate: Rate | None = None


def read_address(text: str) -> Address | None:
    """The address in ``text``, with or without a port; an IPv4 one in IPv6 clothes as IPv4. None for anything else."""
    found = _NODE.fullmatch(text)
    if found is None:
        return None
    try:
        address = ip_address(found["six"] or found["four"] or found["bare"])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def client_address(peer: str, headers: Headers, proxies: Sequence[Network]) -> Address | None:
    """Who asks: the first address, seen from us, that is not one of ``proxies``. None when ``peer`` itself is no address.

    ``peer`` is the other end of the connection. When the two headers disagree one of them was made up, and neither counts.
    """
    here = read_address(peer.partition("%")[0])
    if here is None or not is_in(here, proxies):
        return here
    given = [(name.lower(), value.decode("latin-1")) for name, value in headers]
    listed = [value for name, value in given if name == b"x-forwarded-for"]
    described = [value for name, value in given if name == b"forwarded"]
    ways = [_listed(listed)] if listed else []
    ways += [_described(described)] if described else []
    found = {_walk(here, way, proxies) for way in ways}
    return found.pop() if len(found) == 1 else here


def is_in(address: Address, networks: Iterable[Network]) -> bool:
    """Whether ``address`` lies in one of ``networks``."""
    return any(address in network for network in networks)


def group(address: Address) -> str:
    """Those who count as one: an IPv4 address, or a whole /64 of IPv6."""
    if isinstance(address, IPv4Address):
        return str(address)
    return str(IPv6Network((int(address), _SITE_BITS), strict=False))


def networks(address: Address) -> tuple[str, ...]:
    """The networks that one party may have as a whole: a /24 of IPv4; a /64 and a /48 of IPv6."""
    if isinstance(address, IPv4Address):
        return (str(IPv4Network((int(address), _NEAR_BITS), strict=False)),)
    return tuple(str(IPv6Network((int(address), bits), strict=False)) for bits in (_SITE_BITS, _WIDE_BITS))


def _walk(here: Address, way: Sequence[Address | None], proxies: Sequence[Network]) -> Address:
    for address in reversed(way):
        if address is None:
            return here
        here = address
        if not is_in(here, proxies):
            return here
    return here


def _listed(values: Sequence[str]) -> list[Address | None]:
    """The addresses of ``X-Forwarded-For``, farthest first; several lines are one list."""
    text = ",".join(values)
    return [None] if len(text) > _LONGEST else [read_address(part.strip(" \t")) for part in text.split(",")]


def _described(values: Sequence[str]) -> list[Address | None]:
    """The addresses in the ``for`` of each element of ``Forwarded`` (RFC 7239, section 4). One fault makes all unreadable."""
    text = ",".join(values)
    found: list[Address | None] = []
    element: dict[str, str] = {}
    at = 0
    while len(text) <= _LONGEST:
        pair = _PAIR.match(text, at)
        if pair is None or pair[1].lower() in element:
            break
        element[pair[1].lower()] = re.sub(r"\\(.)", r"\1", pair[2]) if pair[2] is not None else pair[3]
        at = pair.end()
        if at == len(text) or text[at] == ",":
            found.append(read_address(element.get("for", "")))
            element = {}
        if at == len(text):
            return found
        if text[at] not in ",;":
            break
        at += 1
    return [None]
