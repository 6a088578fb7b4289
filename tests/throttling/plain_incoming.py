"""The rule on what comes in, written the slow and obvious way: buckets of exact fractions, one for each limit and key."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil

from throttling.incoming_rules import IncomingRules, Rate


@dataclass(slots=True)
class Bucket:
    """Holds at most a burst, is full at first, and earns one unit in each ``rate.step``."""

    rate: Rate
    units: Fraction
    at: int

    def look(self, now: int) -> Fraction:
        self.units = min(self.units + Fraction(now - self.at, self.rate.step), Fraction(self.rate.burst))
        self.at = now
        return self.units


@dataclass(frozen=True, slots=True)
class Said:
    """What the model says: which limits refuse, whole seconds until one passes, and what is left of each limit."""

    refused_by: tuple[str, ...]
    retry_after: int
    left: dict[str, int]


@dataclass(slots=True)
class PlainIncoming:
    """All buckets of one process and of the store together."""

    rules: IncomingRules
    buckets: dict[tuple[str, str], Bucket] = field(default_factory=dict)

    def admit(self, connector: str, key: str, now: int) -> Said:
        wanted = {
            "process": self.bucket("process", "", self.rules.process, now),
            "connector": self.bucket("connector", connector, self.rules.of(connector).connector, now),
            "session": self.bucket("session", key, self.rules.of(connector).session, now),
        }
        empty = {name: one for name, one in wanted.items() if one.look(now) < 1}
        if "process" in empty:
            empty = {"process": wanted["process"]}
        if not empty:
            for one in wanted.values():
                one.units -= 1
        waits = [(1 - one.units) * one.rate.step / 1_000_000 for one in empty.values()]
        left = {name: int(one.look(now)) for name, one in wanted.items()}
        return Said(tuple(empty), max((ceil(wait) for wait in waits), default=0), left)

    def bucket(self, limit: str, key: str, rate: Rate, now: int) -> Bucket:
        return self.buckets.setdefault((limit, key), Bucket(rate, Fraction(rate.burst), now))
