"""A question that is nothing but a number or address of a document leads straight to it (field report 30).

An ECLI, the number of a parliamentary paper or an official publication, an address of a platform, in any spelling. The document
is asked for before anybody is sent there, so that a number of nothing ends in a search and not at an empty page.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from connectors.addresses import web_address
from connectors.connector import LooksUp
from connectors.exceptions import ConnectorError, GoneError, NotSupportedError, ReplacedError, TakenDownError
from search.federation import Federation, StillWaitingError
from search.notations import spellings
from search.references import Located, candidates
from throttling.callers import Caller

_WITHOUT_SCHEME: Final = re.compile(r"(?:[a-z0-9-]+\.)+(?:nl|eu)/\S+", re.IGNORECASE | re.ASCII)
_SECONDS: Final = 3.0
"""After this the page of the document goes on waiting, for the same call."""


class Detour(StrEnum):
    """Why a number did not lead to its document."""

    NOT_THERE = "not_there"
    SEVERAL = "several"
    NO_ANSWER = "no_answer"
    UNKNOWN_ADDRESS = "unknown_address"


@dataclass(frozen=True, slots=True)
class Led:
    """Where a question leads: to one document, or nowhere with the reason why. Neither for a question that is no number.

    ``choices``: the documents that it may be, or the ones that could not be looked at.
    """

    document: Located | None = None
    detour: Detour | None = None
    choices: tuple[Located, ...] = field(default=(), repr=False)


async def led(typed: str, federation: Federation, platforms: Sequence[str], caller: Caller) -> Led:
    """Where ``typed`` leads among these platforms (all when there are none). Raises nothing of the platforms."""
    chosen = federation.chosen(platforms)
    typed = f"https://{typed.strip()}" if _WITHOUT_SCHEME.fullmatch(typed.strip()) else typed
    found = candidates(typed, chosen)
    if not found and web_address(typed.strip()):
        found = await _looked_up(typed, federation, tuple(c for c in chosen if isinstance(c, LooksUp)), caller)
        if not found:
            return Led(detour=Detour.UNKNOWN_ADDRESS)
    if not found:
        return Led()
    if len({one.upstream_id for one in found}) > 1:
        return Led(detour=Detour.SEVERAL, choices=found)
    why = Detour.NOT_THERE
    for one in found:  # one number: what the first platform does not have, the next may
        outcome = await _opens(one, federation, caller)
        if outcome is None:
            return Led(one)
        why = outcome if outcome is Detour.NO_ANSWER else why
    return Led(detour=why, choices=found)


async def _opens(one: Located, federation: Federation, caller: Caller) -> Detour | None:
    """None when there is a page to see: the document, what took its place, or that it was taken down or still waits."""
    try:
        async with (
            asyncio.timeout(_SECONDS),
            aclosing(federation.opening(one.connector, one.upstream_id, caller)) as items,
        ):
            await anext(items)
    except (ReplacedError, TakenDownError, StillWaitingError, TimeoutError):
        return None
    except (GoneError, NotSupportedError):
        return Detour.NOT_THERE
    except ConnectorError:
        return Detour.NO_ANSWER
    return None


async def _looked_up(
    typed: str, federation: Federation, connectors: Sequence[LooksUp], caller: Caller
) -> tuple[Located, ...]:
    """What platforms find at an address that does not say itself which document it is."""
    found: list[Located] = []
    for connector in connectors:
        known = federation.connector(connector.platform.key)
        ask = federation.client.bind(connector.platform, caller)
        try:
            async with asyncio.timeout(_SECONDS):
                for spelling in spellings(typed):
                    ids = await connector.look_up(spelling, ask)
                    found += [Located(known, one) for one in ids if known is not None]
                    if ids:
                        break
        except (ConnectorError, TimeoutError):
            continue
    return tuple(found)
