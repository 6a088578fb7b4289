"""One question a day to each source that must always find something (field report 31: every search was empty, nobody noticed).

Asked for the house without a visitor, as all maintenance: in turn, past the buffer, one call at a time in each queue.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final

import structlog

from connectors.connector import Connector
from connectors.exceptions import ConnectorError
from connectors.lists import Trouble, trouble_of
from connectors.moments import now
from connectors.platforms import OPENTK, TWEEDE_KAMER
from connectors.records import Query, SearchText, Term
from connectors.upkeep import House, bounded, unheard

AGAIN_AFTER: Final = timedelta(hours=20)
"""A source that was asked less long ago is left alone: a restart is no reason for a second question on one day."""
TOO_OLD: Final = timedelta(hours=48)
"""After this without a question, nothing is known of now."""
_WORD: Final = "begroting"
_OTHER_WORDS: Final[Mapping[str, str]] = MappingProxyType({TWEEDE_KAMER.key: "motie", OPENTK.key: "stikstof"})
log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Canary:
    """What came of it: ``found`` hits on the first page, or None and why (``trouble``)."""

    at: datetime
    found: int | None
    trouble: Trouble | None = None


def canary_question(platform: str) -> Query:
    """A question that always has an answer at this platform. A word that is everywhere, of nobody's interest in particular."""
    return Query(text=SearchText((Term((_OTHER_WORDS.get(platform, _WORD),)),)))


async def ask_canary(house: House, connector: Connector) -> Canary:
    """Ask it. Raises nothing: what goes wrong is the outcome."""
    platform = connector.platform
    try:
        async with house.at(platform, unheard) as ask:
            result = await bounded(platform, connector.search(canary_question(platform.key), ask))
    except ConnectorError as failure:
        trouble = trouble_of(failure)
        log.warning("canary_failed", platform=platform.key, trouble=trouble.value)
        return Canary(now(), None, trouble)
    except Exception:  # a fault of ours in one connector: told as any other
        log.exception("canary_broken", platform=platform.key)
        return Canary(now(), None, Trouble.BROKEN)
    found = result.fitting
    log.info("canary_asked", platform=platform.key, found=found)
    return Canary(now(), found)
