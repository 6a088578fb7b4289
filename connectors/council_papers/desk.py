"""The desk of one meeting: it makes the papers, motions and agenda items of that meeting, and hands out their ids."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from random import Random

from connectors.council_papers import papers_of_dossier, votes
from connectors.council_papers.bodies import Body, Supplier
from connectors.council_papers.dossiers import Dossier
from connectors.council_papers.identities import Identities, Thing
from connectors.council_papers.papers import MARK, TITLE_MARK, AgendaItem, Form, Motion, Paper, Result
from connectors.council_papers.papers_of_meeting import Point
from connectors.council_papers.schedule import Planned

PDF = "application/pdf"
FIRST_POINT = 5
_HEADS = (
    "Duidelijkheid over {onderwerp}",
    "Bewoners betrekken bij {onderwerp}",
    "Tempo maken met {zaak}",
    "Grip op {zaak}",
    "Aandacht voor {onderwerp}",
    "Een volgende stap met {zaak}",
    "Heldere afspraken over {onderwerp}",
    "Geen vrijblijvendheid rond {zaak}",
)
_UNDECIDED = (Result.HELD_OVER, Result.WITHDRAWN)
# How often in a hundred a subject has one; about four in ten motions have no text (platform page, section 6).
_LETTER, _QUESTIONS, _MOTION, _AMENDMENT, _WITH_TEXT, _UNDECIDED_SHARE = 35, 30, 80, 25, 65, 12


@dataclass(frozen=True, slots=True)
class Draft:
    """A paper before it is filed. ``days`` is how long before the meeting it was last changed, negative for after it."""

    form: Form
    topic: str
    title: str
    pages: tuple[str, ...]
    days: int


def file_stem(title: str) -> str:
    """A title as the name of a file."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9]+", "-", plain).strip("-")[:80]


def chance(dice: Random, percent: int) -> bool:
    """True in ``percent`` of a hundred throws."""
    return dice.randrange(100) < percent


@dataclass(slots=True)
class Desk:
    """Makes what belongs to one meeting, and keeps it in ``papers`` and ``motions``."""

    dice: Random
    identities: Identities
    planned: Planned
    native: str = ""
    papers: list[Paper] = field(default_factory=list)
    motions: list[Motion] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.native = self.new(Thing.MEETING)

    @property
    def body(self) -> Body:
        """The body that meets."""
        return self.planned.body

    @property
    def start(self) -> datetime:
        """The start in UTC."""
        return self.planned.start.astimezone(UTC)

    def new(self, thing: Thing) -> str:
        """A new id."""
        return self.identities.next(thing, self.body, self.start)

    def file(self, draft: Draft) -> Paper:
        """Make a paper of a draft."""
        paper = Paper(
            native=self.new(Thing.PAPER),
            body=self.body,
            form=draft.form,
            title=draft.title,
            file_name=f"{file_stem(draft.title)}.pdf",
            content_type=PDF,
            pages=draft.pages,
            date=self.start,
            modified=self.start - timedelta(days=draft.days, minutes=self.dice.randrange(20, 400)),
            topic=draft.topic,
            meetings=(self.native,),
            source_pages=len(draft.pages),
        )
        self.papers.append(paper)
        return paper

    def point(self, dossier: Dossier, number: int) -> tuple[Point, AgendaItem]:
        """One subject: its papers and motions, and the item of the agenda on which they hang."""
        papers = [self.file(draft) for draft in self._drafts(dossier)]
        motions = tuple(
            self._motion(dossier, number, is_amendment=is_amendment)
            for is_amendment, percent in ((False, _MOTION), (True, _AMENDMENT))
            if chance(self.dice, percent)
        )
        begin = self.start + timedelta(minutes=30 + 45 * (number - FIRST_POINT))
        item = AgendaItem(
            native=self.new(Thing.AGENDA_ITEM),
            title=dossier.title,
            order=number * 10,
            number=f"{number}.",
            description=self._described(dossier.wording.general("agenda_toelichting", 1)[0]),
            start=begin,
            end=begin + timedelta(minutes=40),
            papers=tuple(paper.native for paper in papers),
            items=tuple(
                AgendaItem(native=motion.agenda_item, title=motion.title, order=number * 10 + place)
                for place, motion in enumerate(motions, 1)
            ),
        )
        return Point(number, dossier, motions), item

    def agenda(self, general: tuple[Paper, ...], points: tuple[AgendaItem, ...]) -> tuple[AgendaItem, ...]:
        """The tree: fixed items, a heading with the subjects below it, the closing. The first item carries the mark."""
        first = AgendaItem(
            native=self.new(Thing.AGENDA_ITEM),
            title="Opening",
            order=1,
            number="1.",
            description=self._described(MARK),
            papers=tuple(paper.native for paper in general),
        )
        fixed = [
            AgendaItem(native=self.new(Thing.AGENDA_ITEM), title=title, order=order, number=f"{order}.")
            for order, title in enumerate(("Mededelingen", "Ingekomen stukken", "Hamerstukken"), 2)
        ]
        heading = AgendaItem(
            native=self.new(Thing.AGENDA_ITEM), title="Bespreekstukken", order=40, is_heading=True, items=points
        )
        closing = f"{FIRST_POINT + len(points)}."
        return (
            first,
            *fixed,
            heading,
            AgendaItem(native=self.new(Thing.AGENDA_ITEM), title="Sluiting", order=90, number=closing),
        )

    def _described(self, text: str) -> str:
        """A description as the supplier gives it: Notubiz sends HTML (platform page, section 3.2)."""
        return f"<p>{text}</p>" if self.body.supplier is Supplier.NOTUBIZ else text

    def _drafts(self, dossier: Dossier) -> list[Draft]:
        topic = dossier.topic.key
        title = f"{dossier.form_word(Form.PROPOSAL)} {dossier.title}"
        drafts = [Draft(Form.PROPOSAL, topic, title, papers_of_dossier.proposal(dossier), 14)]
        if chance(self.dice, _LETTER):
            title = f"{dossier.form_word(Form.LETTER)} {dossier.title}"
            drafts.append(Draft(Form.LETTER, topic, title, papers_of_dossier.letter(dossier), 20))
        if chance(self.dice, _QUESTIONS):
            party = self.dice.choice(self.body.parties).name
            asked = papers_of_dossier.ask(dossier)
            subject = f"chriftelijke vragen {party} over {dossier.title}"
            question = papers_of_dossier.questions(dossier, asked, party)
            answer = papers_of_dossier.answer(dossier, asked, party)
            drafts.append(Draft(Form.QUESTIONS, topic, f"S{subject}", question, 40))
            drafts.append(Draft(Form.ANSWER, topic, f"Beantwoording s{subject}", answer, 9))
        return drafts

    def _motion(self, dossier: Dossier, number: int, *, is_amendment: bool) -> Motion:
        kind = "Amendement A" if is_amendment else "Motie M"
        title = f"{kind}{number} {dossier.wording.fill(self.dice.choice(_HEADS))}"
        parties = tuple(party.name for party in self.dice.sample(self.body.parties, self.dice.randrange(1, 4)))
        cast = votes.cast(self.dice, self.body, parties)
        undecided = chance(self.dice, _UNDECIDED_SHARE)
        result = self.dice.choice(_UNDECIDED) if undecided else votes.outcome(cast)
        native = self.new(Thing.MOTION)
        paper = self._motion_text(dossier, native, title, parties) if chance(self.dice, _WITH_TEXT) else None
        motion = Motion(
            native=native,
            body=self.body,
            is_amendment=is_amendment,
            title=title if paper else f"{title} {TITLE_MARK}",
            status=votes.status(self.body, result, is_amendment=is_amendment),
            result=result,
            date=self.start,
            meeting=self.native,
            agenda_item=self.new(Thing.AGENDA_ITEM),
            agenda_hint=f"{self.planned.name} {self.planned.start:%-d-%-m-%Y}\\n{number} {dossier.title}",
            parties=parties,
            votes=() if undecided else cast,
            paper=paper.native if paper else None,
        )
        self.motions.append(motion)
        return motion

    def _motion_text(self, dossier: Dossier, motion: str, title: str, parties: tuple[str, ...]) -> Paper:
        """The text of a motion as a paper that hangs on it."""
        is_motion = title.startswith("Motie")
        write = papers_of_dossier.motion if is_motion else papers_of_dossier.amendment
        form = Form.MOTION if is_motion else Form.AMENDMENT
        paper = self.file(Draft(form, dossier.topic.key, title, write(dossier, title, parties), 1))
        self.papers[-1] = replace(paper, motion=motion)
        return self.papers[-1]
