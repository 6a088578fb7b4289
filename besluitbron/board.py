"""How queues and kept lists fare, for the page ``/status`` (``search.board.Board``): no call to a platform, nothing raised."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings

from besluitbron.composition import Reach, addresses
from besluitbron.queues import queues
from connectors.interfaces import interface_of
from connectors.lists import REGISTERS
from connectors.moments import now
from connectors.platforms import PLATFORMS
from connectors.upkeep import is_off
from reports.signals import SEEN
from reports.watching import is_missing
from search.board import BoardNow, Fares, ServiceNow
from search.kept import Kept, KeptCanary, KeptUnreadableError
from throttling.operating.overview import Condition, QueueView, unread, view
from throttling.operating.queues import Queue
from throttling.operating.reading import NoStoreError, look_beside
from throttling.snapshot import Snapshot

_HALF_HOUR: Final = timedelta(minutes=30)


class LiveBoard:
    """Looks at the queues in the store and at what the database keeps."""

    def __init__(self, reach: Reach, kept: Kept) -> None:
        self._reach = reach
        self._kept = kept
        self._queues = queues()
        self._addresses = addresses()

    async def look(self, platforms: Sequence[str]) -> BoardNow:
        """See ``search.board.Board``."""
        wanted = [queue for queue in self._queues if queue.platform in platforms]
        services = await asyncio.gather(*map(self._service, wanted))
        try:
            load = await self._kept.load_status(platforms)
            contacts = await self._contacts(platforms)
            years = await self._kept.years()
            canaries = await self._canaries(platforms)
            registers = await self._registers(platforms)
        except KeptUnreadableError:
            return BoardNow(services=tuple(services), load=None, no_reports_since=_no_reports_since())
        return BoardNow(
            services=tuple(services),
            load=load,
            contacts=contacts,
            years=years,
            canaries=canaries,
            registers=registers,
            no_reports_since=_no_reports_since(),
        )

    async def _service(self, queue: Queue) -> ServiceNow:
        try:
            seen = await look_beside(self._reach.turns, self._reach.breaker, queue.name)
        except NoStoreError:
            return _printed(unread(queue, Condition.UNKNOWN), None)
        if seen is None:
            return _printed(unread(queue, Condition.NEW), None)
        at = now()
        return _printed(view(queue, seen, at, closely=False), _last(seen.snapshot, at))

    async def _contacts(self, platforms: Sequence[str]) -> tuple[tuple[str, datetime], ...]:
        found: dict[str, datetime] = {}
        for one in await self._kept.lists(platforms):
            if one.fetched_at is not None:
                found[one.platform] = max(one.fetched_at, found.get(one.platform, one.fetched_at))
        return tuple(found.items())

    async def _canaries(self, platforms: Sequence[str]) -> tuple[KeptCanary, ...]:
        """Of each platform that has an address; where nothing was asked yet, that."""
        asked = {one.platform: one for one in await self._kept.canaries()}
        here = [one.key for one in PLATFORMS if one.key in platforms and not is_off(one, self._addresses)]
        return tuple(asked.get(key, KeptCanary(platform=key)) for key in here)

    async def _registers(self, platforms: Sequence[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The registers of each platform that tells which it has, as they stand in its kept lists."""
        told = [one.platform for one in await self._kept.lists(platforms) if one.name == REGISTERS and one.number]
        return tuple([(key, tuple(row.name for row in await self._kept.rows(key, REGISTERS))) for key in told])


def _no_reports_since() -> datetime | None:
    """As this process last saw it."""
    seen = SEEN.latest
    if seen is None or not is_missing(seen.overview, seen.silent):
        return None
    return now() - timedelta(seconds=seen.silent)


def _printed(seen: QueueView, last: datetime | None) -> ServiceNow:
    queue = seen.queue
    return ServiceNow(
        platform=queue.platform,
        key=queue.service,
        limit=queue.rules.limit,
        at_once=queue.rules.in_flight,
        origin=queue.origin,
        source=queue.source,
        told=queue.told,
        fares=Fares(seen.condition.value),
        waiting=seen.waiting,
        under_way=seen.under_way,
        until=seen.until,
        off=seen.off,
        last=last,
        interface=interface_of(queue.platform, queue.service, settings.OPTIONS.kamer.version),
    )


def _last(snapshot: Snapshot, at: datetime) -> datetime | None:
    """When a call was last given a turn; None when nobody's use of the last half hour is known."""
    latest = max((session.last for session in snapshot.sessions), default=0.0)
    ago = timedelta(seconds=max(snapshot.now - latest, 0.0))
    return at - ago if latest > 0 and ago <= _HALF_HOUR else None
