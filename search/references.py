"""From what somebody gives as an id, number or address to the documents that it may mean. Makes no call.

An id is ``<platform>:<upstream id>``. How else people write down a paper stands in ``search.notations``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from connectors.connector import Connector
from connectors.platforms import PLATFORMS
from search.notations import own_page, spellings
from search.spelling import fold

_KEYS: Final = frozenset(platform.key for platform in PLATFORMS)


@dataclass(frozen=True, slots=True)
class Located:
    """A document by the connector that has it and its canonical number there."""

    connector: Connector
    upstream_id: str

    @property
    def id(self) -> str:
        """The id over all platforms."""
        return f"{self.connector.platform.key}:{self.upstream_id}"


def candidates(text: str, connectors: Iterable[Connector]) -> tuple[Located, ...]:
    """Everything that ``text`` may be, each once; a platform that is named in it goes before all others."""
    there = {connector.platform.key: connector for connector in connectors}
    found: dict[str, Located] = {}
    for spelling in spellings(text):
        named = _named(spelling, there)
        if named is not None:
            return (named,)
        for connector in there.values():
            upstream_id = connector.canonical_id(spelling)
            if upstream_id is not None:
                one = Located(connector, upstream_id)
                found.setdefault(one.id, one)
    return tuple(found.values())


def _named(spelling: str, there: dict[str, Connector]) -> Located | None:
    """The document whose platform stands before its number, or in the address of our own page."""
    key, _, number = spelling.partition(":")
    pairs = [(_key(key), number.strip()), own_page(spelling) or ("", "")]
    for name, rest in pairs:
        connector = there.get(name)
        upstream_id = connector.canonical_id(rest) if connector and rest else None
        if connector and upstream_id is not None:
            return Located(connector, upstream_id)
    return None


def named_platform(text: str) -> str | None:
    """The key of the platform that an id begins with, also where the rest is no number of it."""
    for spelling in spellings(text):
        for key in (_key(spelling.partition(":")[0]), (own_page(spelling) or ("", ""))[0]):
            if key in _KEYS:
                return key
    return None


def _key(text: str) -> str:
    """A name in the form of the keys of platforms: "Tweede Kamer" is ``tweede-kamer``."""
    return "-".join(fold(text).split())
