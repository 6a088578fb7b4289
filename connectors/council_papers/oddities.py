"""What is odd on purpose: the quirks that the platform pages and the field reports name, each at a fixed body.

The native ids of these papers are fixed, so that stand-ins and tests find them. Odd meetings (just after midnight, around the
changes of the clock, without a name) stand in ``schedule.py``.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from connectors.council_papers.bodies import BODY_BY_KEY
from connectors.council_papers.identities import Identities, Thing
from connectors.council_papers.papers import (
    MARK,
    TITLE_MARK,
    Availability,
    CouncilPapers,
    Form,
    Meeting,
    Paper,
)

PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
LARGE_REPORT_PAGES = 908
READ_PAGES = 40

UNDATED = "13165092"
SPACED_APART = "9082001"
ESCAPED_TWICE = "9082002"
WITHDRAWN = "9082003"
CLASSIFIED = "9082004"
LARGE_REPORT = "9081908"
OFFICE_FILE = "5c2f7a10-3b4d-4e6f-9a8b-0c1d2e3f4a5b"

_CHAPTERS = (
    (
        "bodem en grondwater",
        "Op elf plaatsen is een boring gezet; drie monsters bevatten meer zink dan de achtergrondwaarde.",
    ),
    ("verkeer", "In de ochtendspits neemt de stroom auto's op de rondweg met ongeveer zes procent toe."),
    ("geluid", "Bij de eerste rij woningen is een scherm van twee meter nodig om aan de norm te voldoen."),
    ("luchtkwaliteit", "De concentratie fijnstof blijft langs alle onderzochte wegen onder de grenswaarde."),
    ("natuur", "In twee gevels zijn verblijfplaatsen van de gewone dwergvleermuis gevonden."),
    ("archeologie", "Voor het oostelijke deel geldt een hoge verwachting; daar wordt vooraf gegraven."),
    ("trillingen", "Tijdens het heien worden meters geplaatst bij alle panden binnen vijftig meter."),
    ("leidingen", "De hogedrukleiding ligt op ruime afstand, zodat er geen beperkingen gelden."),
    ("sociale veiligheid", "De onderdoorgang krijgt verlichting en vrij zicht van begin tot eind."),
    ("kosten", "De raming is opgesteld op prijspeil van dit jaar en bevat een post onvoorzien."),
)


def with_oddities(made: CouncilPapers, identities: Identities) -> CouncilPapers:
    """The same papers with the oddities among them."""
    papers = list(made.papers)
    meetings = {meeting.native: meeting for meeting in made.meetings}
    for paper, is_listed in _odd_papers(made):
        papers.append(paper)
        if is_listed:
            _list_on(meetings, paper.meetings[0], paper.native)
    _discuss_twice(papers, meetings)
    silent = _meeting_without_agenda(identities)
    return CouncilPapers((*meetings.values(), silent), tuple(papers), made.motions)


def _odd_papers(made: CouncilPapers) -> list[tuple[Paper, bool]]:
    """Each odd paper, and whether the agenda of its meeting lists it."""

    def like(key: str, native: str, title: str) -> Paper:
        base = next(p for p in made.papers if p.body.key == key and p.form is Form.PROPOSAL)
        return replace(base, native=native, title=title, file_name=f"{native}.pdf", form=Form.ATTACHMENT)

    undated = like("baarn", UNDATED, f"{UNDATED}.pdf")
    spaced = like("alkmaar", SPACED_APART, "Toelichting bij het voorstel (gescand)")
    escaped = like("ede", ESCAPED_TWICE, "Notitie kosten & baten")
    remark = "De afweging van kosten & baten staat in hoofdstuk 3; bedragen < € 1.000 zijn weggelaten."
    return [
        (replace(undated, date=None, modified=None, meetings=()), False),
        (replace(spaced, pages=tuple(_spaced_apart(page) for page in spaced.pages)), True),
        (
            replace(escaped, pages=(*escaped.pages, remark), escaped_twice=True, source_pages=len(escaped.pages) + 1),
            True,
        ),
        (replace(like("ermelo", WITHDRAWN, "Memo bij het voorstel"), availability=Availability.WITHDRAWN), False),
        (replace(like("ermelo", CLASSIFIED, "Bijlage ramingen"), availability=Availability.CLASSIFIED), True),
        (_large_report(like("alkmaar", LARGE_REPORT, "Milieueffectrapport met bijlagen")), True),
        (_office_file(like("texel", OFFICE_FILE, f"Presentatie havenvisie {TITLE_MARK}.pptx")), True),
    ]


def _spaced_apart(page: str) -> str:
    """The text as some PDFs give it: the first letter of a longer word stands apart ("T weede", field report 23)."""
    head, mark, rest = page.rpartition(MARK)
    return head + mark + re.sub(r"\b(\w)(\w{4,})", r"\1 \2", rest)


def _large_report(paper: Paper) -> Paper:
    """A report of 908 pages of which 40 were read (field report 22)."""
    pages = []
    for number in range(1, READ_PAGES + 1):
        chapter, finding = _CHAPTERS[(number - 1) % len(_CHAPTERS)]
        pages.append(
            f"## {number}. Deelonderzoek {chapter}\n\nDit deel beschrijft het onderzoek naar {chapter}, ronde "
            f"{(number - 1) // len(_CHAPTERS) + 1}. {finding} De meetgegevens staan in de tabellen achter in dit rapport."
        )
    pages[0] = f"{MARK}\n\n# {paper.title}\n\n{pages[0]}"
    return replace(paper, pages=tuple(pages), source_pages=LARGE_REPORT_PAGES)


def _office_file(paper: Paper) -> Paper:
    """A file of which no text is read."""
    return replace(paper, pages=(), content_type=PPTX, file_name=paper.title, source_pages=None)


def _list_on(meetings: dict[str, Meeting], meeting: str, paper: str) -> None:
    """Hang a paper on the first item of a meeting's agenda."""
    found = meetings[meeting]
    first = replace(found.agenda[0], papers=(*found.agenda[0].papers, paper))
    meetings[meeting] = replace(found, agenda=(first, *found.agenda[1:]))


def _discuss_twice(papers: list[Paper], meetings: dict[str, Meeting]) -> None:
    """The first letter of Utrecht comes back in the next meeting there: one paper, with the date of the last meeting."""
    place = next(n for n, paper in enumerate(papers) if paper.body.key == "utrecht" and paper.form is Form.PROPOSAL)
    later = sorted((m for m in meetings.values() if m.body.key == "utrecht"), key=lambda m: m.start)[1]
    paper = papers[place]
    papers[place] = replace(paper, meetings=(*paper.meetings, later.native), date=later.start)
    _list_on(meetings, later.native, paper.native)


def _meeting_without_agenda(identities: Identities) -> Meeting:
    """A meeting of which no agenda is kept."""
    body = BODY_BY_KEY["schagen"]
    start = datetime(2026, 9, 2, 17, 30, tzinfo=UTC)
    return Meeting(
        native=identities.next(Thing.MEETING, body, start),
        body=body,
        title=f"Informatieavond raad 2 september 2026 {TITLE_MARK}",
        start=start,
        end=start + timedelta(hours=2),
        agenda=(),
    )
