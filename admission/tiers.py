"""What each tier of identity gives: budgets, and the pools that its contracts draw from together (choices A1 and A3).

Whoever makes more identities gets no more: those who are known only by a key share what their network has, and all of them one
pool; those who are known by an address on the web share what its domain has; jobs share what their issuer has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

from admission.contracts import Budget, Pool, Tier

AD_HOC_ISSUER: Final = "ad-hoc"
"""Who vouches where nobody does: under this name an operator stops all ad hoc contracts. No trust domain may have it."""


@dataclass(frozen=True, slots=True)
class Share:
    """How much a pool holds: calls ``in_flight``, and ``units`` in each ``seconds``."""

    in_flight: int
    units: int
    seconds: int = 60

    def pool(self, name: str) -> Pool:
        """The pool of this size with a name."""
        return Pool(name, self.in_flight, self.units, self.seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class TierRules:
    """``usual``: for who names no budget; ``most``: of one workload over all its contracts. ``shared``: with others like it."""

    usual: Budget
    most: Budget
    shared: Share


RULES: Final[Mapping[Tier, TierRules]] = MappingProxyType(
    {
        Tier.FEDERATED: TierRules(
            usual=Budget(in_flight=4, units=1_000, writes=5),
            most=Budget(in_flight=8, units=10_000, writes=50),
            shared=Share(in_flight=40, units=1_200),
        ),
        Tier.CIMD: TierRules(
            usual=Budget(in_flight=2, units=500), most=Budget(in_flight=4, units=2_000), shared=Share(10, 300)
        ),
        Tier.AD_HOC: TierRules(
            usual=Budget(in_flight=1, units=100), most=Budget(in_flight=2, units=200), shared=Share(4, 120)
        ),
    }
)
"""What holds unless the operator says otherwise. The share of ad hoc is that of one network."""
AD_HOC_ALL: Final = Share(in_flight=20, units=600)
"""What all ad hoc contracts together have."""


def pools(tier: Tier, issuer: str, networks: Sequence[str], rules: TierRules) -> tuple[Pool, ...]:
    """The pools of a contract. ``networks``: keys that stand for where it was asked from, never addresses."""
    if tier is Tier.AD_HOC:
        near = tuple(rules.shared.pool(network) for network in networks)
        return (*near, AD_HOC_ALL.pool("ad-hoc"))
    return (rules.shared.pool(f"{tier.value}:{issuer}"),)


def clients_of(address: str) -> str:
    """Under which name an operator stops all clients of a domain, with its pool: that of no trust domain and no platform."""
    return f"*.{domain(address)}"


def domain(address: str) -> str:
    """Who an address on the web belongs to: the last two labels of its host, and so never less than who registered it.

    A list of public suffixes would tell ``a.co.uk`` from ``b.co.uk``; without one they share what there is. The other way
    around, whoever makes names below one domain would get more with each.
    """
    return ".".join((urlsplit(address).hostname or "").rsplit(".", 2)[-2:])
