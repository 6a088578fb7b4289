"""What is kept of the platforms' lists and Laadstatus, for pages, API and tools. The composition root gives the real one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from connectors.records import ListItem, LoadState


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
