"""Ids that an address alone does not hold: its platform is asked, where its connector can."""

from __future__ import annotations

import asyncio

from assistants.opening import unopened
from assistants.tool import Visit
from connectors.connector import LooksUp
from connectors.exceptions import ConnectorError, TooSlowError
from search.notations import spellings
from search.references import Located


async def looked_up(text: str, visit: Visit) -> tuple[Located, ...]:
    """What platforms of this endpoint find at an address. Raises ``ToolFailedError`` when one that may know it fails."""
    found: list[Located] = []
    for connector in visit.federation.connectors:
        if not isinstance(connector, LooksUp) or connector.platform.key not in visit.platforms:
            continue
        ask = visit.federation.client.bind(connector.platform, visit.caller)
        try:
            async with asyncio.timeout(visit.federation.patience.page):
                for spelling in spellings(text):
                    found += [Located(connector, one) for one in await connector.look_up(spelling, ask)]
                    if found:
                        break
        except (ConnectorError, TimeoutError) as failure:
            late = TooSlowError(connector.platform.key, visit.federation.patience.page)
            raise unopened(
                Located(connector, ""), failure if isinstance(failure, ConnectorError) else late
            ) from failure
    return tuple(found)
