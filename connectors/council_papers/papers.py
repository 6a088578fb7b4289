"""What the generator makes: meetings with an agenda, papers, motions with votes. Frozen values of no platform in particular.

``native`` is the id that the supplier of the body would give: a number, or a UUID at iBabs. A platform's stand-in builds its
own ids from it. Moments are in UTC.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from connectors.council_papers.bodies import Body

MARK = "Voorbeeldstuk, geen echt besluit."
TITLE_MARK = "(voorbeeldstuk, geen echt besluit)"


class Form(StrEnum):
    """What kind of paper it is; the value is the word for it at a municipality."""

    AGENDA = "agenda"
    DECISIONS = "besluitenlijst"
    REPORT = "verslag"
    PROPOSAL = "raadsvoorstel"
    LETTER = "raadsbrief"
    QUESTIONS = "schriftelijke vragen"
    ANSWER = "beantwoording"
    MOTION = "motie"
    AMENDMENT = "amendement"
    ATTACHMENT = "bijlage"


class Availability(StrEnum):
    """Whether a paper can still be had."""

    PUBLIC = "openbaar"
    WITHDRAWN = "ingetrokken"
    CLASSIFIED = "geheim"


class Result(StrEnum):
    """The outcome of a motion; the values are the closed list of OpenBesluitvorming."""

    ADOPTED = "aangenomen"
    REJECTED = "verworpen"
    WITHDRAWN = "ingetrokken"
    HELD_OVER = "aangehouden"


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """One document.

    ``pages`` is its Markdown by page, empty where a file has no text that can be read. ``source_pages`` is the true number of
    pages. ``meetings`` are the native ids of the meetings that discussed it, first to last; ``motion`` that of the motion whose
    text it is. ``date`` is None where nobody knows it.
    """

    native: str
    body: Body
    form: Form
    title: str
    file_name: str
    content_type: str
    pages: tuple[str, ...]
    date: datetime | None
    modified: datetime | None
    topic: str
    meetings: tuple[str, ...] = ()
    motion: str | None = None
    source_pages: int | None = None
    availability: Availability = Availability.PUBLIC
    escaped_twice: bool = False

    @property
    def text(self) -> str:
        """The whole text, pages joined by a blank line."""
        return "\n\n".join(self.pages)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgendaItem:
    """One item of an agenda. ``papers`` are native ids; ``items`` the items below it."""

    native: str
    title: str
    order: int
    number: str = ""
    is_heading: bool = False
    description: str = ""
    start: datetime | None = None
    end: datetime | None = None
    papers: tuple[str, ...] = ()
    items: tuple[AgendaItem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """One meeting with its agenda. ``motions`` are native ids."""

    native: str
    body: Body
    title: str
    start: datetime
    end: datetime
    agenda: tuple[AgendaItem, ...]
    motions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Vote:
    """The vote of one seat: ``seat`` counts within the party. Nobody is named."""

    party: str
    seat: int
    in_favour: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion:
    """One motion or amendment. ``status`` is the supplier's wording of ``result``; ``paper`` the native id of its text."""

    native: str
    body: Body
    is_amendment: bool
    title: str
    status: str
    result: Result
    date: datetime
    meeting: str
    agenda_item: str
    agenda_hint: str
    parties: tuple[str, ...]
    votes: tuple[Vote, ...]
    paper: str | None

    @property
    def name(self) -> str:
        """The title without the mark."""
        return self.title.removesuffix(f" {TITLE_MARK}")

    @property
    def in_favour(self) -> int:
        """The number of votes in favour."""
        return sum(vote.in_favour for vote in self.votes)

    @property
    def against(self) -> int:
        """The number of votes against."""
        return len(self.votes) - self.in_favour

    def parties_that_voted(self, *, in_favour: bool) -> tuple[str, ...]:
        """The names of the parties that voted so, in the order of their first vote."""
        return tuple(dict.fromkeys(vote.party for vote in self.votes if vote.in_favour is in_favour))


@dataclass(frozen=True, slots=True)
class CouncilPapers:
    """Everything the generator made, in a fixed order."""

    meetings: tuple[Meeting, ...]
    papers: tuple[Paper, ...]
    motions: tuple[Motion, ...]

    def __len__(self) -> int:
        return len(self.meetings) + len(self.papers) + len(self.motions)
