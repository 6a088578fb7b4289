"""How much may come in, as values: a rate with a burst for the process, for each connector, and for each session or address.

The rule is GCRA: of each key one moment is kept, at which all that it was given is earned back. It lies at most a burst
ahead, so nobody waits longer than one unit takes. All arithmetic is in whole microseconds: script and Python agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

SECOND: Final = 1_000_000
"""Microseconds."""
LONGEST_WAIT: Final = 60
"""Seconds. Clients give up, or stop listening, above that."""
STRICTER: Final = 4
"""While the store is lost a process gives a fourth of each rate by itself: it does not know what the others give."""
PROCESS, CONNECTOR, SESSION, OPENING = "process", "connector", "session", "opening"
"""What the limits are called: in settings, in the fields of an answer, in problems and in metrics."""
API: Final = "api"
"""What the door for programs is called."""


def whole_seconds(microseconds: int) -> int:
    """Rounded up, and at least 1."""
    return max(-(-microseconds // SECOND), 1)


@dataclass(frozen=True, slots=True)
class Rate:
    """``units`` in each ``seconds``, and after a rest ``burst`` at once (by itself as many as ``units``)."""

    units: int
    seconds: int = 1
    burst: int = 0
    step: int = field(init=False)
    """The microseconds in which one unit is earned, rounded up: never more than the rate."""
    room: int = field(init=False)
    """The microseconds in which a whole burst is earned."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "burst", self.burst or self.units)
        object.__setattr__(self, "step", -(-self.seconds * SECOND // self.units))
        object.__setattr__(self, "room", self.burst * self.step)

    def stricter(self) -> Rate:
        """A fourth of it, and yet nobody waits longer than ``LONGEST_WAIT``."""
        burst = max(self.burst // STRICTER, 1)
        if self.step * STRICTER > LONGEST_WAIT * SECOND:
            return Rate(1, LONGEST_WAIT, burst)
        return Rate(self.units, self.seconds * STRICTER, burst)

    def ahead(self, at: int, now: int) -> int:
        """How far ``at``, the moment kept of a key, lies ahead; never further than a burst, also after a clock was set back."""
        return min(max(at - now, 0), self.room)

    def wait(self, ahead: int) -> int:
        """The microseconds until a unit may be taken; at most 0 when it may be now."""
        return ahead + self.step - self.room

    def policy(self, name: str) -> str:
        """An item of ``RateLimit-Policy`` (draft-ietf-httpapi-ratelimit-headers-11, section 3)."""
        return f'"{name}";q={self.burst};w={-(-self.burst * self.seconds // self.units)}'

    def standing(self, name: str, ahead: int) -> str:
        """An item of ``RateLimit`` (the draft, section 4): what is left, and within which time no more than that is."""
        left = (self.room - ahead) // self.step
        return f'"{name}";r={left};t={whole_seconds(ahead - self.room + (left + 1) * self.step)}'


@dataclass(frozen=True, slots=True)
class DoorRules:
    """What one door gives: all together, and each session or address."""

    connector: Rate
    session: Rate


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingRules:
    """All limits on what comes in. ``vendors``: the rate of each vendor of assistants that has one of its own, by name.

    ``opening``: new MCP sessions of one address.
    """

    process: Rate = field(default_factory=lambda: Rate(200))
    mcp: DoorRules = field(default_factory=lambda: DoorRules(Rate(60), Rate(20, 1, 60)))
    page: DoorRules = field(default_factory=lambda: DoorRules(Rate(60), Rate(20, 1, 60)))
    api: DoorRules = field(default_factory=lambda: DoorRules(Rate(60), Rate(20, 1, 60)))
    opening: Rate = field(default_factory=lambda: Rate(30, 60, 60))
    vendors: Mapping[str, Rate] = field(default_factory=lambda: MappingProxyType({}))

    def of(self, connector: str) -> DoorRules:
        """The rules of the door called ``connector``: each MCP endpoint alike, the API and the pages by their own."""
        if is_mcp(connector):
            return self.mcp
        return self.api if connector == API else self.page


UNLIMITED: Final = Rate(SECOND)
"""More than there is time for: where something else limits a session."""


def is_mcp(connector: str) -> bool:
    """Whether this is an endpoint for assistants."""
    return connector.startswith("mcp:")
