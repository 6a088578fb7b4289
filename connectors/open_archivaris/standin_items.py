"""What the stand-in keeps: generated papers in the proposed shape (platform page, section 5). Nobody is named.

Most are papers that OpenBesluitvorming and Open Raadsinformatie have too, at the same original address. Others stand here
alone, as an archive keeps what vanished: of bodies that merged away the original is gone, at an address that can never exist.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from typing import Any, Final

from connectors.addresses import Addresses, PlatformMode
from connectors.council_papers import DEFAULT_SEED, council_papers
from connectors.council_papers.bodies import Body, BodyType
from connectors.council_papers.markdown import plain
from connectors.council_papers.originals import original_address
from connectors.council_papers.papers import TITLE_MARK, Availability, Form, Paper
from connectors.moments import AMSTERDAM
from connectors.names import register_id
from connectors.open_archivaris.field_map import proposed
from connectors.open_archivaris.organisations import KEY, Bodies
from connectors.platforms import OPEN_ARCHIVARIS
from connectors.records import BodyKind

_OTHER_SEED: Final = 1998
"""The papers that stand here alone."""
_ARCHIVED_AGAIN: Final = frozenset({"boxmeer", "weesp", "ede", "texel", "vechtstromen"})
_ONE_IN_LEFT_OUT: Final = 7
_NEWEST: Final = datetime(2026, 11, 20, 6, 0, tzinfo=AMSTERDAM)
_BOARDS: Final[Mapping[BodyType, tuple[str, str]]] = {
    BodyType.GEMEENTE: ("College van burgemeester en wethouders", "Griffie"),
    BodyType.PROVINCIE: ("Gedeputeerde Staten", "Statengriffie"),
    BodyType.WATERSCHAP: ("Dagelijks bestuur", "Bestuursondersteuning"),
}
_BY_THE_BOARD: Final = frozenset({Form.PROPOSAL, Form.LETTER, Form.ANSWER, Form.ATTACHMENT})
_BY_A_PARTY: Final = frozenset({Form.MOTION, Form.AMENDMENT, Form.QUESTIONS})


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """One paper as the archive keeps it. ``texts`` is its text by page; ``gone`` when the original is there no more."""

    id: str
    paper: Paper
    title: str
    code: str
    created: date | None
    archived: datetime
    original: str
    gone: bool
    texts: tuple[str, ...]

    @property
    def author(self) -> str:
        """The body or party that wrote it."""
        board, clerk = _BOARDS[self.paper.body.type]
        if self.paper.form in _BY_A_PARTY:
            parties = self.paper.body.parties
            return f"Fractie {parties[zlib.crc32(self.id.encode()) % len(parties)].name}"
        return board if self.paper.form in _BY_THE_BOARD else clerk


@dataclass
class Archive:
    """Everything that is kept. ``pages`` is the root address of our own pages, to which links lead."""

    pages: str

    @cached_property
    def by_id(self) -> Mapping[str, Kept]:
        """What is public, by id."""
        return {kept.id: kept for kept in self._all}

    @cached_property
    def withdrawn(self) -> frozenset[str]:
        """The ids of what was public or should never have been. Nothing else of it is served."""
        hidden = (paper for paper in council_papers().papers if paper.availability is not Availability.PUBLIC)
        return frozenset(identifier(DEFAULT_SEED, paper) for paper in hidden)

    @cached_property
    def bodies(self) -> tuple[Body, ...]:
        """The bodies of which something is kept, by key."""
        found = {kept.paper.body.key: kept.paper.body for kept in self._all}
        return tuple(found[key] for key in sorted(found))

    @cached_property
    def _all(self) -> tuple[Kept, ...]:
        return (*self._shared(), *self._alone())

    def _shared(self) -> Iterator[Kept]:
        for paper in council_papers().papers:
            is_odd = paper.form is Form.ATTACHMENT
            left_out = not is_odd and zlib.crc32(paper.native.encode()) % _ONE_IN_LEFT_OUT == 0
            if paper.availability is Availability.PUBLIC and not left_out:
                yield _kept(DEFAULT_SEED, paper, original_address(paper, self.pages))

    def _alone(self) -> Iterator[Kept]:
        papers = [
            paper
            for paper in council_papers(_OTHER_SEED).papers
            if paper.body.key in _ARCHIVED_AGAIN and paper.form is not Form.ATTACHMENT
        ]
        scan = next(paper.native for paper in papers if paper.body.key == "texel")
        for paper in papers:
            if paper.body.ended:
                kept = _kept(
                    _OTHER_SEED, paper, f"https://raad.{paper.body.key}.example/stukken/{paper.file_name}", gone=True
                )
            else:
                kept = _kept(_OTHER_SEED, paper, self.own_page(identifier(_OTHER_SEED, paper)))
            yield _without_text_layer(kept) if paper.native == scan else kept

    def own_page(self, upstream_id: str) -> str:
        """Our own page of an item."""
        return Addresses(PlatformMode.STAND_INS, "", self.pages).own_page(OPEN_ARCHIVARIS, upstream_id)

    def item(self, kept: Kept, snippet: str) -> dict[str, Any]:
        """An item as the proposal has it: every field is there, empty ones as null."""
        body = kept.paper.body
        return {
            "id": kept.id,
            "title": kept.title,
            "author": kept.author,
            "body": {"code": kept.code, "label": body.name, "kind": body.type.value},
            "createdOn": kept.created.isoformat() if kept.created else None,
            "archivedOn": kept.archived.isoformat(),
            "pages": kept.paper.source_pages,
            "pagesSearched": len(kept.texts) if kept.paper.source_pages else None,
            "originalUrl": kept.original,
            "originalGone": kept.gone,
            "archiveUrl": self.own_page(kept.id),
            "mime": kept.paper.content_type,
            "sha256": hashlib.sha256("\f".join((kept.id, *kept.texts)).encode()).hexdigest(),
            "snippet": snippet,
        }


def identifier(seed: int, paper: Paper) -> str:
    """The id of a paper: the same in every process. Twelve digits leave no two papers the same (a test looks)."""
    digest = hashlib.sha256(f"{seed} {paper.body.key} {paper.native}".encode()).digest()
    return f"oa-{int.from_bytes(digest[:8]) % 10**10:010}"


def code_of(body: Body) -> str:
    """The code under which the stand-in has a body: what our own list asks it by."""
    own_id = register_id(BodyKind(body.type.value), body.name) or body.key
    return _CODES.get(own_id) or own_id


_CODES: Final = {body.id: body.key_at(KEY) for body in Bodies(proposed()).shipped}


def _kept(seed: int, paper: Paper, original: str, *, gone: bool = False) -> Kept:
    made = paper.modified or paper.date
    created = made.astimezone(AMSTERDAM).date() if made else None
    own_id = identifier(seed, paper)
    return Kept(
        id=own_id,
        paper=paper,
        title=paper.title,
        code=code_of(paper.body),
        created=created,
        archived=_archived(own_id, created, paper.body.ended),
        original=original,
        gone=gone,
        texts=tuple(map(plain, paper.pages)),
    )


def _archived(own_id: str, created: date | None, ended: date | None) -> datetime:
    """Some weeks after a paper was made, in the early morning; of a body that ended before its end."""
    day = (created or date(2020, 1, 1)) + timedelta(days=20 + zlib.crc32(own_id.encode()) % 60)
    day = min(day, ended - timedelta(days=1)) if ended else day
    return min(datetime.combine(day, time(6, 0), AMSTERDAM), _NEWEST)


def _without_text_layer(kept: Kept) -> Kept:
    """A scan of which no letter was recognised: its pages are there and empty. As its text bears no mark, its title does."""
    return replace(kept, title=f"{kept.title} (scan) {TITLE_MARK}", texts=("",) * len(kept.texts))


def last_success(body: Body) -> datetime | None:
    """When a body was last loaded: last night, long ago where the import stopped, never after its end."""
    if not body.imported:
        return None
    at = datetime(2026, 11, 28, 2, zlib.crc32(body.key.encode()) % 60, tzinfo=UTC)
    return datetime.combine(body.ended, time(2, 0), UTC) - timedelta(days=1) if body.ended else at
