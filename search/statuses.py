"""The kept Laadstatus of platforms, as an answer page needs it: read once a minute at most, and never worth an error."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol

from connectors.platforms import PLATFORMS
from connectors.records import LoadState

_SECONDS: Final = 60.0
_KEYS: Final = tuple(platform.key for platform in PLATFORMS)
Rows = Mapping[str, tuple[LoadState, ...]]
"""The state of each organisation, by platform."""
_NONE: Final[Rows] = MappingProxyType({})


class Status(Protocol):
    """The Laadstatus of one platform as it is kept."""

    @property
    def platform(self) -> str:
        """Its key."""
        ...

    @property
    def organisations(self) -> tuple[LoadState, ...]:
        """The state of each organisation."""
        ...


class Keeper(Protocol):
    """Reads what is kept."""

    async def load_status(self, platforms: Sequence[str]) -> Sequence[Status]:
        """The Laadstatus of those of these platforms that gave one."""
        ...


class Statuses:
    """What was read last, for a minute. When it cannot be read, what was known stands."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._rows = _NONE
        self._until = 0.0
        self._reading = asyncio.Lock()

    async def rows(self) -> Rows:
        """The rows by platform."""
        loop = asyncio.get_running_loop()
        if loop.time() < self._until:
            return self._rows
        async with self._reading:
            if loop.time() >= self._until:
                with contextlib.suppress(Exception):  # the keeper has logged it; a page without years is a page
                    found = await self._keeper.load_status(_KEYS)
                    self._rows = MappingProxyType({one.platform: one.organisations for one in found})
                self._until = loop.time() + _SECONDS
        return self._rows
