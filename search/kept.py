"""What is kept of the platforms' lists and Laadstatus, for pages, API and tools. The composition root gives the real one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from types import MappingProxyType
from typing import Final, Protocol

from connectors.load_status import LoadState
from connectors.records import ListItem


class KeptUnreadableError(Exception):
    """What is kept cannot be read now: our own database does not answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptList:
    """One list of one platform. ``fetched_at`` is None where the project ships it and the platform was never asked.

    ``failure`` says in Dutch why the last refresh failed; empty when it went well.
    """

    platform: str
    name: str
    number: int
    from_platform: bool
    fetched_at: datetime | None
    failure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptStatus:
    """The Laadstatus of one platform as it was last fetched; None for a moment that is not known."""

    platform: str
    generated_at: datetime | None
    fetched_at: datetime | None
    organisations: tuple[LoadState, ...] = ()
    suppliers: tuple[LoadState, ...] = ()
    failure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptYears:
    """What a platform answered when somebody asked for its oldest and newest papers of a body; None where it did not say.

    ``body`` is the id in the register, ``on`` the day of asking. Nothing is kept of who asked, or what for.
    """

    platform: str
    body: str
    first: date | None
    last: date | None
    on: date


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptCanary:
    """What came of the last question to a platform that must always find something. ``at`` is None where none was asked yet.

    ``found`` is None when there was no answer; ``trouble`` is then the kind of failure.
    """

    platform: str
    at: datetime | None = None
    found: int | None = None
    trouble: str = ""


Looked = Mapping[tuple[str, str], KeptYears]
"""What was looked up, by platform and id of the body."""
NOT_LOOKED: Final[Looked] = MappingProxyType({})


def by_body(years: Sequence[KeptYears]) -> Looked:
    """What was looked up, to be found by platform and body."""
    return MappingProxyType({(one.platform, one.body): one for one in years})


class Kept(Protocol):
    """Reads what is kept. Each method raises ``KeptUnreadableError``; none asks a platform anything."""

    async def lists(self, platforms: Sequence[str]) -> tuple[KeptList, ...]:
        """The lists of these platforms, without their rows and without the Laadstatus."""
        ...

    async def rows(self, platform: str, name: str) -> tuple[ListItem, ...]:
        """The rows of one list, in the order of the platform; none when there is no such list."""
        ...

    async def load_status(self, platforms: Sequence[str]) -> tuple[KeptStatus, ...]:
        """The Laadstatus of those of these platforms that gave one."""
        ...

    async def years(self) -> tuple[KeptYears, ...]:
        """The years of bodies that were ever looked up, each platform and body once."""
        ...

    async def canaries(self) -> tuple[KeptCanary, ...]:
        """What came of the last question to each platform that was asked one."""
        ...

    async def keep_years(self, years: Sequence[KeptYears]) -> None:
        """Keep what was looked up, in the place of what was kept of the same platform and body."""
        ...


class NothingKept:
    """Where nothing is kept: a ``Kept`` that says so."""

    async def lists(self, platforms: Sequence[str]) -> tuple[KeptList, ...]:
        """None."""
        del platforms
        return ()

    async def rows(self, platform: str, name: str) -> tuple[ListItem, ...]:
        """None."""
        del platform, name
        return ()

    async def load_status(self, platforms: Sequence[str]) -> tuple[KeptStatus, ...]:
        """None."""
        del platforms
        return ()

    async def years(self) -> tuple[KeptYears, ...]:
        """None."""
        return ()

    async def canaries(self) -> tuple[KeptCanary, ...]:
        """None."""
        return ()

    async def keep_years(self, years: Sequence[KeptYears]) -> None:
        """Forgets them."""
        del years
