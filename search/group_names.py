"""The names of fracties and committees that a question can choose by, from the kept lists of the platforms that can."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from connectors.connector import Connector
from connectors.records import Group, ListItem
from search.kept import Kept

_LISTS: Final = {Group.PARTY: "fracties", Group.COMMITTEE: "commissies"}
_SECONDS: Final = 3600.0
_SHORT: Final = re.compile(r"^(?P<name>.+?)(?: \((?P<short>[^()]+)\))?(?:, (?:sinds |tot )?\d\d-\d\d-\d{4}.*)?$")


@dataclass(frozen=True, slots=True)
class Named:
    """A fractie or committee: as a question asks for it, and its whole name."""

    asked: str
    full: str


class GroupNames:
    """What was read last, for an hour. When it cannot be read, what was known stands: names only help to fill in a field."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self._names: dict[Group, tuple[Named, ...]] = {}
        self._until = 0.0
        self._reading = asyncio.Lock()

    async def names(self, group: Group, connectors: Sequence[Connector]) -> tuple[str, ...]:
        """The names of ``group`` in order of the alphabet, as they are asked for."""
        return tuple(dict.fromkeys(one.asked for one in await self.listed(group, connectors)))

    async def listed(self, group: Group, connectors: Sequence[Connector]) -> tuple[Named, ...]:
        """The same with the whole names. None when the platform was never asked for its list."""
        loop = asyncio.get_running_loop()
        async with self._reading:
            if loop.time() >= self._until:
                with contextlib.suppress(Exception):  # the reader has logged it
                    self._names = {one: await self._read(one, connectors) for one in _LISTS}
                self._until = loop.time() + _SECONDS
        return self._names.get(group, ())

    async def _read(self, group: Group, connectors: Sequence[Connector]) -> tuple[Named, ...]:
        able = [one.platform.key for one in connectors if group in one.capabilities.groups]
        rows = [row for key in able for row in await self._kept.rows(key, _LISTS[group])]
        found = {Named(asked_as(row, group), _full(row)) for row in rows}
        return tuple(sorted(found, key=lambda one: (one.asked.casefold(), one.full)))


def _full(row: ListItem) -> str:
    found = _SHORT.match(row.name)
    return found["name"] if found else row.name


def asked_as(row: ListItem, group: Group) -> str:
    """How a question names it. A vote names a fractie by its abbreviation; a committee is found by any part of its name."""
    found = _SHORT.match(row.name)
    if found is None:
        return row.name
    return (found["short"] if group is Group.PARTY else "") or found["name"]
