"""The same document at other platforms: where it may stand by its numbers, and what stands there when somebody looks.

Where it may stand costs no call. Looking does, so that is done when a reader asks for it, and what comes is only believed when
the platform itself gives it the same number (``search.same``): what platforms then say otherwise is shown (field report 10).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import structlog

from connectors.connector import Connector, LooksUp
from connectors.exceptions import ConnectorError, GoneError, NotSupportedError, TakenDownError
from connectors.platforms import OPENBESLUITVORMING, Platform
from connectors.records import Document
from search.answers import PlatformAnswer
from search.federation import Federation, StillWaitingError
from search.references import Located, candidates
from search.same import Disagreement, together
from search.telling import Tell, telling
from throttling.callers import Caller

log = structlog.get_logger(__name__)
_SECONDS: Final = 12.0
"""How long a platform may take to say which paper has a file."""
_NUMBERED: Final = ("kamer:", "publicatie:")
_COUNCIL: Final = "raad:"
_ABSENT: Final = (GoneError, NotSupportedError, TakenDownError)


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What looking brought: the same document at other platforms, what they say otherwise, and who did not answer."""

    copies: tuple[Document, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    silent: tuple[Platform, ...] = ()


def perhaps_at(document: Document, federation: Federation) -> tuple[Platform, ...]:
    """The platforms that may have it as well. Makes no call."""
    known = {place.connector.platform.key: place.connector.platform for place in _places(document, federation)}
    known |= {one.platform.key: one.platform for one in _askable(document, federation)}
    return tuple(known.values())


def look_elsewhere(
    document: Document, federation: Federation, caller: Caller
) -> AsyncGenerator[PlatformAnswer | Elsewhere, None]:
    """What the other platforms have of it as its last item, and before it ``gepland`` of each that waits.

    Raises nothing of theirs. Closing the iterator before its end gives up the places of calls that wait.
    """
    return telling(partial(_look, document, federation, caller))


async def _look(document: Document, federation: Federation, caller: Caller, tell: Tell) -> Elsewhere:
    finding = [_at(place, federation, caller, tell) for place in _places(document, federation)]
    finding += [_asked(one, document, federation, caller, tell) for one in _askable(document, federation)]
    outcomes = await asyncio.gather(*finding)
    there = [one for one in outcomes if isinstance(one, Document)]
    item = next((item for item in together([document, *there]) if item.first is document), None)
    silent = tuple({one.key: one for one in outcomes if isinstance(one, Platform)}.values())
    if item is None or not item.is_shared:
        return Elsewhere(silent=silent)
    return Elsewhere(item.things[1:], item.disagreements, silent)


def _others(document: Document, federation: Federation) -> Sequence[Connector]:
    return [one for one in federation.connectors if one.platform.key not in federation.off | {document.platform}]


def _places(document: Document, federation: Federation) -> tuple[Located, ...]:
    """Where it stands if its number is one there, each platform once."""
    others = _others(document, federation)
    found: dict[str, Located] = {}
    for number in _numbers(document, federation):
        for place in candidates(number, others):
            found.setdefault(place.connector.platform.key, place)
    return tuple(found.values())


def _numbers(document: Document, federation: Federation) -> Iterator[str]:
    """Its numbers as other platforms write them down."""
    for key in document.same_as:
        if key.startswith(_NUMBERED):
            yield key.partition(":")[2]
        elif key.startswith(_COUNCIL) and key.count(":") >= 4:  # noqa: PLR2004 - raad:supplier:collection:body:native
            _, supplier, collection, body_id, native = key.split(":", 4)
            body = federation.register.body(body_id)
            at = body.key_at(OPENBESLUITVORMING.key) if body else None
            if body and at:
                yield f"{collection}:{supplier}:{body.kind.value}:{at}:{native}"


def _askable(document: Document, federation: Federation) -> tuple[LooksUp, ...]:
    """The platforms that can be asked which of their papers has this file; only councils' papers stand at several."""
    if not document.original or not any(key.startswith(_COUNCIL) for key in document.same_as):
        return ()
    return tuple(one for one in _others(document, federation) if isinstance(one, LooksUp))


async def _asked(
    asked: LooksUp, document: Document, federation: Federation, caller: Caller, tell: Tell
) -> Document | Platform | None:
    connector = federation.connector(asked.platform.key)
    if connector is None or document.original is None:
        return None
    try:
        async with asyncio.timeout(_SECONDS):
            found = await asked.look_up(document.original, federation.client.bind(asked.platform, caller))
    except _ABSENT:
        return None
    except (ConnectorError, TimeoutError):
        return asked.platform
    except Exception:  # as below
        log.exception("connector_broken", platform=asked.platform.key)
        return asked.platform
    return await _at(Located(connector, found[0]), federation, caller, tell) if found else None


async def _at(place: Located, federation: Federation, caller: Caller, tell: Tell) -> Document | Platform | None:
    """The document; None when there is none, the platform when it did not answer."""
    try:
        return await federation.document(place.connector, place.upstream_id, caller, tell)
    except _ABSENT:
        return None
    except (ConnectorError, StillWaitingError):
        return place.connector.platform
    except Exception:  # a fault of ours at one platform must not take the document of another away (field report 20)
        log.exception("connector_broken", platform=place.connector.platform.key)
        return place.connector.platform
