"""Who is asking. The session key decides whose turn a call takes at a platform with a limit.

A contract goes before an MCP session, that before the address, and the house asks for everybody who reads the pages. An address
is never kept: what stands for it is a digest under a key that changes daily (``throttling.daily_key``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from throttling.admitted import admitted
from throttling.client_addresses import Address, Network, Vendor, client_address, group, is_in, networks
from throttling.daily_key import DayKey

HOUSE_SESSION = "huis"
CONTRACT: Final = "contract:"
"""How the session of a program under a contract begins."""
_DIGITS: Final = 32
_NOWHERE: Final = "onbekend"


@dataclass(frozen=True, slots=True)
class Caller:
    """One asker: ``session`` is the key under which use is counted, ``visitor`` tells visitors of the house apart.

    ``one_at_a_time``: only one call of this caller stands in a queue (rules R10 and R13). ``heir_of``: the session whose recent
    use a new session begins with, so that opening sessions buys no share.
    """

    session: str
    visitor: str = ""
    one_at_a_time: bool = False
    heir_of: str = ""

    @property
    def is_house(self) -> bool:
        """Whether this is the house: the search page and own maintenance, whose use is not counted (rule R10)."""
        return self.session == HOUSE_SESSION


def house(visitor: str = "") -> Caller:
    """The house, on behalf of ``visitor`` (a key, never an address; empty for own maintenance)."""
    return Caller(session=HOUSE_SESSION, visitor=visitor, one_at_a_time=not visitor)


@dataclass(frozen=True, slots=True)
class Callers:
    """Says who makes a request. ``proxies`` may say for whom they ask; nobody else may."""

    key: DayKey
    proxies: Sequence[Network] = ()
    vendors: Sequence[Vendor] = ()

    def visitor(self, scope: Mapping[str, Any]) -> Caller:
        """The house, for whoever reads a page by this request (an ASGI scope); a program under a contract is its contract."""
        found = admitted(scope)
        return _contracted(found.contract) if found else house(self.source(scope))

    def program(self, scope: Mapping[str, Any], *, contract: str = "", mcp_session: str = "") -> Caller:
        """A program that asks by itself: under its ``contract`` when it has one, else in its MCP session, else by its address.

        The contract is the one under which the edge admitted the request, unless another is given.

        A new MCP session begins with the recent use of its address. All who ask from a vendor's addresses are that vendor.
        """
        found = admitted(scope)
        if contract or found:
            return _contracted(contract or (found.contract if found else ""))
        source = self.source(scope)
        if not mcp_session or self._vendor(self._address(scope)):
            return Caller(session=source)
        # Whoever knows the id of an MCP session is in it: it is a secret, and not a key that operators may read.
        digest = sha256(mcp_session.encode()).hexdigest()[:_DIGITS]
        return Caller(session=f"mcp:{digest}", heir_of=source)

    def networks(self, scope: Mapping[str, Any]) -> tuple[str, ...]:
        """Keys that stand for the networks a request comes from: a /24 of IPv4, a /64 and a /48 of IPv6."""
        address = self._address(scope)
        around = networks(address) if address else (_NOWHERE,)
        return tuple(f"net:{self.key.digest(one)}" for one in around)

    def contract(self, contract: str) -> str:
        """The key under which work that waits is counted for a contract; its number is not in it."""
        return f"contract:{self.key.digest(contract)}"

    def source(self, scope: Mapping[str, Any]) -> str:
        """The key that stands for where a request comes from. All whose address nobody can tell are one."""
        address = self._address(scope)
        vendor = self._vendor(address)
        if vendor is not None:
            return f"aanbieder:{vendor.name}"
        return f"adres:{self.key.digest(group(address) if address else _NOWHERE)}"

    def _vendor(self, address: Address | None) -> Vendor | None:
        found = (vendor for vendor in self.vendors if address is not None and is_in(address, vendor.networks))
        return next(found, None)

    def _address(self, scope: Mapping[str, Any]) -> Address | None:
        peer = scope.get("client") or ("",)
        return client_address(str(peer[0]), scope.get("headers", ()), self.proxies)


def _contracted(contract: str) -> Caller:
    key = f"{CONTRACT}{contract}"
    return Caller(session=key, visitor=key)
