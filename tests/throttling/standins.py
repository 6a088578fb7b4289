"""Platforms that count for themselves, in invented time: what they saw is the proof, not what our ledgers say."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Protocol

_CLOSE = 1e-6


@dataclass(frozen=True, slots=True)
class Reply:
    """What the platform says to a request: over limit or not, and how many units it has left (None: it says nothing)."""

    refused: bool
    remaining: float | None = None


class CountingPlatform(Protocol):
    """A platform that only knows when requests arrive."""

    refusals: int

    def arrives(self, at: float, cost: float) -> Reply:
        """A request comes in at ``at``."""
        ...

    def over(self) -> float:
        """By how many units its limit was passed at worst; 0 or less when it never was."""
        ...


@dataclass(slots=True)
class WindowPlatform:
    """Counts what arrived in any ``seconds``; it takes everything, so that the count shows how bad it was."""

    units: float
    seconds: float
    refusals: int = 0
    seen: list[tuple[float, float]] = field(default_factory=list)

    def arrives(self, at: float, cost: float) -> Reply:
        self.seen.append((at, cost))
        return Reply(refused=False)

    def worst(self) -> float:
        """The most units in any window, leaving out windows with exactly one call (rule R8)."""
        seen, worst, start, total = sorted(self.seen), 0.0, 0, 0.0
        for number, (at, cost) in enumerate(seen):
            total += cost
            while seen[start][0] <= at - self.seconds + _CLOSE:
                total -= seen[start][1]
                start += 1
            if number > start:
                worst = max(worst, total)
        return worst

    def over(self) -> float:
        return self.worst() - self.units - _CLOSE


@dataclass(slots=True)
class BucketPlatform:
    """A bucket of its own that starts full, refuses when it is empty, and says what is left."""

    units: float
    seconds: float
    refusals: int = 0
    tokens: float = math.inf
    at: float = 0.0

    def arrives(self, at: float, cost: float) -> Reply:
        # An oversize call costs the whole bucket (rule R8).
        cost = min(cost, self.units)
        self.tokens = min(self.tokens + (at - self.at) * self.units / self.seconds, self.units)
        self.at = at
        if self.tokens + _CLOSE < cost:
            self.refusals += 1
            return Reply(refused=True, remaining=math.floor(self.tokens))
        self.tokens -= cost
        return Reply(refused=False, remaining=math.floor(self.tokens + _CLOSE))

    def over(self) -> float:
        return float(self.refusals)
