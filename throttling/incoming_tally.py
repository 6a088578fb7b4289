"""What came in, counted in this process: plain numbers for metrics, and what operators see of all processes in the store.

Nobody's address is here: keys are digests (``throttling.callers``), and leave this process for the store alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from throttling.store import Store, StoreLostError

PREFIX: Final = "binnen:"
"""How every key of the incoming limits begins in the store."""
PASSED: Final = "passed"
_MOST_KEYS: Final = 5_000
_TOLD_KEYS: Final = 100


@dataclass(frozen=True, slots=True)
class Busy:
    """One of the busiest keys of the last hour, with how often it asked."""

    key: str
    requests: int


@dataclass(frozen=True, slots=True)
class LastHour:
    """What all processes counted in the last hour: by connector, how many passed and how many each limit refused."""

    counts: Mapping[tuple[str, str], int]
    busiest: tuple[Busy, ...]

    def of(self, connector: str, outcome: str) -> int:
        """How many requests had this outcome (``passed``, or the limit that refused) at a connector."""
        return self.counts.get((connector, outcome), 0)


class Tally:
    """Counts since the process began (``totals``), and what was not yet told to the store."""

    def __init__(self) -> None:
        self.totals: Counter[tuple[str, str]] = Counter()
        self._told: Counter[tuple[str, str]] = Counter()
        self._keys: dict[str, int] = {}

    def passed(self, connector: str) -> None:
        """A request passed."""
        self.totals[connector, PASSED] += 1

    def refused(self, connector: str, limits: tuple[str, ...]) -> None:
        """A request was refused by these limits."""
        for limit in limits:
            self.totals[connector, limit] += 1

    def asked(self, key: str) -> None:
        """Somebody asked. Of new keys only so many are remembered until the next telling."""
        keys = self._keys
        if key in keys:
            keys[key] += 1
        elif len(keys) < _MOST_KEYS:
            keys[key] = 1

    async def tell(self, store: Store) -> None:
        """Add what is new to what the store has. Raises ``StoreLostError``; then it is told the next time."""
        now, keys = Counter(self.totals), self._keys
        new = {name: count - self._told[name] for name, count in now.items() if count > self._told[name]}
        if not new and not keys:
            return
        counts = [(f"{connector}|{outcome}", str(count)) for (connector, outcome), count in new.items()]
        busiest = [(key, str(count)) for key, count in Counter(keys).most_common(_TOLD_KEYS)]
        self._keys = {}
        try:
            await store.run("incoming_tally", PREFIX, (str(len(counts)), *chain(*counts), *chain(*busiest)))
        except StoreLostError:
            self._keys = keys if not self._keys else self._keys
            raise
        self._told = now


async def last_hour(store: Store) -> LastHour:
    """What the store knows of the last hour. Raises ``StoreLostError``."""
    return read_last_hour(await store.run("incoming_seen", PREFIX, ()))


def read_last_hour(answer: Any) -> LastHour:
    """The answer of the script as values. Raises ``StoreLostError`` for anything else."""
    try:
        words = [part.decode() for part in answer]
        end = words.index("")
        counts, keys = words[:end], words[end + 1 :]
        return LastHour(
            counts={
                (name.rpartition("|")[0], name.rpartition("|")[2]): int(count)
                for name, count in zip(counts[::2], counts[1::2], strict=True)
            },
            busiest=tuple(Busy(key, int(count)) for key, count in zip(keys[::2], keys[1::2], strict=True)),
        )
    except (AttributeError, TypeError, ValueError) as failure:
        raise StoreLostError(type(failure).__name__) from failure
