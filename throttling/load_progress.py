"""How far a run of many parts is, and what may be foreseen of it: for reports, and for those of a simulation.

A run first collects what there is to do, then does it. While it collects nobody knows how many parts there will be; what was
foreseen holds until more is known, so that a bar shows no end that is not there. How long it will still take is reckoned from
what it does then: one source that was slow to say what it has is no reason to think that all will be.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean, median
from typing import Final

FIRST_SIZE: Final = 60
"""Parts that a run is thought to have before any was made."""
LATELY: Final = 20
"""By so many of the last runs a size is foreseen."""
_RECENT: Final = 20
_ENOUGH: Final = 5


def foreseen_size(lately: Sequence[int], counted: int | None = None) -> int:
    """How many parts a new run probably has: as they were counted beforehand, else by those of the last runs, newest first."""
    if counted is not None:
        return max(counted, 1)
    sizes = lately[:LATELY]
    return round(median(sizes)) if sizes else FIRST_SIZE


class Progress:
    """How far one run is: ``done`` of ``size`` parts. ``size`` begins as foreseen, or as another worker left it."""

    def __init__(self, size: int, done: int = 0) -> None:
        self.size = max(size, done + 1, 1)
        self._kept = done
        self._passed = 0
        self._to_do: dict[str, int] = {}
        self._seen: dict[str, deque[float]] = {}
        self._last = 0.0
        self._at_last: Callable[[], float] | None = None

    @property
    def done(self) -> int:
        """Parts that are made, by whichever worker."""
        return max(self._kept, self._passed)

    def begin(self, kept: int) -> None:
        """A worker begins, and finds so many parts. None of what was made before counts where they are not there any more."""
        self._kept = kept
        self.size = max(self.size, kept + 1)

    def expect(self, more: int) -> None:
        """There are at least so many parts to come, as far as is known now: the size grows where it must."""
        self.size = max(self.size, self._passed + more)

    def settle(self, to_do: Mapping[str, int], last: int = 1) -> None:
        """What there is to do is known: so many parts of each lane, lanes side by side, and ``last`` parts after that."""
        self._to_do = dict(to_do)
        self.size = max(self._passed + sum(to_do.values()) + last, self._kept + 1)

    def foresee_last(self, seconds: float) -> None:
        """What comes after all lanes will probably take so long; nothing where nobody can tell."""
        self._last = seconds

    def begin_last(self, elapsed: Callable[[], float]) -> None:
        """All lanes are done. ``elapsed``: for how many seconds it has been at what comes after them."""
        self._at_last = elapsed

    def passed(self, lane: str = "", seconds: float | None = None) -> None:
        """A part is there. ``seconds``: how long it took, of one of a lane's; None where another worker made it."""
        self._passed += 1
        self.size = max(self.size, self._passed)
        if lane in self._to_do:
            self._to_do[lane] -= 1
            if seconds is not None:
                self._seen.setdefault(lane, deque(maxlen=_RECENT)).append(seconds)

    @property
    def left(self) -> float | None:
        """Seconds that the run probably still takes, by the recent parts of its slowest lane. None while too little is seen.

        What comes after the lanes takes as long as was foreseen; once over that, as long again as it is over.
        """
        if self._at_last is not None:
            return abs(self._last - self._at_last())
        seen = [seconds for own in self._seen.values() for seconds in own]
        if len(seen) < min(_ENOUGH, max(sum(self._to_do.values()), 1)):
            return None
        usual = fmean(seen) if seen else 0.0
        lanes = (number * fmean(self._seen.get(lane) or [usual]) for lane, number in self._to_do.items())
        return max(lanes, default=0.0) + self._last
