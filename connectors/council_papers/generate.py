"""From the schedule to meetings, papers and motions that fit together."""

from __future__ import annotations

from datetime import UTC
from random import Random

from connectors.council_papers import papers_of_meeting
from connectors.council_papers.desk import FIRST_POINT, Desk, Draft, chance
from connectors.council_papers.dossiers import open_dossier
from connectors.council_papers.identities import Identities
from connectors.council_papers.oddities import with_oddities
from connectors.council_papers.papers import TITLE_MARK, CouncilPapers, Form, Meeting
from connectors.council_papers.papers_of_meeting import Sitting
from connectors.council_papers.schedule import Planned, plan
from connectors.council_papers.wording import long_date

_AGENDA_AS_PAPER, _DECISIONS_NOT_REPORT = 50, 60


def generate(seed: int) -> CouncilPapers:
    """All meetings, papers and motions of a seed."""
    dice = Random(f"council papers {seed}")  # noqa: S311 - the same papers every time is the purpose
    identities = Identities(dice)
    meetings, desks = [], []
    for planned in plan(dice):
        desk = Desk(dice, identities, planned)
        meetings.append(_meeting(desk))
        desks.append(desk)
    papers = tuple(paper for desk in desks for paper in desk.papers)
    motions = tuple(motion for desk in desks for motion in desk.motions)
    return with_oddities(CouncilPapers(tuple(meetings), papers, motions), identities)


def _meeting(desk: Desk) -> Meeting:
    planned = desk.planned
    points, items = [], []
    for number, topic in enumerate(planned.topics, FIRST_POINT):
        dossier = open_dossier(desk.dice, planned.body, topic, planned.start)
        point, item = desk.point(dossier, number)
        points.append(point)
        items.append(item)
    sitting = Sitting(planned.name or "vergadering", desk.start, planned.end.astimezone(UTC), tuple(points))
    general = tuple(desk.file(draft) for draft in _general_drafts(desk, sitting))
    return Meeting(
        native=desk.native,
        body=planned.body,
        title=_title(planned),
        start=sitting.start,
        end=sitting.end,
        agenda=desk.agenda(general, tuple(items)),
        motions=tuple(motion.native for motion in desk.motions),
    )


def _title(planned: Planned) -> str:
    """The title of a meeting; where the supplier gives none, the platform makes one of the time (field report 10)."""
    if not planned.name:
        return f"Vergadering {planned.start:%Y-%m-%d %H:%M:%S}"
    return f"{planned.name} {long_date(planned.start)} {TITLE_MARK}"


def _general_drafts(desk: Desk, sitting: Sitting) -> list[Draft]:
    """The papers of the meeting as a whole: often an agenda, always decisions or a report."""
    day = long_date(sitting.start)
    drafts = []
    if chance(desk.dice, _AGENDA_AS_PAPER):
        pages = papers_of_meeting.agenda(sitting)
        drafts.append(Draft(Form.AGENDA, "", f"Agenda {sitting.name} {day}", pages, 12))
    if chance(desk.dice, _DECISIONS_NOT_REPORT):
        pages = papers_of_meeting.decisions(sitting)
        drafts.append(Draft(Form.DECISIONS, "", f"Besluitenlijst {sitting.name} {day}", pages, -6))
    else:
        drafts.append(Draft(Form.REPORT, "", f"Verslag {sitting.name} {day}", papers_of_meeting.report(sitting), -6))
    return drafts
