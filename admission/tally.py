"""Refusals that leave no event of their own: of who proved nothing, and while the store was away (decision record 0030).

Anybody can cause as many of these as they like, so they are counted: one event a minute for each door and reason, that says how
many there were. Both are closed lists, so this needs the same room whatever comes in. Nothing of what was sent is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from admission.edge import Reason
from throttling.store import StoreLostError

EVERY: Final = 60.0
"""Seconds between two events of the same kind from one process."""
DENY: Final = "deny"
THROTTLE: Final = "throttle"
WAITS: Final = frozenset({Reason.IN_FLIGHT_EXCEEDED, Reason.PUBLIC_LIMIT})
"""Reasons that are throttled, and not denied."""


class Place(StrEnum):
    """Where somebody was refused. In an event it stands as the operation, with brackets: it can be granted to nobody."""

    EDGE = "(deur)"
    PUBLIC = "(openbaar)"
    CONTRACT = "(contract)"
    TOKEN = "(pasje)"  # noqa: S105 - where a token is asked for, no secret


class Noting(Protocol):
    """Writes an event (``Ledger.note``). Raises ``StoreLostError``."""

    async def __call__(self, kind: str, **fields: str) -> None:
        """One event, with its fields."""


@dataclass(frozen=True, slots=True)
class Refused:
    """What is counted together: a place and a reason, of a closed list each."""

    place: Place
    reason: str


class Tally:
    """Counts of one process. ``totals``: since it started; ``clock``: seconds that only go on."""

    def __init__(self, clock: Callable[[], float], every: float = EVERY) -> None:
        self.totals: Counter[Refused] = Counter()
        self._told: Counter[Refused] = Counter()
        self._clock = clock
        self._every = every
        self._last = clock()

    def add(self, place: Place, reason: str) -> None:
        """Somebody was refused there."""
        self.totals[Refused(place, reason)] += 1

    async def tell(self, note: Noting, *, now: bool = False) -> None:
        """Write what was not told yet, once a minute; ``now``: at once, for a process that ends.

        Raises ``StoreLostError``: what was not written then is written the next time.
        """
        at = self._clock()
        if not now and at - self._last < self._every:
            return
        for one, total in list(self.totals.items()):
            if fresh := total - self._told[one]:
                kind = THROTTLE if one.reason in WAITS else DENY
                await note(kind, op=one.place.value, reason=one.reason, count=str(fresh))
                self._told[one] = total
        self._last = at

    async def tell_last(self, note: Noting) -> None:
        """As ``tell``, at the end: a store that is away then keeps nobody."""
        try:
            await self.tell(note, now=True)
        except StoreLostError:
            return
