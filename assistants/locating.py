"""The one document that a tool is asked for, by any id or number that can mean one thing only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from assistants.tool import ToolFailedError, Visit
from connectors.platforms import PLATFORMS
from search.references import Located, candidates, named_platform

_NAMES: Final = {platform.key: platform.name for platform in PLATFORMS}
_NOT_ASKED: Final = "Er is geen bron gevraagd."


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
