"""What time it is for the scripts, by a clock that nobody sets: the store's time of day may be set while we run.

Each caller says what time it expects, and by how much the store's may differ from that; the scripts keep to it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

_SLACK: Final = 0.25  # a step of the server's clock that is smaller is not told from a busy machine
_TRIPS: Final = 2.0  # of the last journey to the store, that the next may take as well
_DRIFT: Final = 0.001  # how far two honest clocks may run apart, per second
Reckoning = tuple[float, float]
"""What the scripts' clock said at the last answer, and what this process's own clock said then."""


class Reckoner:
    """Goes on from the last answer by ``clock``. ``seen`` is None before the first; another may go on with it."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.seen: Reckoning | None = None
        self._clock = clock
        self._trip = 0.0

    def text(self) -> str:
        """What a script is told of the time: nothing that was invented, what is expected, and the slack."""
        if self.seen is None:
            return "||"
        there, here = self.seen
        passed = self._clock() - here
        return f"|{there + passed!r}|{_SLACK + _TRIPS * self._trip + _DRIFT * passed!r}"

    def heard(self, now: float) -> None:
        """A script answered just now that it was ``now``."""
        self.seen = (now, self._clock())

    def travelled(self, seconds: float) -> None:
        """So long the last journey to the store took."""
        self._trip = seconds

    def age(self, moment: float) -> float:
        """How long ago ``moment`` of the scripts' clock was."""
        there, here = self.seen or (moment, self._clock())
        return there + self._clock() - here - moment


def invented(now: float) -> str:
    """What a script is told of the time in a test or a simulation."""
    return f"{now!r}||"
