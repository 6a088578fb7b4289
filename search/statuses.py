"""What is kept of what platforms hold, as a page needs it: read once a minute at most, and never worth an error."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from connectors.load_status import LoadState
from connectors.platforms import PLATFORMS
from search.kept import NOT_LOOKED, Kept, Looked, by_body

_SECONDS: Final = 60.0
_KEYS: Final = tuple(platform.key for platform in PLATFORMS)
Rows = Mapping[str, tuple[LoadState, ...]]
"""The state of each organisation, by platform."""
_NONE: Final[Rows] = MappingProxyType({})


class Statuses:
    """What was read last, for a minute. When it cannot be read, what was known stands."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self._rows = _NONE
        self._looked = NOT_LOOKED
        self._until = 0.0
        self._reading = asyncio.Lock()

    async def rows(self) -> Rows:
        """The rows by platform."""
        await self._read()
        return self._rows

    async def looked(self) -> Looked:
        """The years that were looked up, at whatever door."""
        await self._read()
        return self._looked

    async def _read(self) -> None:
        loop = asyncio.get_running_loop()
        if loop.time() < self._until:
            return
        async with self._reading:
            if loop.time() >= self._until:
                with contextlib.suppress(Exception):  # the reader has logged it; a page without years is a page
                    found = await self._kept.load_status(_KEYS)
                    self._rows = MappingProxyType({one.platform: one.organisations for one in found})
                    self._looked = by_body(await self._kept.years())
                self._until = loop.time() + _SECONDS
