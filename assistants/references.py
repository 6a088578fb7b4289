"""From what somebody gives as an id to a document of a connector. One reader for all tools, so that ids go round.

An id is ``<platform>:<upstream id>``. Any other spelling is taken where it can mean one thing only.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from assistants.arguments import fold
from assistants.notations import own_page, spellings
from assistants.tool import ToolFailedError, Visit
from connectors.connector import Connector
from connectors.platforms import PLATFORMS

_NAMES: Final = {platform.key: platform.name for platform in PLATFORMS}
_NOT_ASKED: Final = "Er is geen bron gevraagd."


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
    pairs = [(fold(key), number.strip()), own_page(spelling) or ("", "")]
    for name, rest in pairs:
        connector = there.get(name)
        upstream_id = connector.canonical_id(rest) if connector and rest else None
        if connector and upstream_id is not None:
            return Located(connector, upstream_id)
    return None


def named_platform(text: str) -> str | None:
    """The key of the platform that an id begins with, also where the rest is no number of it."""
    for spelling in spellings(text):
        for key in (fold(spelling.partition(":")[0]), (own_page(spelling) or ("", ""))[0]):
            if key in _NAMES:
                return key
    return None


def locate(text: str, visit: Visit) -> Located:
    """The one document that ``text`` means. Raises ``ToolFailedError`` when it is none, several, or one of another endpoint."""
    everywhere = candidates(text, visit.federation.connectors)
    here = [one for one in everywhere if one.connector.platform.key in visit.platforms]
    if len(here) == 1:
        return here[0]
    if here:
        raise _several(here)
    if everywhere:
        raise elsewhere(everywhere[0].connector.platform.key)
    named = named_platform(text)
    if named is not None and named not in visit.platforms:
        raise elsewhere(named)
    raise _unknown(named)


def elsewhere(key: str) -> ToolFailedError:
    """That an id belongs to a platform for which this endpoint does not speak."""
    return ToolFailedError(
        f"Dit id hoort bij {_NAMES[key]}. Dit adres spreekt alleen voor een andere bron.",
        _NOT_ASKED,
        f"Gebruik `/mcp/{key}/v1`, of `/mcp/unified/v1` voor alle bronnen.",
    )


def _several(choices: Iterable[Located]) -> ToolFailedError:
    ids = " of ".join(f"`{one.id}`" for one in choices)
    return ToolFailedError(f"Dit nummer kan meer dan één stuk zijn: {ids}.", _NOT_ASKED, "Kies er een en geef dat id.")


def _unknown(named: str | None) -> ToolFailedError:
    return ToolFailedError(
        f"Dit is geen nummer van {_NAMES[named]}." if named else "Dit is geen id dat een bron kent.",
        _NOT_ASKED,
        "Geef een id zoals `zoek` het gaf. Hebt u een adres of een ander nummer? Vraag dan `herleid`.",
    )
