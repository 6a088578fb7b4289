"""Values that say how much a service bears. Rules on how they are counted: the design page on turns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class TokenBucket:
    """A bucket of ``capacity`` units that refills ``per_second`` units a second: a mechanism the holder publishes."""

    capacity: float
    per_second: float


@dataclass(frozen=True, slots=True)
class SlidingWindow:
    """At most ``units`` in any ``seconds``: where only a number is known."""

    units: float
    seconds: float


Limit = TokenBucket | SlidingWindow

FAILURES: Final = 5
"""After so many failures in a row a service is left alone."""
REST_SECONDS: Final = 30.0
"""For so many seconds; then one call tries it again."""
