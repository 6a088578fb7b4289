"""What one queue keeps to: the limit of its service, how many calls may be under way, how long a process is trusted.

Units become whole thousandths here, so that no sum of charges drifts (design page on turns).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from throttling.limits import Limit, SlidingWindow, TokenBucket

THOUSAND: Final = 1000
STALE_SECONDS: Final = 5.0
"""How old a grant may be when its request leaves; a process that slept longer gives it back."""
NOMINAL: Final = SlidingWindow(units=60, seconds=60)
"""Against what use is weighed where no limit in units is known, only calls under way are counted."""


class BadLimitError(ValueError):
    """A limit that cannot be kept: ``service`` and what is wrong with it, in Dutch for who wrote the setting."""

    def __init__(self, service: str, wrong: str) -> None:
        super().__init__(service, wrong)
        self.service = service
        self.wrong = wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueRules:
    """The rules of one queue. ``in_flight`` None: not kept (a simulation). ``lease`` in seconds.

    ``deadline`` is how long a call may take after it was sent, in seconds.

    ``most_of_session`` and ``most`` are how many calls may wait (rule R14); 0: as many as come. ``spaced``: grants of a window
    are spread over its time while calls wait.
    """

    limit: Limit | None
    in_flight: int | None
    deadline: float = 20.0
    lease: float = 10.0
    spaced: bool = True
    most_of_session: int = 200
    most: int = 2000

    @property
    def units(self) -> float:
        """How much fits in one refill time."""
        match self.limit:
            case TokenBucket(capacity=units) | SlidingWindow(units=units):
                return units
            case None:
                return NOMINAL.units

    @property
    def seconds(self) -> float:
        """The full refill time W of the limit."""
        match self.limit:
            case TokenBucket(capacity=units, per_second=rate):
                return units / rate
            case SlidingWindow(seconds=seconds):
                return seconds
            case None:
                return NOMINAL.seconds

    @property
    def kind(self) -> str:
        """What the scripts call the ledger."""
        match self.limit:
            case TokenBucket():
                return "bucket"
            case SlidingWindow():
                return "window"
            case None:
                return "none"

    @property
    def longest(self) -> float:
        """How long after its grant a request may still arrive over there, in seconds."""
        return STALE_SECONDS + self.deadline

    def check(self, service: str) -> None:
        """Raise ``BadLimitError`` when these rules cannot be kept."""
        numbers = (self.units, self.seconds, self.deadline, self.lease)
        if not all(0 < number < float("inf") for number in numbers):
            raise BadLimitError(service, "een limiet en een tijd moeten groter zijn dan 0")
        if self.units < 1:
            raise BadLimitError(service, "een limiet onder 1 eenheid laat geen enkele aanroep door")
        if self.in_flight is not None and self.in_flight < 1:
            raise BadLimitError(service, "er moet minstens 1 aanroep tegelijk mogen")

    def arguments(self) -> tuple[str, ...]:
        """These rules as the scripts read them."""
        return (
            self.kind,
            str(thousandths(self.units)),
            repr(float(self.seconds)),
            str(-1 if self.in_flight is None else self.in_flight),
            repr(float(self.longest)),
            repr(float(self.lease)),
            "1" if self.spaced else "0",
            str(self.most_of_session),
            str(self.most),
        )


def thousandths(units: float) -> int:
    """``units`` in whole thousandths, at least one for anything that costs."""
    return max(round(units * THOUSAND), 1) if units > 0 else 0
