"""How many parts a report will probably have, before it is made: by what platforms answered whoever asks for it.

Who asks for a report mostly has the answers before him, and the buffer has them too: what platforms say there that they have,
says how many pages and texts a report takes. No platform is asked.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from connectors.records import SearchResult
from reports.codec import HitsPart
from reports.collecting import Lane, still_to_come
from reports.exports.forms import are_many
from reports.reading import REPORTS
from reports.workshop import Making
from search.federation import Federation
from search.parameters import Asked

LAST: Final = 1
"""The last part of each report: putting together what was found, and writing it."""
_LATELY: Final = 5


class LastParts:
    """How long the last part took of those reports that write files of very many rows, by the row: of this process, lately."""

    def __init__(self) -> None:
        self._seen: deque[float] = deque(maxlen=_LATELY)

    def took(self, rows: int, seconds: float) -> None:
        """One was made."""
        if are_many(rows):
            self._seen.append(seconds / rows)

    def foreseen(self, rows: int) -> float:
        """Seconds; 0 where none was seen yet, and for few rows, which take next to nothing."""
        return rows * fmean(self._seen) if self._seen and are_many(rows) else 0.0


LAST_PARTS: Final = LastParts()


@dataclass(frozen=True, slots=True)
class Foreseen:
    """``sources`` are asked; ``parts`` are counted, None where too little is known of what they have."""

    sources: int
    parts: int | None = None

    @property
    def kind(self) -> str:
        """Reports that ask as many sources side by side take about as long for a part."""
        return str(self.sources)


Foresee = Callable[[Asked], Awaitable[Foreseen]]


def foreseer(federation: Federation, making: Making) -> Foresee:
    """What foresees with the buffer of this federation."""

    async def foresee(asked: Asked) -> Foreseen:
        kept = await federation.kept(asked.broad(federation.register), asked.platforms, REPORTS)
        lanes = [
            Lane(key, [_page(kept[key])] if key in kept else [])
            for key in (one.platform.key for one in federation.chosen(asked.platforms))
        ]
        if 2 * len(kept) <= len(lanes):
            return Foreseen(len(lanes))
        return Foreseen(len(lanes), still_to_come(lanes, making.most_hits, making.most_texts) + len(kept) + LAST)

    return foresee


def _page(result: SearchResult | None) -> HitsPart:
    if result is None:
        return HitsPart(failed=True, not_supported=True)
    return HitsPart(hits=result.hits, total=result.total, has_more=result.has_more)
