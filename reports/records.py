"""What a report is made of, and what it says: values without I/O. A report is about documents, never about who asked for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from connectors.records import Filter, Hit, Moment, Note, TextState, Total
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
    NOT_ASKED = "niet-gevraagd"
    """A source that can have nothing of what is asked, such as council papers at the courts; ``values``: what it said."""
    FAILED_LATER = "later-mislukt"
    """A source stopped answering after some pages."""
    MOST_HITS = "meer-treffers"
    """There are more hits than a report holds."""
    NOTHING_NEW = "niets-nieuws"
    """A source says that it has more, and page after page gave nothing new."""
    MOST_PAGES = "meer-bladzijden"
    """A source has more pages than are asked of one; ``values``: how many were."""
    ALIKE = "lijkt-erop"
    """Papers with only a part of the words are left out: a report counts what it holds; ``values``: how many were seen."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformFound:
    """What one platform that answered has. ``total``: what it says it has, ``taken``: how many of its hits the report holds.

    ``notes`` and ``ignored``: what it said of its first answer, as ``SearchResult`` has them.
    """

    platform: str
    total: Total
    taken: int
    fetched_at: datetime
    notes: tuple[Note, ...] = ()
    ignored: tuple[Filter, ...] = ()


@dataclass(frozen=True, slots=True)
class Wish:
    """What a report is of. ``target``: the query string of the search page's address (``Asked.address``), without ``pagina``.

    Nothing of who asks is in it, and no ``repr`` shows it.
    """

    target: str = field(repr=False)


class ReportStatus(StrEnum):
    """How it stands with a report: one list for page and API."""

    REQUESTED = "aangevraagd"
    """It has its turn, and no worker began yet."""
    WAITS = "wacht"
    UNMANNED = "wacht-op-de-machine"
    """No worker is there, as far as anybody can tell: it begins, or goes on, when there is one again."""
    BUSY = "bezig"
    READY = "klaar"
    REFUSED = "geweigerd"
    FAILED = "mislukt"
    CANCELLED = "geannuleerd"

    @property
    def is_final(self) -> bool:
        """Whether nothing more follows."""
        return self in {self.READY, self.REFUSED, self.FAILED, self.CANCELLED}


class Reason(StrEnum):
    """Why there is no report."""

    HOUR = "uur"
    """As many in an hour as one requester may (rule L12)."""
    FULL = "vol"
    """It is too busy without any report (rule L8)."""
    WAIT = "wacht"
    """It would wait, or waited, longer than may be (rule L6)."""
    QUEUE = "rij"
    """As many are asked for as may be at once, by all together."""
    NO_WORKER = "geen-werker"
    """It waited longer than may be (rule L6), because no worker was there."""
    NOTHING = "niets-te-zoeken"
    """No words and no filter, or something that cannot be read as a question."""
    TOO_LONG = "te-lang"
    """The question is longer than may be."""
    WORKERS = "werkers-weg"
    """Its workers ended too often before it was done (rule L10)."""
    NO_SOURCE = "geen-bron"
    """None of the platforms gave an answer."""
    STORE = "opslag-weg"
    """The store forgot that it was asked for."""
    DISK = "schijf"
    """What was made could not be written: the disk is full, or the database was away."""
    STOPPED = "gestopt"
    """An operator ended it."""
    DURATION = "duurt-te-lang"
    """A worker was at it for longer than may be."""
    BROKEN = "eigen-fout"
    """A fault of ours."""
    UNKNOWN = "onbekend"
    """Another version said why, in a word that this one does not know; or nobody could say why."""

    @classmethod
    def read(cls, text: str) -> Reason:
        """What was written down as ``text``; ``UNKNOWN`` where only another version knows it."""
        try:
            return cls(text)
        except ValueError:
            return cls.UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A report for one requester as it stands at ``now``.

    ``token``: the unguessable part of its address; no ``repr`` shows it. While it waits ``place`` counts from 1, and it starts
    probably in ``start_in`` seconds, at ``start_at``; None when nobody can tell. ``done`` of ``size`` parts are made.
    ``reason`` and ``come_back_at`` (None: nobody knows, or it makes no sense) go with ``geweigerd`` and ``mislukt``.
    ``kept_until``: when it is removed. ``version``: the version of BesluitBron that made it or makes it.
    ``longest_wait``: after how many minutes of waiting it is refused. ``last_sign``: when its worker last gave a sign of life,
    where another was due since.
    """

    token: str = field(repr=False)
    wish: Wish
    status: ReportStatus
    place: int = 0
    start_in: float | None = None
    start_at: datetime | None = None
    done: int = 0
    size: int = 0
    reason: Reason | None = None
    come_back_at: datetime | None = None
    asked_at: datetime
    finished_at: datetime | None = None
    kept_until: datetime
    version: str
    now: datetime
    longest_wait: int = 30
    last_sign: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A finished report. ``asked_at``: when this requester asked; ``made_at``: when it was ready, for whoever asked first.

    ``most_hits`` and ``most_texts``: the caps it was made under. ``totals``: each platform that answered; ``sources``: the keys
    of all platforms that were asked, in the order of ``PLATFORMS``; what is not there, and why, is in ``cuts``. ``lacks``: the
    forms of which there is no file, as far as is known: of very many rows they are made with the report, or not at all.
    """

    wish: Wish
    asked_at: datetime
    made_at: datetime
    version: str
    most_hits: int
    most_texts: int
    totals: tuple[PlatformFound, ...]
    overview: Overview
    cuts: tuple[Cut, ...]
    sources: tuple[str, ...]
    lacks: frozenset[str] = frozenset()
