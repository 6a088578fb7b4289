"""Reports and a desk that holds them in memory, to test what shows them without what makes them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta

from besluitbron.composition import Reach
from connectors.platforms import OPEN_RAADSINFORMATIE, OPENBESLUITVORMING, OPENTK, RECHTSPRAAK, TWEEDE_KAMER, Platform
from connectors.records import (
    Certainty,
    DateMeaning,
    Filter,
    Hit,
    Kind,
    Moment,
    Note,
    NoteCode,
    TextState,
    Total,
)
from connectors.voting import VoteGroup, Votes
from reports.doors import Reception, Terms
from reports.exceptions import DeskClosedError, WishRefusedError
from reports.exports.pressing import Press
from reports.filed import Filed
from reports.overview import overview
from reports.records import (
    Cut,
    CutReason,
    Excerpt,
    PlatformFound,
    Reading,
    Report,
    ReportStatus,
    Standing,
    Wish,
)
from search.federation import Federation
from throttling.once import Once

NOW = datetime(2026, 11, 30, 13, 27, tzinfo=UTC)
TOKEN = "AbCdEfGhIjKlMnOpQrStUvWxYz012345"
TARGET = "vraag=warmtenet&organisatie=gemeente-ede"


def a_hit(number: int, platform: Platform = OPENBESLUITVORMING, body: str = "Gemeente Ede", **more: object) -> Hit:
    made = Hit(
        platform=platform.key,
        upstream_id=f"stuk-{number}",
        title=f"Voorstel warmtenet {number}",
        organisation=body,
        organisation_id=body.lower().replace(" ", "-"),
        kind=Kind.VOORSTEL,
        kind_at_source="Raadsvoorstel",
        date=Moment(date(2026 - number % 4, 1 + number % 12, 1 + number % 28), DateMeaning.MEETING),
        snippet=f"De raad besluit over het warmtenet, deel {number}.",
        address=f"https://bron.example/stukken/{number}",
        original=f"https://bron.example/stukken/{number}.pdf",
        fetched_at=NOW - timedelta(minutes=5),
    )
    return replace(made, **more)  # type: ignore[arg-type]


def a_reading(hit: Hit, **more: object) -> Reading:
    made = Reading(
        hit=hit.id,
        state=TextState.FULL,
        dates=(Moment(date(2026, 2, 3), DateMeaning.DOCUMENT),),
        passages=4,
        excerpts=(
            Excerpt(3, True, "Besluit", "… over het warmtenet in de wijk Veldhuizen …", ("warmtenet",)),
            Excerpt(7, False, "", "Kosten van het Warmtenet …", ("Warmtenet",)),
        ),
    )
    return replace(made, **more)  # type: ignore[arg-type]


VOTES = Votes(
    "aangenomen", "Met algemene stemmen aangenomen", 20, 11, (VoteGroup("CDA", 12, 0), VoteGroup("VVD", 8, 11))
)


def a_report(
    hits: Iterable[Hit] | None = None, readings: Iterable[Reading] | None = None, target: str = TARGET, **more: object
) -> Report:
    """Three bodies; of a thing that two platforms have, a vote, a text that failed, and one that was not read."""
    if hits is None:
        shared = a_hit(1, same_as=("nummer:1",))
        other = a_hit(2, OPEN_RAADSINFORMATIE, same_as=("nummer:1",), title="Voorstel: warmtenet")
        hits = [
            *(shared, other, a_hit(3), a_hit(4, body="Gemeente Soest"), a_hit(5, body="Gemeente Soest", date=None)),
            a_hit(6, TWEEDE_KAMER, "Tweede Kamer", kind=Kind.MOTIE, kind_at_source="Motie"),
        ]
    hits = tuple(hits)
    if readings is None:
        given = {hit.upstream_id: hit for hit in hits}
        readings = [
            a_reading(given["stuk-1"], votes=VOTES),
            a_reading(given["stuk-3"], failure="OpenBesluitvorming antwoordt nu niet op tijd."),
            a_reading(given["stuk-6"], state=TextState.PARTIAL, passages=0, excerpts=()),
        ]
    found = overview(hits, {one.hit: one for one in readings})
    totals = (
        PlatformFound(
            platform="openbesluitvorming",
            total=Total(1200, Certainty.ESTIMATE),
            taken=4,
            fetched_at=NOW - timedelta(minutes=5),
            notes=(Note(NoteCode.TITLES_ONLY),),
            ignored=(Filter.KIND,),
        ),
        PlatformFound(
            platform="tweede-kamer", total=Total(1, Certainty.EXACT), taken=1, fetched_at=NOW - timedelta(minutes=4)
        ),
    )
    made = Report(
        wish=Wish(target),
        asked_at=NOW - timedelta(minutes=9),
        made_at=NOW - timedelta(minutes=2),
        version="0.1.0",
        most_hits=500,
        most_texts=200,
        totals=totals,
        overview=found,
        cuts=(
            Cut("rechtspraak", CutReason.FAILED, ("Rechtspraak is nu niet bereikbaar.",)),
            Cut("openbesluitvorming", CutReason.MOST_HITS),
            Cut("openbesluitvorming", CutReason.UNREAD, ("1",)),
            Cut("openbesluitvorming", CutReason.MOST_TEXTS, ("3",)),
        ),
        sources=(OPENBESLUITVORMING.key, TWEEDE_KAMER.key, RECHTSPRAAK.key),
    )
    return replace(made, **more)  # type: ignore[arg-type]


def a_big_report(count: int = 500) -> Report:
    """As large as a report can be: hits of fifty bodies, two of five with their text."""
    hits = [
        a_hit(number, OPENTK if number % 3 else OPENBESLUITVORMING, f"Gemeente {number % 50}")
        for number in range(count)
    ]
    return a_report(hits, [a_reading(hit) for hit in hits[: count * 2 // 5]])


def a_standing(status: ReportStatus = ReportStatus.WAITS, **more: object) -> Standing:
    made = Standing(
        token=TOKEN,
        wish=Wish(TARGET),
        status=status,
        asked_at=NOW - timedelta(minutes=9),
        kept_until=NOW + timedelta(days=14),
        version="0.1.0",
        now=NOW,
    )
    return replace(made, **more)  # type: ignore[arg-type]


@dataclass(slots=True)
class MemoryDesk:
    """A desk that says what a test put in it. What goes wrong: ``refuses``, ``closed`` and ``loses_…``."""

    standings: dict[str, Standing] = field(default_factory=dict)
    reports: dict[str, Report] = field(default_factory=dict)
    files: dict[tuple[str, str], Filed] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)
    refuses: WishRefusedError | None = None
    closed: bool = False
    loses_answers: bool = False
    loses_contents: bool = False

    def put(self, standing: Standing, report: Report | None = None) -> str:
        """Have this report; gives its token."""
        self.standings[standing.token] = standing
        if report is not None:
            self.reports[standing.token] = report
        return standing.token

    async def ask(self, wish: Wish, requester: str) -> Standing:
        self._open()
        if self.refuses is not None:
            raise self.refuses
        self.asked.append((wish.target, requester))
        standing = self.standings.setdefault(TOKEN, replace(a_standing(), wish=wish, place=3, start_in=290.0))
        self._answer()
        return standing

    async def standing(self, token: str) -> Standing | None:
        self._open()
        return self.standings.get(token)

    async def report(self, token: str) -> Report | None:
        self._open()
        if self.loses_contents:
            raise DeskClosedError
        return self.reports.get(token)

    async def file(self, token: str, form: str) -> Filed | None:
        self._open()
        return self.files.get((token, form))

    async def cancel(self, token: str) -> Standing | None:
        self._open()
        self.cancelled.append(token)
        if (known := self.standings.get(token)) and not known.status.is_final:
            self.standings[token] = replace(known, status=ReportStatus.CANCELLED)
        self._answer()
        return self.standings.get(token)

    def _open(self) -> None:
        if self.closed:
            raise DeskClosedError

    def _answer(self) -> None:
        if self.loses_answers:
            raise DeskClosedError(unsure=True)


DESKS: list[MemoryDesk] = []
"""The desk of each product that was started, the last one last."""


@asynccontextmanager
async def open_memory_reception(reach: Reach, federation: Federation) -> AsyncIterator[Reception]:
    """A product's reception without a database; its forms are those of the product."""
    desk = MemoryDesk()
    DESKS.append(desk)
    try:
        yield Reception(desk=desk, spent=Once(reach.store), terms=Terms, press=Press())
    finally:
        DESKS.remove(desk)


def ready(report: Report | None = None, **more: object) -> tuple[Standing, Report]:
    """A report that can be read."""
    made = report or a_report()
    return a_standing(ReportStatus.READY, wish=made.wish, finished_at=made.made_at, **more), made
