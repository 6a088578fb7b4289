"""Whether a source still loads anything, as its own Laadstatus tells (field report 17): by suppliers, by bodies, or by papers.

A list that tells nothing of loading is never read as all being well: what is not known is said to be not known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from connectors.load_status import LoadState
from search.load_picture import SILENT

NO_NEW_PAPER: Final = timedelta(days=4)
"""Where a source does not say when it loaded, its newest paper tells. Nobody meets in a weekend, so this takes longer."""
NO_NEW_PAPER_OF_ONE: Final = timedelta(days=60)
"""One body alone may have a recess of a whole summer."""


class Told(StrEnum):
    """By what it is known when something last came in."""

    LOADING = "geladen"
    PAPERS = "nieuwste stuk"
    NOTHING = "onbekend"


@dataclass(frozen=True, slots=True)
class Lately:
    """When anything last came in of all rows together, and by what that is known; no moment where nothing is."""

    told: Told
    at: datetime | None = None

    def age(self, now: datetime) -> timedelta:
        """How long ago that is. Raises ``ValueError`` where no moment is known."""
        if self.at is None:
            raise ValueError(self.told)
        return now - self.at

    def is_silent(self, now: datetime) -> bool:
        """Whether that is too long ago; false where it is not known."""
        return self.at is not None and self.age(now) > (SILENT if self.told is Told.LOADING else NO_NEW_PAPER)


def lately(rows: Sequence[LoadState], now: datetime) -> Lately:
    """What these rows together tell. A paper that is dated after ``now`` counts for today: meetings are planned ahead."""
    loaded = max((row.last_success for row in rows if row.last_success), default=None)
    if loaded is not None:
        return Lately(Told.LOADING, loaded)
    newest = max((row.last_content for row in rows if row.last_content), default=None)
    return Lately(Told.NOTHING) if newest is None else Lately(Told.PAPERS, min(newest, now))


def has_no_new_paper(row: LoadState, others: Sequence[LoadState], now: datetime) -> bool:
    """Whether a body may lack new papers, at a source that says nothing of when it loaded it.

    So it is when nothing new came in of all bodies of the source (``others``), or nothing of this one for very long.
    """
    if row.last_success is not None or row.last_content is None:
        return False
    whole = lately(others, now)
    return (whole.told is Told.PAPERS and whole.is_silent(now)) or now - row.last_content > NO_NEW_PAPER_OF_ONE
