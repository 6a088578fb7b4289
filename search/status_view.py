"""From what the board says to what the page ``/status`` prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from types import MappingProxyType
from typing import Final

from connectors.moments import AMSTERDAM
from connectors.platforms import PLATFORMS, Platform
from connectors.records import LoadState, Organisation
from search import texts
from search.board import BoardNow, Fares, LoadNow, ServiceNow
from search.held import state_of
from search.lives import first_papers
from search.load_picture import SILENT, Picture, Span, day_of, freshness, silent_since, years

_FARES: Final[Mapping[Fares, str]] = MappingProxyType(
    {
        Fares.FREE: "vrij",
        Fares.QUEUED: "er wachten vragen",
        Fares.RESTS: "rust, want de bron vroeg daarom",
        Fares.BROKEN: "storing: de bron gaf steeds geen antwoord",
        Fares.CLOSED: "gesloten door een storing bij ons",
        Fares.OFF: "uitgezet door de beheerder",
        Fares.NEW: "nog niets gevraagd",
        Fares.UNKNOWN: "niet te zien",
    }
)
_DAYS_FROM: Final = 72
_WELL: Final = frozenset({Fares.FREE, Fares.QUEUED, Fares.NEW})


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceView:
    """One service of a platform."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class RowView:
    """One body or supplier in a Laadstatus."""

    name: str
    state: str
    success: str
    newest: str
    documents: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadView:
    """The Laadstatus of one platform."""

    sentence: str
    alarms: tuple[str, ...] = ()
    suppliers: tuple[RowView, ...] = ()
    rows: tuple[RowView, ...] = ()
    fresh: Picture | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformView:
    """One platform: its services and its Laadstatus, the years that are known of its bodies."""

    platform: Platform
    services: tuple[ServiceView, ...]
    load: LoadView
    years: Picture | None
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusView:
    """The page: when it was made, what asks for attention, and each platform."""

    at: str
    at_machine: str
    alarms: tuple[str, ...]
    platforms: tuple[PlatformView, ...]


def status_view(board: BoardNow, bodies: tuple[Organisation, ...], gives: frozenset[str], at: datetime) -> StatusView:
    """The page at ``at``. ``gives``: the platforms that have a Laadstatus."""
    found = tuple(_platform(one, board, bodies, at, gives=one.key in gives) for one in PLATFORMS)
    alarms = [f"{one.platform.name}: {alarm}" for one in found for alarm in one.load.alarms]
    alarms += [
        f"{one.platform.name}, dienst {service.name}: {service.fares}."
        for one in found
        for service in one.services
        if not service.well
    ]
    return StatusView(at=_when(at), at_machine=at.isoformat(timespec="seconds"), alarms=tuple(alarms), platforms=found)


def _platform(
    platform: Platform, board: BoardNow, bodies: tuple[Organisation, ...], at: datetime, *, gives: bool
) -> PlatformView:
    lists = dict(board.contacts).get(platform.key)
    load = next((one for one in board.load or () if one.platform == platform.key), None)
    today = at.astimezone(AMSTERDAM).date()
    spans = tuple(_spans(platform.key, bodies, load, today))
    return PlatformView(
        platform=platform,
        services=tuple(_service(one, lists) for one in board.services if one.platform == platform.key),
        load=_load(load, at, gives=gives, readable=board.load is not None),
        years=years(spans, today),
        spans=spans,
    )


def _spans(key: str, bodies: Iterable[Organisation], load: LoadNow | None, today: date) -> Iterator[Span]:
    """The bodies of which the first year is known, with the last where that is."""
    for body in bodies:
        first = first_papers().get((key, body.id))
        if first is not None:
            row = state_of(load.organisations, body.key_at(key) or "", body) if load else None
            last = day_of(row.last_content) if row else None
            yield Span(body.name, first, min(last, today) if last else None)


def _service(one: ServiceNow, lists: datetime | None) -> ServiceView:
    until = f", waarschijnlijk tot {texts.clock(one.until)}" if one.until else ""
    said = f": {one.off}" if one.off else ""
    if one.last:
        last = _when(one.last)
    elif lists:
        last = f"{_when(lists)}, voor haar lijsten"
    else:
        last = "niet in het laatste halve uur"
    return ServiceView(
        name=one.key,
        fares=f"{_FARES[one.fares]}{until}{said}",
        well=one.fares in _WELL,
        waiting=one.waiting,
        under_way=one.under_way,
        last=last,
        limit=one.limit,
        origin=one.origin,
        source=one.source,
        told=one.told,
    )


def _load(load: LoadNow | None, at: datetime, *, gives: bool, readable: bool) -> LoadView:
    if not gives:
        return LoadView(sentence="Deze bron zegt niet hoe actueel zij haar organisaties heeft.")
    if not readable:
        return LoadView(sentence="Wat we van deze bron bewaarden, kunnen we nu niet lezen. Dat ligt aan ons.")
    if load is None or load.fetched_at is None or load.generated_at is None:
        why = f" {load.failure}" if load and load.failure else ""
        return LoadView(sentence=f"De Laadstatus van deze bron is hier nog niet opgehaald.{why}")
    old = f" Verversen mislukte de laatste keer. {load.failure}" if load.failure else ""
    return LoadView(
        sentence=f"Gemaakt door de bron op {_when(load.generated_at)}, opgehaald op {_when(load.fetched_at)}.{old}",
        alarms=tuple(_alarms(load, at)),
        suppliers=tuple(_row(row) for row in load.suppliers),
        rows=tuple(_row(row) for row in sorted(load.organisations, key=lambda row: row.label.casefold())),
        fresh=freshness(load.organisations, load.generated_at),
    )


def _alarms(load: LoadNow, at: datetime) -> Iterator[str]:
    """Who was silent for more than 36 hours at the moment of the Laadstatus, and that the Laadstatus itself is old."""
    assert load.generated_at is not None
    if at - load.generated_at > SILENT:
        yield f"de Laadstatus zelf is {_age(at - load.generated_at)} oud. Hoe het nu is, weten we niet."
    for row in load.suppliers:
        silence = silent_since(row, load.generated_at)
        if silence is timedelta.max:
            yield f"van leverancier {row.label} is geen geslaagde keer bekend."
        elif silence is not None:
            yield f"leverancier {row.label} leverde {_age(silence)} niets. Stukken van zijn organisaties kunnen ontbreken."


def _row(row: LoadState) -> RowView:
    last = day_of(row.last_content)
    return RowView(
        name=row.label,
        state=row.state,
        success=_when(row.last_success) if row.last_success else "nooit of onbekend",
        newest=texts.day(last) if last else "onbekend",
        documents=texts.number(row.documents) if row.documents is not None else "onbekend",
    )


def _age(age: timedelta) -> str:
    hours = int(age.total_seconds() // 3600)
    return f"{hours} uur" if hours < _DAYS_FROM else f"{hours // 24} dagen"


def _when(moment: datetime) -> str:
    return f"{texts.day(moment.astimezone(AMSTERDAM).date())}, {texts.clock(moment)}"
