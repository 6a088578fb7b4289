"""How much room a limit leaves at a moment, for one process. Plain values and a clock that is handed in.

A ledger never says that there is room when the platform, counting arrivals, may see none: a charge of a window stays until
a whole window after the answer, and a bucket does not refill while charges are under way (a full one over there does not).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from throttling.limits import Limit, SlidingWindow, TokenBucket

_CLOSE = 1e-9


@dataclass(slots=True, eq=False)
class Charge:
    """What one granted call costs. ``ends`` is set by a window when the answer is in."""

    cost: float
    ends: float | None = None


class Ledger(Protocol):
    """The room of one limit."""

    @property
    def units(self) -> float:
        """The most that can be charged at once."""
        ...

    def free(self, now: float) -> float:
        """Units that may be charged now."""
        ...

    def charge(self, charge: Charge, now: float) -> None:
        """Take a charge; the caller has seen that there is room."""
        ...

    def settle(self, charge: Charge, now: float) -> None:
        """The answer to a charged call is in."""
        ...

    def take_back(self, charge: Charge, now: float) -> None:
        """The platform never counted this charge."""
        ...

    def free_at(self, units: float, now: float) -> float | None:
        """When so many units will be free if nothing else happens; None when that depends on an answer to come."""
        ...


@dataclass(slots=True)
class NoLedger:
    """No number is known: there is always room."""

    units: float = float("inf")

    def free(self, now: float) -> float:
        """Always room."""
        del now
        return self.units

    def charge(self, charge: Charge, now: float) -> None:
        """Nothing to count."""

    def settle(self, charge: Charge, now: float) -> None:
        """Nothing to count."""

    def take_back(self, charge: Charge, now: float) -> None:
        """Nothing to count."""

    def free_at(self, units: float, now: float) -> float | None:
        """At once."""
        del units
        return now


@dataclass(slots=True)
class BucketLedger:
    """Mirrors a bucket that the platform publishes."""

    units: float
    per_second: float
    level: float = field(init=False)
    at: float = field(default=0.0, init=False)
    under_way: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        self.level = self.units

    def free(self, now: float) -> float:
        """What is in our own bucket, refilled up to now."""
        self._refill(now)
        return self.level

    def charge(self, charge: Charge, now: float) -> None:
        """Take the cost out."""
        self._refill(now)
        self.level -= charge.cost
        self.under_way += charge.cost

    def settle(self, charge: Charge, now: float) -> None:
        """The call arrived over there at some moment until now."""
        self._refill(now)
        self.under_way -= charge.cost

    def take_back(self, charge: Charge, now: float) -> None:
        """Put the cost back in."""
        self.settle(charge, now)
        self.level = min(self.level + charge.cost, self.units)

    def free_at(self, units: float, now: float) -> float | None:
        """When the bucket holds so many units; None while charges under way keep it from filling up so far."""
        missing = units - self.free(now)
        if missing <= _CLOSE:
            return now
        return None if units > self._most() + _CLOSE else now + missing / self.per_second

    def _most(self) -> float:
        return self.units - self.under_way

    def _refill(self, now: float) -> None:
        filled = self.level + (now - self.at) * self.per_second
        self.level = max(self.level, min(filled, self._most()))
        self.at = now


@dataclass(slots=True)
class WindowLedger:
    """An exact log of charges where only "so many in a time" is known."""

    units: float
    seconds: float
    charges: list[Charge] = field(default_factory=list)

    def free(self, now: float) -> float:
        """The units less every charge that may still count."""
        self.charges = [charge for charge in self.charges if charge.ends is None or charge.ends > now]
        return self.units - sum(charge.cost for charge in self.charges)

    def charge(self, charge: Charge, now: float) -> None:
        """Write the charge down."""
        del now
        self.charges.append(charge)

    def settle(self, charge: Charge, now: float) -> None:
        """It counts until a whole window from now: the platform may have counted it this moment."""
        charge.ends = now + self.seconds

    def take_back(self, charge: Charge, now: float) -> None:
        """Strike the charge out."""
        del now
        self.charges.remove(charge)

    def free_at(self, units: float, now: float) -> float | None:
        """When enough charges have ended; None when that depends on calls under way."""
        missing = units - self.free(now)
        if missing <= _CLOSE:
            return now
        for charge in sorted((c for c in self.charges if c.ends is not None), key=lambda c: c.ends or 0.0):
            missing -= charge.cost
            if missing <= _CLOSE:
                return charge.ends
        return None


def ledger_for(limit: Limit | None, share: float) -> Ledger:
    """The ledger of a limit, for a process that may use ``share`` of it."""
    match limit:
        case TokenBucket(capacity=units, per_second=rate):
            return BucketLedger(units * share, rate * share)
        case SlidingWindow(units=units, seconds=seconds):
            return WindowLedger(units * share, seconds)
        case _:
            return NoLedger()
