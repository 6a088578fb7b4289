"""From what the board says to what the page ``/status`` prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from types import MappingProxyType
from typing import Final

from connectors.coverage import Coverage
from connectors.language import later, say
from connectors.load_status import LoadState
from connectors.moments import AMSTERDAM
from connectors.platforms import PLATFORMS, Origin, Platform
from connectors.records import Organisation
from search import texts
from search.board import BoardNow, Fares, ServiceNow
from search.canary_words import canary_alarms, canary_words
from search.held import first_day, held
from search.kept import KeptStatus, Looked, by_body
from search.limit_words import limit_words
from search.load_picture import SILENT, Picture, Span, coverage, covered, day_of, freshness, tells_of_papers, years
from search.load_words import BODIES, PARTS, Naming, in_dutch, register_words
from search.loading import named
from search.service_versions import ending_words, version_words
from search.status_alarms import Basis, basis_words, dated, load_alarms, load_basis

_FARES: Final[Mapping[Fares, str]] = MappingProxyType(
    {
        Fares.FREE: later("vrij"),
        Fares.QUEUED: later("er wachten vragen"),
        Fares.RESTS: later("rust, want de bron vroeg daarom"),
        Fares.BROKEN: later("storing: de bron gaf steeds geen antwoord"),
        Fares.CLOSED: later("gesloten door een storing bij ons"),
        Fares.OFF: later("uitgezet door de beheerder"),
        Fares.NEW: later("nog niets gevraagd"),
        Fares.UNKNOWN: later("niet te zien"),
    }
)
_ORIGINS: Final[Mapping[str, str]] = MappingProxyType({Origin.ASSUMED.value: later("door ons aangenomen")})
"""Origins in other words than the data has: "aangenomen" is what a vote can be as well."""
_WELL: Final = frozenset({Fares.FREE, Fares.QUEUED, Fares.NEW})


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceView:
    """One service of a platform. ``version``: what we speak and until when; ``ending``: that this ends soon or should have."""

    name: str
    fares: str
    well: bool
    waiting: int
    under_way: int
    last: str
    limit: str
    origin: str
    source: str
    told: str
    version: str
    ending: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RowView:
    """One body or supplier in a Laadstatus."""

    name: str
    state: str
    success: str
    newest: str
    documents: str
    coverage: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadView:
    """The Laadstatus of one platform. ``caption`` is of the bars in ``fresh``; ``all_of`` says how many rows there are.

    ``basis``: by what it is known whether the platform still loads anything.
    """

    sentence: str
    naming: Naming = BODIES
    caption: str = ""
    all_of: str = ""
    basis: Basis = Basis.NOT_GIVEN
    alarms: tuple[str, ...] = ()
    suppliers: tuple[RowView, ...] = ()
    rows: tuple[RowView, ...] = ()
    fresh: Picture | None = None
    coverage: Picture | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformView:
    """One platform: its services and its Laadstatus, the years that are known of its bodies.

    ``canary``: how the daily question that must find something went; empty where none is asked.
    ``registers``: which registers the platform says it has, or that it does not say so; empty without a Laadstatus.
    """

    platform: Platform
    services: tuple[ServiceView, ...]
    load: LoadView
    canary: str
    registers: str
    years: Picture | None
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusView:
    """The page: when it was made, what asks for attention, of which platforms that is known at all, and each platform."""

    at: str
    at_machine: str
    alarms: tuple[str, ...]
    basis: tuple[str, ...]
    platforms: tuple[PlatformView, ...]


def status_view(board: BoardNow, bodies: tuple[Organisation, ...], gives: frozenset[str], at: datetime) -> StatusView:
    """The page at ``at``. ``gives``: the platforms that have a Laadstatus."""
    found = tuple(_platform(one, board, bodies, at, gives=one.key in gives) for one in PLATFORMS)
    alarms = _own(board)
    alarms += [f"{one.platform.name}: {alarm}" for one in found for alarm in one.load.alarms]
    alarms += canary_alarms(board.canaries, at)
    alarms += [
        say(
            "{platform}, dienst {service}: {fares}.",
            platform=one.platform.name,
            service=service.name,
            fares=service.fares,
        )
        for one in found
        for service in one.services
        if not service.well
    ]
    alarms += [
        say(
            "{platform}, dienst {service}: {said}",
            platform=one.platform.name,
            service=service.name,
            said=service.ending,
        )
        for one in found
        for service in one.services
        if service.ending
    ]
    return StatusView(
        at=_when(at),
        at_machine=at.isoformat(timespec="seconds"),
        alarms=tuple(alarms),
        basis=tuple(basis_words([(one.platform.name, one.load.basis) for one in found])),
        platforms=found,
    )


def _own(board: BoardNow) -> list[str]:
    """What is missing on our own side."""
    if board.no_reports_since is None:
        return []
    return [
        say(
            "Rapporten: de machine die rapporten maakt, geeft sinds {moment} geen teken van leven. Wie een rapport vraagt, "
            "moet wachten tot zij er weer is. Zoeken kan gewoon.",
            moment=_when(board.no_reports_since),
        )
    ]


def _platform(
    platform: Platform, board: BoardNow, bodies: tuple[Organisation, ...], at: datetime, *, gives: bool
) -> PlatformView:
    lists = dict(board.contacts).get(platform.key)
    load = next((one for one in board.load or () if one.platform == platform.key), None)
    today = at.astimezone(AMSTERDAM).date()
    spans = tuple(_spans(platform.key, bodies, load, today, by_body(board.years)))
    return PlatformView(
        platform=platform,
        services=tuple(_service(one, lists, today) for one in board.services if one.platform == platform.key),
        load=_load(load, bodies, at, gives=gives, readable=board.load is not None),
        canary=canary_words(next((one for one in board.canaries if one.platform == platform.key), None)),
        registers=register_words(dict(board.registers).get(platform.key, ())) if gives else "",
        years=years(spans, today),
        spans=spans,
    )


def _spans(
    key: str, bodies: Iterable[Organisation], load: KeptStatus | None, today: date, looked: Looked
) -> Iterator[Span]:
    """The bodies of which the first year is known, with the last where that is: as ``search.held`` tells at every door."""
    statuses = {key: load.organisations} if load else {}
    for body in bodies:
        if first_day(key, body.id, looked) is None:
            continue
        for one in held(body, statuses, today, looked):
            if one.platform == key and one.first:
                yield Span(body.name, one.first, one.last)


def _service(one: ServiceNow, lists: datetime | None, today: date) -> ServiceView:
    until = f", {say('waarschijnlijk tot {time}', time=texts.clock(one.until))}" if one.until else ""
    said = f": {one.off}" if one.off else ""
    if one.last:
        last = _when(one.last)
    elif lists:
        last = say("{moment}, voor haar lijsten", moment=_when(lists))
    else:
        last = say("niet in het laatste halve uur")
    return ServiceView(
        name=one.key,
        fares=f"{say(_FARES[one.fares])}{until}{said}",
        well=one.fares in _WELL,
        waiting=one.waiting,
        under_way=one.under_way,
        last=last,
        limit=limit_words(one),
        origin=say(_ORIGINS.get(one.origin, one.origin)),
        source=one.source,
        told=one.told,
        version=version_words(one.interface),
        ending=ending_words(one.interface, today),
    )


def _load(
    load: KeptStatus | None, bodies: tuple[Organisation, ...], at: datetime, *, gives: bool, readable: bool
) -> LoadView:
    if not gives:
        return LoadView(sentence=say("Deze bron zegt niet hoe actueel zij haar organisaties heeft."))
    if not readable:
        return LoadView(
            sentence=say("Wat we van deze bron bewaarden, kunnen we nu niet lezen. Dat ligt aan ons."),
            basis=Basis.UNKNOWN,
            alarms=(say("we kunnen haar Laadstatus nu niet lezen. Of zij stil is, weten we niet."),),
        )
    if load is None or load.fetched_at is None or load.generated_at is None:
        why = f" {say(load.failure)}" if load and load.failure else ""
        return LoadView(
            sentence=f"{say('De Laadstatus van deze bron is hier nog niet opgehaald.')}{why}",
            basis=Basis.UNKNOWN,
            alarms=(say("haar Laadstatus is hier nog niet opgehaald. Of zij stil is, weten we niet."),),
        )
    naming = _naming(load, bodies)
    old = f" {say('Verversen mislukte de laatste keer.')} {say(load.failure)}" if load.failure else ""
    return LoadView(
        sentence=say(
            "Gemaakt door de bron op {made}, opgehaald op {fetched}.",
            made=_when(load.generated_at),
            fetched=_when(load.fetched_at),
        )
        + old,
        basis=load_basis(load, at),
        alarms=tuple(load_alarms(load, naming, at)),
        suppliers=tuple(_row(row) for row in load.suppliers),
        rows=tuple(_row(row) for row in sorted(load.organisations, key=lambda row: row.label.casefold())),
        fresh=freshness(load.organisations, load.generated_at, at, naming.many),
        caption=_caption(load, load.generated_at, at, naming),
        coverage=coverage(load.organisations),
        naming=naming,
        all_of=naming.of(len(load.organisations)),
    )


def _naming(load: KeptStatus, bodies: tuple[Organisation, ...]) -> Naming:
    """Bodies, unless there are rows and the register knows none of them: then the platform lists its own parts."""
    rows = named(((row, None) for row in load.organisations), load.platform, bodies)
    return BODIES if not load.organisations or any(body for _, body in rows) else PARTS


def _caption(load: KeptStatus, made: datetime, at: datetime, naming: Naming) -> str:
    """What the bars count, and of when the list is where that is not about now."""
    words = (
        later("Aantal {many}, naar hoe oud hun nieuwste stuk is. Wanneer zij laadde, zegt deze bron niet.")
        if tells_of_papers(load.organisations)
        else later("Aantal {many}, naar wanneer de bron ze voor het laatst bijwerkte.")
    )
    told = say(words, many=say(naming.many))
    if at - made <= SILENT:
        return told
    list_of = say("Dit komt uit een lijst van {day}. Wat de bron daarna bijwerkte, weten we niet.", day=dated(made))
    return f"{told} {list_of}"


def _row(row: LoadState) -> RowView:
    last = day_of(row.last_content)
    return RowView(
        name=row.label,
        state=in_dutch(row.state),
        success=_when(row.last_success) if row.last_success else say("nooit of onbekend"),
        newest=texts.day(last) if last else say("onbekend"),
        documents=texts.number(row.documents) if row.documents is not None else say("onbekend"),
        coverage=_covered(row.coverage) if row.coverage else say("onbekend"),
    )


def _covered(one: Coverage) -> str:
    said = say(
        "{part}: {held} van {supplied}",
        part=covered(one),
        held=texts.number(one.held),
        supplied=texts.number(one.supplied),
    )
    if one.first is None or one.last is None:
        return said
    return say(
        "{said}, stukken van {first} tot en met {last}", said=said, first=texts.day(one.first), last=texts.day(one.last)
    )


def _when(moment: datetime) -> str:
    return f"{dated(moment)}, {texts.clock(moment)}"
