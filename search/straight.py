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

import structlog

from connectors.addresses import web_address
from connectors.connector import Connector, LooksUp
from connectors.exceptions import (
    ConnectorError,
    GoneError,
    NotSupportedError,
    ReplacedError,
    TakenDownError,
    WithdrawnError,
)
from search.asking_words import says_nothing
from search.federation import Federation, StillWaitingError
from search.notations import is_old_number, mentioned, spellings
from search.references import Located, candidates
from throttling.callers import Caller

log = structlog.get_logger(__name__)
_WITHOUT_SCHEME: Final = re.compile(r"(?:[a-z0-9-]+\.)+(?:nl|eu)/\S+", re.IGNORECASE | re.ASCII)
_MOST_NAMED: Final = 3
_SECONDS: Final = 3.0
"""Nobody looks at an empty page for longer: the page of the document goes on waiting for the same call, and says so."""


class Detour(StrEnum):
    """Why a number did not lead to its document."""

    NOT_THERE = "not_there"
    SEVERAL = "several"
    NO_ANSWER = "no_answer"
    UNKNOWN_ADDRESS = "unknown_address"


@dataclass(frozen=True, slots=True)
class Led:
    """Where a question leads: to one document, or nowhere with the reason why. Neither for a question that is no number.

    ``choices``: the documents that it may be. ``sources``: the names of the sources that the reason is about.
    """

    document: Located | None = None
    detour: Detour | None = None
    choices: tuple[Located, ...] = field(default=(), repr=False)
    sources: tuple[str, ...] = ()


async def led(typed: str, federation: Federation, platforms: Sequence[str], caller: Caller) -> Led:
    """Where ``typed`` leads among these platforms (all when there are none). Raises nothing of the platforms."""
    chosen = federation.chosen(platforms)
    ends = asyncio.get_running_loop().time() + _SECONDS
    typed = f"https://{typed.strip()}" if _WITHOUT_SCHEME.fullmatch(typed.strip()) else typed
    found, silent = candidates(typed, chosen), list[str]()
    if not found and (web_address(typed.strip()) or is_old_number(typed)):
        for connector in chosen:
            there = await _looked_up(typed, federation, connector, caller, ends)
            found += there or ()
            silent += [connector.platform.name] if there is None else []
        if not found:
            return Led(detour=Detour.NO_ANSWER if silent else Detour.UNKNOWN_ADDRESS, sources=tuple(silent))
    if not found:
        return Led()
    if len({one.upstream_id for one in found}) > 1:
        return Led(detour=Detour.SEVERAL, choices=found)
    for one in found:  # one number: what the first platform does not have, the next may
        outcome = await _opens(one, federation, caller, ends)
        if outcome is None:
            return Led(one)
        silent += [one.connector.platform.name] if outcome is Detour.NO_ANSWER else []
    if silent:
        return Led(detour=Detour.NO_ANSWER, sources=tuple(silent))
    return Led(detour=Detour.NOT_THERE, sources=tuple(one.connector.platform.name for one in found))


async def led_from_sentence(typed: str, federation: Federation, platforms: Sequence[str], caller: Caller) -> Led:
    """As ``led``, and for a sentence that does no more than ask for the paper whose number stands in it."""
    goes = await led(typed, federation, platforms, caller)
    found = mentioned(typed)
    if goes != Led() or len(found) != 1 or not found[0][1]:
        return goes
    ((number, rest),) = found
    if not says_nothing(rest):
        return goes
    goes = await led(number, federation, platforms, caller)
    return goes if goes.document else Led()


def named_papers(
    typed: str, federation: Federation, platforms: Sequence[str]
) -> tuple[tuple[str, Located | None], ...]:
    """The papers whose numbers stand among the words of a question, as they stand there. Makes no call.

    None where a platform must be asked which paper it is: an old LJN, or an address that does not tell.
    """
    chosen = federation.chosen(platforms)
    found = []
    for number, rest in mentioned(typed) if not candidates(typed, chosen) else ():
        there = candidates(number, chosen)
        if rest and (there or is_old_number(number)):
            found.append((number, there[0] if there else None))
    return tuple(found[:_MOST_NAMED])


async def _opens(one: Located, federation: Federation, caller: Caller, ends: float) -> Detour | None:
    """None when there is a page to see: the document, what took its place, or that it is no more or still waits."""
    opening = federation.opening(one.connector, one.upstream_id, caller)
    try:
        async with asyncio.timeout_at(ends), aclosing(opening) as items:
            await anext(items)
    except (ReplacedError, WithdrawnError, TakenDownError, StillWaitingError, TimeoutError):
        return None
    except (GoneError, NotSupportedError):
        return Detour.NOT_THERE
    except Exception as failure:  # noqa: BLE001 - a fault at one source must not take the search away
        _note(one.connector.platform.key, failure)
        return Detour.NO_ANSWER
    return None


async def _looked_up(
    typed: str, federation: Federation, connector: Connector, caller: Caller, ends: float
) -> tuple[Located, ...] | None:
    """What a platform finds at an address that does not say itself which document it is; None when it gave no answer."""
    if not isinstance(connector, LooksUp):
        return ()
    ask = federation.client.bind(connector.platform, caller)
    try:
        async with asyncio.timeout_at(ends):
            for spelling in spellings(typed):
                if ids := await connector.look_up(spelling, ask):
                    return tuple(Located(connector, one) for one in ids)
    except NotSupportedError:
        return ()
    except Exception as failure:  # noqa: BLE001 - as above, and the time that is up is no answer either
        _note(connector.platform.key, failure)
        return None
    return ()


def _note(platform: str, failure: Exception) -> None:
    """Leave a line for an operator where a fault is ours; what platforms do wrong is noted by the client."""
    if not isinstance(failure, (ConnectorError, TimeoutError)):
        log.error("straight_broken", platform=platform, failure=type(failure).__name__)
