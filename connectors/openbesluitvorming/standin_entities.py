"""Generated papers in the shape of the platform's entities (platform page, section 3.2). What is absent has no key.

All links lead to our own document pages. Nobody is named: proposers and voters are seats of a party.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time
from functools import cached_property
from typing import Any

from connectors.addresses import Addresses, PlatformMode
from connectors.council_papers.bodies import Body, Supplier
from connectors.council_papers.desk import PDF
from connectors.council_papers.papers import AgendaItem, Availability, CouncilPapers, Meeting, Motion, Paper
from connectors.council_papers.wording import long_date
from connectors.openbesluitvorming.standin_catalogue import source_by_key
from connectors.platforms import OPENBESLUITVORMING

UNKNOWN_DATE = "Datum onbekend"
LABELS = {"Meeting": "Vergadering", "Document": "Document", "Motion": "Motie"}
_MOST_MOTIONS = 100


def stamp(moment: datetime) -> str:
    """A moment as the platform writes it: UTC, whole seconds."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def identifier(kind: str, body: Body, native: str) -> str:
    """An id of the platform (platform page, section 4)."""
    return f"{kind}:{source_by_key()[body.key]['sourceRef']}:{native}"


def is_served(paper: Paper) -> bool:
    """Whether the platform still gives the paper; what was withdrawn or classified is a 404 and not in search."""
    return paper.availability is Availability.PUBLIC


def sort_moment(entity: Meeting | Paper | Motion) -> datetime | None:
    """What ``sortDate`` means for each kind (platform page, section 3.1)."""
    if isinstance(entity, Meeting):
        return entity.start
    if isinstance(entity, Motion) and entity.body.supplier is Supplier.IBABS:
        return datetime.combine(entity.date.date(), time(0), UTC)
    return entity.date


def head(kind: str, entity_id: str, entity: Meeting | Paper | Motion) -> dict[str, Any]:
    """The fields that a search result and an entity share."""
    moment = sort_moment(entity)
    shared: dict[str, Any] = {
        "entityId": entity_id,
        "organization": source_by_key()[entity.body.key]["label"],
        "entityType": kind,
        "entityTypeLabel": LABELS[kind],
        "date": long_date(moment) if moment else UNKNOWN_DATE,
    }
    if moment:
        shared["sortDate"] = stamp(moment)
    return {**shared, "title": entity.title}


@dataclass
class Entities:
    """All items that the stand-in gives, by id. ``pages`` is the root address of our own pages."""

    made: CouncilPapers
    pages: str

    @cached_property
    def papers(self) -> Mapping[str, Paper]:
        """The papers by native id."""
        return {paper.native: paper for paper in self.made.papers}

    @cached_property
    def motions(self) -> Mapping[str, Motion]:
        """The motions by native id."""
        return {motion.native: motion for motion in self.made.motions}

    @cached_property
    def by_id(self) -> Mapping[str, Meeting | Paper | Motion]:
        """Everything that is served, by the platform's id."""
        found: dict[str, Meeting | Paper | Motion] = {}
        found |= {identifier("meeting", m.body, m.native): m for m in self.made.meetings}
        found |= {identifier("document", p.body, p.native): p for p in self.made.papers if is_served(p)}
        found |= {identifier("motion", m.body, m.native): m for m in self.made.motions}
        return found

    def own_page(self, entity_id: str) -> str:
        """Our own page of an item: where all links lead."""
        return Addresses(PlatformMode.STAND_INS, "", self.pages).own_page(OPENBESLUITVORMING, entity_id)

    def entity(self, entity_id: str) -> dict[str, Any] | None:
        """The answer of ``/api/entities/{id}``, or None when there is none."""
        match self.by_id.get(entity_id):
            case Meeting() as meeting:
                return self._meeting(entity_id, meeting)
            case Paper() as paper:
                return self._paper(entity_id, paper)
            case Motion() as motion:
                return self._motion(entity_id, motion)
            case None:
                return None

    def _paper(self, entity_id: str, paper: Paper) -> dict[str, Any]:
        found = head("Document", entity_id, paper)
        if paper.modified:
            found |= {"dateModified": long_date(paper.modified), "dateModifiedIso": stamp(paper.modified)}
        found |= self._file(entity_id, paper)
        if paper.motion:
            found["meetingId"] = identifier("motion", paper.body, paper.motion)
        elif paper.meetings:
            found["meetingId"] = identifier("meeting", paper.body, paper.meetings[-1])
        return found

    def _file(self, entity_id: str, paper: Paper) -> dict[str, Any]:
        found: dict[str, Any] = {"markdownText": paper.text} if paper.text else {}
        link = self.own_page(entity_id)
        found |= {"downloadUrl": link, "contentType": paper.content_type}
        if paper.content_type == PDF:
            found["pdfUrl"] = link
        return found

    def _motion(self, entity_id: str, motion: Motion) -> dict[str, Any]:
        found = head("Motion", entity_id, motion)
        if motion.paper:
            paper = self.papers[motion.paper]
            attachment = identifier("document", motion.body, motion.paper)
            found |= {**self._file(attachment, paper), "pdfEntityId": attachment}
        if motion.body.supplier is not Supplier.IBABS:
            found["meetingId"] = identifier("meeting", motion.body, motion.meeting)
        return {**found, "motion": motion_detail(entity_id, motion)}

    def _meeting(self, entity_id: str, meeting: Meeting) -> dict[str, Any]:
        found = head("Meeting", entity_id, meeting)
        found["agenda"] = [self._item(meeting.body, item) for item in meeting.agenda]
        linked = [self._motion_of_meeting(self.motions[native]) for native in meeting.motions[:_MOST_MOTIONS]]
        if linked and meeting.body.supplier is not Supplier.IBABS:
            found["motions"] = linked
        return found

    def _item(self, body: Body, item: AgendaItem, parent: str | None = None) -> dict[str, Any]:
        own = identifier("agenda_item", body, item.native)
        found: dict[str, Any] = {"id": own}
        if parent:
            found["parent"] = parent
        found["title"] = item.title
        found |= {key: value for key, value in (("description", item.description), ("number", item.number)) if value}
        found |= {"order": item.order, "classification": "agenda_point", "is_heading": item.is_heading}
        if item.start and item.end:
            found |= {"start_date": stamp(item.start), "end_date": stamp(item.end)}
        if item.papers:
            found["documents"] = [self._link(self.papers[native]) for native in item.papers]
        if item.items:
            found["agenda_items"] = [self._item(body, child, own) for child in item.items]
        return found

    def _link(self, paper: Paper) -> dict[str, str]:
        own = identifier("document", paper.body, paper.native)
        return {
            "id": own,
            "name": paper.title,
            "file_name": paper.file_name,
            "content_type": paper.content_type,
            "original_url": self.own_page(own),
        }

    def _motion_of_meeting(self, motion: Motion) -> dict[str, Any]:
        found = motion_detail(identifier("motion", motion.body, motion.native), motion)
        if motion.paper:
            link = self.own_page(identifier("document", motion.body, motion.paper))
            found |= {"download_url": link, "attachment_is_pdf": True}
        return found


def motion_detail(entity_id: str, motion: Motion) -> dict[str, Any]:
    """The field ``motion``. Votes by member come from iBabs alone, a summary sometimes from Notubiz (section 6)."""
    found: dict[str, Any] = {
        "id": entity_id,
        "name": motion.title,
        "motion_type": "Amendement" if motion.is_amendment else "Moties",
        "status": motion.status,
        "result": motion.result.value,
        "date": f"{motion.date:%Y-%m-%d}T00:00:00Z",
        "proposers": [f"Lid 1 ({motion.parties[0]})"],
    }
    if len(motion.parties) > 1:
        found["co_proposers"] = [f"Lid 1 ({party})" for party in motion.parties[1:]]
    found["parties"] = list(motion.parties)
    found |= _votes(motion)
    if motion.body.supplier is Supplier.IBABS:
        found["agenda_item_hint"] = motion.agenda_hint
    else:
        found["agenda_item"] = identifier("agenda_item", motion.body, motion.agenda_item)
    if motion.paper:
        found["attachment_id"] = identifier("document", motion.body, motion.paper)
    return found


def _votes(motion: Motion) -> dict[str, Any]:
    if not motion.votes:
        return {}
    if motion.body.supplier is Supplier.NOTUBIZ:
        sides = (("voor", motion.in_favour, True), ("tegen", motion.against, False))
        rows = (
            f"Stemmen {word}: {count} {', '.join(motion.parties_that_voted(in_favour=side))}"
            for word, count, side in sides
        )
        return {"vote_summary": "\n".join(rows)}
    if motion.body.supplier is not Supplier.IBABS:
        return {}
    votes = [
        {
            "option": "voor" if vote.in_favour else "tegen",
            "voter": _made_up("person", motion.body, f"{vote.party} {vote.seat}"),
            "voter_name": f"Lid {vote.seat} ({vote.party})",
            "group": _made_up("party", motion.body, vote.party),
            "group_name": vote.party,
        }
        for vote in motion.votes
    ]
    return {"votes": votes, "tally": {"in_favour": motion.in_favour, "against": motion.against}}


def _made_up(kind: str, body: Body, name: str) -> str:
    """An id for a party or one of its seats, the same every time."""
    return identifier(kind, body, str(uuid.uuid5(uuid.NAMESPACE_DNS, f"{body.key} {name}")))
