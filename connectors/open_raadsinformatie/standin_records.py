"""Generated papers in the shape of the platform's records (platform page, section 3). What is empty has no key.

Partly the same papers as at OpenBesluitvorming, so that one meeting and one file exist at both. All links lead to our own
document pages; nobody is named. What was withdrawn or is secret is not among them.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from functools import cache, cached_property
from html import escape
from typing import Any, Final

from connectors.addresses import Addresses, PlatformMode
from connectors.council_papers.bodies import Body, Supplier
from connectors.council_papers.markdown import plain
from connectors.council_papers.oddities import SPACED_APART
from connectors.council_papers.originals import original_address
from connectors.council_papers.papers import AgendaItem, Availability, CouncilPapers, Meeting, Motion, Paper, Result
from connectors.moments import AMSTERDAM
from connectors.open_raadsinformatie.documents import MOST_PAGES
from connectors.open_raadsinformatie.organisations import sources
from connectors.open_raadsinformatie.standin_indices import index_of
from connectors.platforms import OPEN_RAADSINFORMATIE

NEWEST: Final = date(2026, 7, 31)
"""The import is some months behind (platform page, section 8)."""
_FIRST_YEAR: Final = {"rotterdam": 2018}
_RESULTS: Final = {Result.ADOPTED: "ResultPassed", Result.REJECTED: "ResultFailed"}
_ROLES: Final = ("Raadslid", "Griffier")
_LAYERS: Final = {"ori": "Municipality", "osi": "Province", "owi": "Water board"}
_CONTEXTS: Final[Mapping[str, Any]] = {
    "has_organization_name": {"@id": "http://www.w3.org/2006/vcard/ns#hasOrganizationName", "@type": "@id"},
    "name": {"@id": "http://schema.org/name"},
    "@base": "https://id.openraadsinformatie.nl/",
}


@dataclass(frozen=True, slots=True)
class Stored:
    """One record as an index holds it."""

    index: str
    number: str
    source: dict[str, Any] = field(repr=False)

    @property
    def record_type(self) -> str:
        """The value of ``@type``."""
        return str(self.source["@type"])


@dataclass
class Archive:
    """All records that the stand-in gives. ``pages`` is the root address of our own pages."""

    made: CouncilPapers
    pages: str
    _numbers: dict[str, str] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)

    @cached_property
    def records(self) -> tuple[Stored, ...]:
        """Every record, in a fixed order."""
        return tuple(self._all())

    @cached_property
    def by_index(self) -> Mapping[str, Mapping[str, Stored]]:
        """The records of each index by number."""
        found: dict[str, dict[str, Stored]] = {}
        for one in self.records:
            found.setdefault(one.index, {})[one.number] = one
        return found

    @cached_property
    def _papers(self) -> Mapping[str, Paper]:
        return {paper.native: paper for paper in self.made.papers if paper.availability is Availability.PUBLIC}

    def number(self, body: Body, kind: str, native: str) -> str:
        """The number of a thing: the same in every process, and no other thing's."""
        key = f"{body.key} {kind} {native}"
        if key not in self._numbers:
            number = 1_000_000 + zlib.crc32(key.encode()) % 8_000_000
            while str(number) in self._taken:
                number += 1
            self._taken.add(str(number))
            self._numbers[key] = str(number)
        return self._numbers[key]

    def _all(self) -> Iterator[Stored]:
        bodies = {meeting.body.key: meeting.body for meeting in self.made.meetings}
        held = {key: body for key, body in bodies.items() if alias_of(body)}
        for body in held.values():
            yield from self._organisations(body)
        for meeting in self.made.meetings:
            if meeting.body.key in held and _is_held(meeting.body, meeting.start):
                yield from self._meeting(meeting)
        for motion in self.made.motions:
            if (
                motion.body.key in held
                and motion.body.supplier is Supplier.IBABS
                and _is_held(motion.body, motion.date)
            ):
                yield self._report(motion)
        for paper in self._papers.values():
            if paper.body.key in held and (paper.date is None or _is_held(paper.body, paper.date)):
                yield from self._files(paper)

    def _stored(self, body: Body, number: str, record_type: str, fields: dict[str, Any]) -> Stored:
        filled = {key: value for key, value in fields.items() if value not in (None, "", [], ())}
        source = {"@context": dict(_CONTEXTS), "@id": number, "@type": record_type, **filled}
        source["has_organization_name"] = self.number(body, "organization", "")
        return Stored(index_of(alias_of(body)), number, source)

    def _organisations(self, body: Body) -> Iterator[Stored]:
        top = self.number(body, "organization", "")
        layer = _LAYERS[alias_of(body)[:3]]
        shown = sources()[alias_of(body)].body.name
        yield self._stored(body, top, "Organization", {"name": shown, "classification": layer})
        groups = [("Council", "Gemeenteraad"), ("Committee", COMMITTEE)]
        groups += [("Party", party.name) for party in body.parties]
        for classification, called in groups:
            fields = {"name": called, "classification": classification, "subOrganizationOf": {"@list": [top]}}
            yield self._stored(body, self.number(body, "organization", called), "Organization", fields)
        yield from self._people(body, top)

    def _people(self, body: Body, top: str) -> Iterator[Stored]:
        """Two persons who do not exist, at every third body: two thirds have none (platform page, section 3)."""
        if zlib.crc32(body.key.encode()) % 3:
            return
        for role in _ROLES:
            person = self.number(body, "person", role)
            called = f"Proefpersoon, {role}"
            yield self._stored(body, person, "Person", {"name": called, "family_name": "Proefpersoon"})
            fields = {"member": person, "organization": top, "role": role}
            yield self._stored(body, self.number(body, "membership", role), "Membership", fields)

    def _meeting(self, meeting: Meeting) -> Iterator[Stored]:
        body, number = meeting.body, self.number(meeting.body, "meeting", meeting.native)
        is_notubiz = body.supplier is Supplier.NOTUBIZ
        items = list(self._items(meeting, meeting.agenda, number))
        top = [one.number for one in items if one.source["parent"] == number]
        yield self._stored(
            body,
            number,
            "Meeting",
            {
                "name": meeting.title,
                "classification": ["Agenda"] if is_notubiz else None,
                "status": "https://argu.co/ns/meeting/EventUnconfirmed" if is_notubiz else None,
                "location": "Raadzaal" if is_notubiz else None,
                "start_date": written(body, meeting.start),
                "end_date": written(body, meeting.end),
                "last_discussed_at": written(body, meeting.start),
                "organization": self.number(body, "organization", ""),
                "committee": self.number(body, "organization", COMMITTEE)
                if meeting.title.startswith("Open ")
                else None,
                "agenda": {"@list": top} if top else None,
                "was_generated_by": self._origin(body, number, "meeting", meeting.native),
            },
        )
        yield from items

    def _items(self, meeting: Meeting, agenda: tuple[AgendaItem, ...], parent: str) -> Iterator[Stored]:
        body = meeting.body
        for one in agenda:
            papers = [native for native in one.papers if native in self._papers]
            number = self.number(body, "agenda_item", one.native)
            if papers or body.supplier is not Supplier.IBABS:  # iBabs: an item without papers is not written
                fields = {
                    "name": one.title,
                    "description": one.description,
                    "position": float(one.order),
                    "parent": parent,
                    "attachment": _one_or_more([self.number(body, "file", native) for native in papers]),
                    "start_date": written(body, one.start or meeting.start),
                    "last_discussed_at": written(body, meeting.start),
                    "was_generated_by": self._origin(body, number, "agenda_item", one.native),
                }
                yield self._stored(body, number, "AgendaItem", fields)
                yield from self._items(meeting, one.items, number)
            else:
                yield from self._items(meeting, one.items, parent)

    def _report(self, motion: Motion) -> Stored:
        number = self.number(motion.body, "report", motion.native)
        paper = motion.paper if motion.paper in self._papers else None
        result = _RESULTS.get(motion.result)
        fields = {
            "name": motion.title,
            "classification": "Amendementen" if motion.is_amendment else "Moties",
            "description": motion.agenda_hint.replace("\\n", ", agendapunt "),
            "start_date": _midnight(motion.date),
            "result": f"http://www.w3.org/ns/opengov#{result}" if result else None,
            "attachment": self.number(motion.body, "file", paper) if paper else None,
            "creator": self.number(motion.body, "organization", motion.parties[0]),
            "was_generated_by": self._origin(motion.body, number, "report", motion.native),
        }
        return self._stored(motion.body, number, "Report", fields)

    def _files(self, paper: Paper) -> Iterator[Stored]:
        """A file, once for each meeting at which it was discussed, with one address."""
        body, first = paper.body, self.number(paper.body, "file", paper.native)
        link = self.own_page(f"{alias_of(body)}:{first}")
        for place in range(max(1, len(paper.meetings))):
            number = first if place == 0 else self.number(body, "file", f"{paper.native} {place}")
            fields = {
                "name": escape(paper.title, quote=False),
                "file_name": paper.file_name,
                "url": link,
                "original_url": original_address(paper, self.pages),
                "content_type": paper.content_type,
                "size_in_bytes": 20_000 + 3 * len(paper.text),
                "is_referenced_by": self._referrer(paper),
                "last_discussed_at": self._discussed(paper, place),
                **_text(paper),
                "was_generated_by": self._origin(body, number, "attachment", paper.native),
            }
            if paper.modified and body.supplier is Supplier.NOTUBIZ:
                fields["date_modified"] = written(body, paper.modified)
            yield self._stored(body, number, "MediaObject", fields)

    def _discussed(self, paper: Paper, place: int) -> str | None:
        if paper.date is None:
            return None
        if paper.motion and paper.body.supplier is Supplier.IBABS:
            return _midnight(paper.date)
        at = self._starts.get(paper.meetings[place]) if paper.meetings else None
        return written(paper.body, at or paper.date)

    @cached_property
    def _starts(self) -> Mapping[str, datetime]:
        return {meeting.native: meeting.start for meeting in self.made.meetings}

    @cached_property
    def _item_of_paper(self) -> Mapping[str, str]:
        found: dict[str, str] = {}

        def walk(items: tuple[AgendaItem, ...]) -> None:
            for one in items:
                for native in one.papers:
                    found.setdefault(native, one.native)
                walk(one.items)

        for meeting in self.made.meetings:
            walk(meeting.agenda)
        return found

    def _referrer(self, paper: Paper) -> str | None:
        if paper.motion and paper.body.supplier is Supplier.IBABS:
            return self.number(paper.body, "report", paper.motion)
        if paper.native in self._item_of_paper:
            return self.number(paper.body, "agenda_item", self._item_of_paper[paper.native])
        return self.number(paper.body, "meeting", paper.meetings[0]) if paper.meetings else None

    def _origin(self, body: Body, number: str, collection: str, native: str) -> dict[str, Any]:
        key = sources()[alias_of(body)].key
        named = "reference_identifier" if collection in {"attachment", "agenda_item"} else "original_identifier"
        return {
            "@context": {"generated": {"@id": "http://www.w3.org/ns/prov#generated"}},
            "@type": "Activity",
            "@id": f"{number}#meta",
            "generated": f"https://id.openraadsinformatie.nl/{number}",
            "same_as": f"https://openbesluitvorming.nl/voc/mapping/{key}/{body.supplier}/{collection}/{native}",
            "started_at_time": "2026-07-02T03:11:08.114020",
            "ended_at_time": "2026-07-02T03:11:12.481920",
            "app_semver": "1.7.4",
            named: native,
        }

    def own_page(self, upstream_id: str) -> str:
        """Our own page of a record: where all links lead."""
        return Addresses(PlatformMode.STAND_INS, "", self.pages).own_page(OPEN_RAADSINFORMATIE, upstream_id)


COMMITTEE: Final = "Commissie Voorbereiding"


def alias_of(body: Body) -> str:
    """The alias of a body; empty for one that the platform does not have (Land van Cuijk)."""
    return _alias_by_key().get(body.key, "")


@cache
def _alias_by_key() -> Mapping[str, str]:
    return {source.key: alias for alias, source in sources().items()}


def written(body: Body, at: datetime) -> str:
    """A moment as the importer of the body's supplier writes it: only Notubiz with its true offset (field report 10)."""
    local = at.astimezone(AMSTERDAM)
    if body.supplier is Supplier.NOTUBIZ:
        return local.isoformat()
    if body.supplier is Supplier.PARLAEUS:
        return local.replace(tzinfo=None).isoformat()
    return local.replace(tzinfo=UTC).isoformat()


def _midnight(at: datetime) -> str:
    return datetime.combine(at.astimezone(AMSTERDAM).date(), time(), UTC).isoformat()


def _is_held(body: Body, at: datetime) -> bool:
    return at.date() <= NEWEST and at.year >= _FIRST_YEAR.get(body.key, 0)


def _one_or_more(numbers: list[str]) -> Any:
    """A relation with one value is a text, with several an array."""
    return numbers[0] if len(numbers) == 1 else numbers


def _text(paper: Paper) -> dict[str, Any]:
    """The text by page, a hundred pages at most; of a scan only what was recognised."""
    pages = paper.pages
    if not pages:
        return {}
    if paper.source_pages and paper.source_pages > len(pages):
        pages = tuple(pages[number % len(pages)] for number in range(min(MOST_PAGES, paper.source_pages)))
    if paper.native == SPACED_APART:
        return {"md_text": list(pages)}
    texts = [f"{plain(page)}\f" for page in pages]
    numbered = [{"text": text, "page_number": number} for number, text in enumerate(texts, start=1)]
    return {"text": texts, "md_text": list(pages), "text_pages": numbered}
