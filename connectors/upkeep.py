"""The house's own maintenance: fetching the lists and the Laadstatus of a platform, and checking that it answers as expected.

It runs for the house without a visitor, one platform after another, one call at a time. Nothing here knows a database.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Concatenate, Final, ParamSpec, Protocol, TypeVar

import structlog

from connectors.addresses import Addresses
from connectors.calls import Answer, Ask, Call, Reply
from connectors.checking import why_closed
from connectors.connector import Connector
from connectors.exceptions import ClosedError, NotSupportedError, TooSlowError
from connectors.load_status import LoadStatus
from connectors.platforms import Platform
from connectors.records import CheckResult, Lists

_T = TypeVar("_T")
_P = ParamSpec("_P")
_CHECK_SECONDS: Final = 60.0  # all checks of a platform get this long, or as long as one call may take there
_MOST_DEADLINES: Final = 5  # all calls of one list together may take this many times what one call may take
log = structlog.get_logger(__name__)

Tell = Callable[[float], None]
"""Told how many seconds there are to wait for what earlier maintenance used."""


class House(Protocol):
    """What maintenance works with; made by the composition root."""

    @property
    def connectors(self) -> tuple[Connector, ...]:
        """All connectors in use."""
        ...

    def is_off(self, platform: Platform) -> bool:
        """Whether this platform has no address here, and so is not asked."""
        ...

    def at(self, platform: Platform, tell: Tell) -> AbstractAsyncContextManager[Ask]:
        """Calls at one platform, past the buffer, for the house without a visitor; one maintenance at a time."""
        ...


class Verdict(StrEnum):
    """The outcome of the checks at one platform."""

    GOOD = "goed"
    BAD = "fout"
    NOT_ASKED = "niet-gevraagd"
    OFF = "uit"


VERDICT_WORDS: Final = {
    Verdict.GOOD: "in orde",
    Verdict.BAD: "niet zoals verwacht",
    Verdict.NOT_ASKED: "niet gevraagd",
    Verdict.OFF: "staat uit: er is geen adres ingesteld",
}


@dataclass(frozen=True, slots=True)
class Checked:
    """What the checks at one platform gave. ``is_ours``: nothing could be asked because of a fault of our own."""

    platform: Platform
    verdict: Verdict
    results: tuple[CheckResult, ...] = ()
    is_ours: bool = False

    @property
    def words(self) -> str:
        """The verdict in Dutch."""
        return VERDICT_WORDS[self.verdict]


@dataclass(frozen=True, slots=True)
class Fetched:
    """Lists, and whether the platform was asked for them: one that gives none has those that the project ships."""

    lists: Lists
    asked: bool


def is_off(platform: Platform, addresses: Addresses) -> bool:
    """Whether no service of this platform has an address."""
    return not any(addresses.base(platform, service) for service in platform.services)


def unheard(seconds: float) -> None:
    """Nobody needs to know of a wait."""
    del seconds


async def fetch_lists(house: House, connector: Connector) -> Fetched:
    """The lists as the platform gives them now. Raises the failures of ``connectors.exceptions``."""
    async with house.at(connector.platform, unheard) as ask:
        counted = _Counted(ask)
        try:
            lists = await bounded(connector.platform, connector.lists(counted))
        except NotSupportedError:
            lists = Lists(connector.organisations())
        return Fetched(lists, asked=counted.calls > 0)


async def fetch_load_status(house: House, connector: Connector) -> LoadStatus:
    """The Laadstatus as the platform gives it now. Raises the failures of ``connectors.exceptions``."""
    async with house.at(connector.platform, unheard) as ask:
        return await bounded(connector.platform, connector.load_status(ask))


async def check_all(house: House, connectors: Iterable[Connector], tell: Tell = unheard) -> AsyncIterator[Checked]:
    """The outcome of each platform, one after another."""
    for connector in connectors:
        yield await check_one(house, connector, tell)


async def check_one(house: House, connector: Connector, tell: Tell = unheard) -> Checked:
    """The checks at one platform; together they get a minute, or as long as one call may take. Nothing is raised."""
    platform = connector.platform
    if house.is_off(platform):
        return Checked(platform, Verdict.OFF)
    seconds = max(platform.deadline, _CHECK_SECONDS)
    try:
        async with house.at(platform, tell) as ask, asyncio.timeout(seconds):
            results = await connector.check(ask)
    except ClosedError as closed:
        results = (CheckResult("Controle", ok=False, seen=why_closed(closed)),)
        return Checked(platform, Verdict.NOT_ASKED, results, is_ours=closed.is_ours)
    except TimeoutError:
        late = f"niet klaar binnen {seconds:g} seconden; daarna is niet verder gekeken"
        results = (CheckResult("Controle", ok=False, seen=late),)
    except Exception:  # a fault of ours in one connector must not hide what the others say
        log.exception("check_broken", platform=platform.key)
        results = (CheckResult("Controle", ok=False, seen="aan onze kant ging iets mis; zie het logboek"),)
    good = bool(results) and all(result.ok for result in results)
    return Checked(platform, Verdict.GOOD if good else Verdict.BAD, results)


class _Counted:
    """An ``ask`` that counts."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self.calls = 0

    async def __call__(
        self, call: Call, parse: Callable[Concatenate[Answer, _P], _T], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> Reply[_T]:
        self.calls += 1
        return await self._ask(call, parse, *args, **kwargs)


async def bounded(platform: Platform, work: Awaitable[_T]) -> _T:
    """What ``work`` gives within what all calls of one list may take. Raises ``TooSlowError`` after that."""
    seconds = platform.deadline * _MOST_DEADLINES
    try:
        async with asyncio.timeout(seconds):
            return await work
    except TimeoutError:
        raise TooSlowError(platform.key, seconds) from None
