"""What a report is made of, and what it says: values without I/O. A report is about documents, never about who asked for it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from connectors.records import Hit, Moment, Note, TextState
from connectors.voting import Votes
from search.same import SameItem


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A stretch of a text around words of the question. ``number`` is its page where ``is_page``, else its part."""

    number: int
    is_page: bool
    heading: str
    text: str
    found: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What reading one document gave. ``hit``: the id of the hit over all platforms. ``failure``: why it could not be read.

    ``passages``: in how many parts of the text words of the question stand; ``excerpts`` are the first of them.
    """

    hit: str
    failure: str = ""
    state: TextState | None = None
    dates: tuple[Moment, ...] = ()
    votes: Votes | None = None
    passages: int = 0
    excerpts: tuple[Excerpt, ...] = ()
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing in a report, as one or more platforms have it. ``reading`` is None when its text was not read."""

    item: SameItem[Hit]
    reading: Reading | None = None

    @property
    def hit(self) -> Hit:
        """The copy to show."""
        return self.item.first

    @property
    def day(self) -> date | None:
        """The day it is placed at; None when no platform says one."""
        return next((hit.date.day for hit in self.item.things if hit.date), None)


@dataclass(frozen=True, slots=True)
class Month:
    """What one body has in one month, newest first. ``first`` is the first day of the month, None without a date."""

    first: date | None
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class BodyPart:
    """What one body has, months newest first. ``id`` is None for a body that the register does not know."""

    id: str | None
    name: str
    months: tuple[Month, ...]

    @property
    def number(self) -> int:
        """How many things it has."""
        return sum(len(month.entries) for month in self.months)


@dataclass(frozen=True, slots=True)
class Overview:
    """A report's contents: bodies by name, and how many things there are by year (years without any in between counted too).

    ``undated``: how many have no date, so no year.
    """

    bodies: tuple[BodyPart, ...]
    years: tuple[tuple[int, int], ...]
    undated: int

    @property
    def number(self) -> int:
        """How many things there are."""
        return sum(body.number for body in self.bodies)


class CutReason(StrEnum):
    """Why something is not in a report, or not whole."""

    FAILED = "mislukt"
    """A source gave no answer; ``values``: what it said."""
    FAILED_LATER = "later-mislukt"
    """A source stopped answering after some pages."""
    MOST_HITS = "meer-treffers"
    """There are more hits than a report holds."""
    MOST_TEXTS = "meer-teksten"
    """There are more texts than are read for a report; ``values``: how many were not."""
    UNREAD = "niet-gelezen"
    """Texts that could not be read; ``values``: how many."""
    WITHOUT_TEXT = "geen-tekst"
    """Documents without a text that can be read; ``values``: how many."""


@dataclass(frozen=True, slots=True)
class Cut:
    """One thing that is not there, of one platform."""

    platform: str
    reason: CutReason
    values: tuple[str, ...] = ()
