"""What the environment says of who asks: which proxies may say for whom, and from where vendors of assistants ask."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_network
from itertools import combinations
from typing import Final

from besluitbron.running.faults import OptionsError
from besluitbron.running.rates import read_rate
from throttling.client_addresses import Network, Vendor

_PROXIES: Final = "BESLUITBRON_PROXIES"
_VENDORS: Final = "BESLUITBRON_AANBIEDERS"
_NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,39}")


@dataclass(frozen=True, slots=True)
class AskingOptions:
    """``proxies``: whose word on addresses counts. ``given`` is what the environment says, for every part of a run."""

    proxies: tuple[Network, ...] = ()
    vendors: tuple[Vendor, ...] = ()
    given: Mapping[str, str] = field(default_factory=dict)


def read_asking_options(environment: Mapping[str, str]) -> AskingOptions:
    """The options in ``environment``; unset or empty means nobody. Raises ``OptionsError``."""
    given = {name: environment[name].strip() for name in (_PROXIES, _VENDORS) if environment.get(name, "").strip()}
    proxies = _networks(_PROXIES, filter(None, map(str.strip, given.get(_PROXIES, "").split(","))))
    vendors = tuple(map(_vendor, filter(None, map(str.strip, given.get(_VENDORS, "").split(",")))))
    _check_apart(vendors)
    return AskingOptions(proxies, vendors, given)


def _networks(setting: str, texts: Iterable[str]) -> tuple[Network, ...]:
    return tuple(_network(setting, text) for text in texts)


def _network(setting: str, text: str) -> Network:
    try:
        network = ip_network(text)
    except ValueError:
        message = f"{setting} noemt {text!r}, maar dat is geen adres en geen reeks, zoals 192.0.2.7 of 2001:db8::/32."
        raise OptionsError(message) from None
    if network.prefixlen:
        return network
    message = f"{setting} noemt {text!r}: dat is iedereen. Noem alleen de adressen zelf."
    raise OptionsError(message)


def _vendor(text: str) -> Vendor:
    name, equals, said = (piece.strip() for piece in text.partition("="))
    ranges, own, rate = (piece.strip() for piece in said.partition("="))
    networks = _networks(_VENDORS, ranges.split())
    if equals and _NAME.fullmatch(name) and networks:
        return Vendor(name, networks, read_rate(_VENDORS, name, rate) if own else None)
    message = (
        f"{_VENDORS} zegt {text!r}, maar moet een naam met reeksen zijn, zoals voorbeeld=192.0.2.0/24 2001:db8::/32, "
        f"met eventueel een eigen grens: voorbeeld=192.0.2.0/24=100:300."
    )
    raise OptionsError(message)


def _check_apart(vendors: Iterable[Vendor]) -> None:
    """Raise ``OptionsError`` when an address would be of two vendors, or one is named twice."""
    for one, other in combinations(vendors, 2):
        shared = any(a.version == b.version and a.overlaps(b) for a in one.networks for b in other.networks)
        if shared or one.name == other.name:
            message = (
                f"{_VENDORS} noemt {one.name} en {other.name}, maar die overlappen. Een adres is van één aanbieder."
            )
            raise OptionsError(message)
