"""A party or a committee as ``waardelijsten`` gives it, turned into what a platform searches by.

A list names it with its abbreviation and its days ("Democraten 66 (D66), sinds 13-10-1966") and by a key of the platform;
papers carry the abbreviation of a party and the name of a committee. What stands in no list is asked as it was given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from assistants.arguments import fold
from assistants.tool import Arguments, Visit
from connectors.records import Group, ListItem
from search.kept import KeptUnreadableError

_LISTS: Final = {Group.PARTY: "fracties", Group.COMMITTEE: "commissies"}
_DAY: Final = r"\d{2}-\d{2}-\d{4}"
_SHOWN: Final = re.compile(
    r"(?P<name>.+?)(?: \((?P<short>(?:[^()]|\([^()]*\))+)\))?"
    rf"(?:, (?:sinds {_DAY}|tot {_DAY}|{_DAY} tot {_DAY})|, slapend)?"
)


@dataclass(frozen=True, slots=True)
class _Listed:
    """One row of a list: all that may be given for it, and what papers carry."""

    spellings: frozenset[str]
    carried: str


def _listed(row: ListItem, group: Group) -> _Listed:
    shown = _SHOWN.fullmatch(row.name)
    name, short = (shown["name"], shown["short"] or shown["name"]) if shown else (row.name, row.name)
    spellings = frozenset(map(fold, (row.name, name, short)))
    return _Listed(spellings, short if group is Group.PARTY else name)


async def with_groups(given: Arguments, visit: Visit) -> Arguments:
    """The arguments with each party and committee as papers carry it. Reads what is kept, and only when one is given."""
    meant = {group.value: await _meant(given[group.value], group, visit) for group in _LISTS if given.get(group.value)}
    return {**given, **meant}


def said(given: Arguments, read: Arguments) -> Iterator[str]:
    """How a party or a committee was read, where that is not how it was given."""
    for group in _LISTS:
        if given.get(group.value) != read.get(group.value):
            yield f"Gekozen {group.value}: {read[group.value]}."


async def _meant(text: str, group: Group, visit: Visit) -> str:
    """By its key at any source, else by its name where a source can choose by it; as it is when no list is readable."""
    by_name = text
    try:
        for platform in visit.platforms:
            connector = visit.federation.connector(platform)
            able = connector is not None and group in connector.capabilities.groups
            for row in await visit.kept.rows(platform, _LISTS[group]):
                listed = _listed(row, group)
                if row.identifier == text.strip():
                    return listed.carried
                if able and fold(text) in listed.spellings:
                    by_name = listed.carried
    except KeptUnreadableError:
        return text
    return by_name
