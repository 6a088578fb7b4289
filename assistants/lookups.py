"""Ids that an address alone does not hold: its platform is asked, where its connector can."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta

from assistants.opening import unopened
from assistants.printing.hits import waiting
from assistants.tool import Visit
from connectors.connector import LooksUp
from connectors.exceptions import ConnectorError, TooSlowError
from connectors.moments import now
from connectors.platforms import Platform
from search.answers import PlatformAnswer, State
from search.notations import spellings
from search.progress import Progress
from search.references import Located


async def looked_up(text: str, visit: Visit) -> tuple[Located, ...]:
    """What platforms of this endpoint find at an address; who waits for a turn is told so meanwhile.

    Raises ``ToolFailedError`` when a platform that may know it fails.
    """
    found: list[Located] = []
    for connector in visit.federation.connectors:
        if not isinstance(connector, LooksUp) or connector.platform.key not in visit.platforms:
            continue
        try:
            async with asyncio.timeout(visit.federation.patience.page):
                numbers = await _numbers(connector, text, visit)
        except (ConnectorError, TimeoutError) as failure:
            late = TooSlowError(connector.platform.key, visit.federation.patience.page)
            raise unopened(
                Located(connector, ""), failure if isinstance(failure, ConnectorError) else late
            ) from failure
        found += [Located(connector, one) for one in numbers]
    return tuple(found)


async def _numbers(connector: LooksUp, text: str, visit: Visit) -> Sequence[str]:
    """What one platform finds for the first spelling that leads to anything."""
    progress = Progress()
    ask = visit.federation.client.bind(connector.platform, visit.caller, progress)
    for spelling in spellings(text):
        task = asyncio.ensure_future(connector.look_up(spelling, ask))
        task.add_done_callback(lambda _: progress.changed.set())
        try:
            await _told(task, connector.platform, progress, visit)
            if found := task.result():
                return found
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
    return ()


async def _told(task: asyncio.Future[tuple[str, ...]], platform: Platform, progress: Progress, visit: Visit) -> None:
    """Wait for ``task``; while it waits for its turn its asker hears place and start, and again when the start moved."""
    told = False
    while not task.done():
        await progress.changed.wait()
        progress.changed.clear()
        if not task.done() and progress.only_waits and (progress.has_moved or not told):
            told = True
            starts_at = now() + timedelta(seconds=progress.say())
            planned = PlatformAnswer(platform=platform, state=State.PLANNED, starts_at=starts_at, place=progress.place)
            await visit.tell(waiting(planned, now()))
