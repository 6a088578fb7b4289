"""The database as reports ask it: in a few threads of their own, so that they can never take what urgent work needs (rule L2).

Each thread has one connection, closed after use. On SQLite, which knows no connections that run out, that is at most
``CONNECTIONS`` in each process. On PostgreSQL whatever makes a report holds a seat for each connection as well, of which there
are so many over all processes and machines (``report_connections``; ``besluitbron.postgres``).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import structlog
from django.db import Error, connection, connections, transaction

from reports.database_use import USE, DatabaseUse
from throttling.load_rules import LoadRules
from throttling.own_threads import OwnThreads

log = structlog.get_logger(__name__)
_T = TypeVar("_T")
CONNECTIONS: Final = 3
"""Threads, and so connections, of one process."""
APPLICATION_NAME: Final = "besluitbron-rapporten"
"""By which PostgreSQL tells them from all others."""
FULL: Final = 1.0
"""The share of a database that does not answer: no report that starts now would be made (rules L4 and L8)."""
LOOK_SECONDS: Final = 2.0
"""After so long a database that says nothing counts as one that does not answer; the look goes on."""
_CONNECTED: Final = """
SELECT count(*) FILTER (WHERE application_name = %s AND pid <> pg_backend_pid()), count(*),
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
FROM pg_stat_activity WHERE datid IS NOT NULL AND usesysid IS NOT NULL
"""
"""Who has no database or no user is a process of the server itself."""


class StorageLostError(Exception):
    """The database cannot be read or written now: it is away, locked for too long, or the disk is full."""


@dataclass(frozen=True, slots=True)
class Connected:
    """Connections with a server: of reports, without the one that looks; of all, with it; and how many there may be."""

    reports: int
    taken: int
    allowed: int


class Apart:
    """Threads for the database of reports. ``share`` is signal (c) of rule L3, by what ``use`` sees of all connections."""

    def __init__(self, use: DatabaseUse = USE) -> None:
        self._threads = OwnThreads(CONNECTIONS, "rapporten", connections.close_all)
        self._use = use
        self._looking: asyncio.Task[Connected] | None = None

    async def __call__(self, work: Callable[..., _T], *arguments: Any) -> _T:
        """What ``work`` gives. Raises ``StorageLostError``."""
        try:
            return await self._threads(work, *arguments)
        except (Error, OSError) as failure:
            self._use.failed()
            log.warning("reports_database_lost", failure=type(failure).__name__)
            raise StorageLostError from failure

    async def write(self, work: Callable[..., _T], *arguments: Any) -> _T:
        """What ``work`` gives, in one transaction. Raises ``StorageLostError``."""

        def written() -> _T:
            with self.writing():
                return work(*arguments)

        return await self(written)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction that writes."""
        with transaction.atomic():
            yield

    async def share(self, rules: LoadRules) -> float | None:
        """How much of the database is in use; None when nothing says so.

        On SQLite: how long our writers waited for the one that writes since the last look, against their target; None when
        nobody wrote. On PostgreSQL the largest of: the share of their own connections that reports hold, that of all
        connections of the server that are taken, and the time that our statements took, per connection there may be. A database
        that fails or says nothing is full.
        """
        used = self._use.take()
        if connection.vendor == "sqlite":
            share = used.waiting(rules.write_target)
            if used.answers is False:
                log.warning("load_database_fails")
            return share
        seen = await self._look()
        if seen is None:
            log.warning("load_database_silent")
            return FULL
        own, others = rules.report_connections, seen.allowed - rules.report_connections
        return max(seen.reports / own, seen.taken / seen.allowed, used.busy(own, others))

    async def _look(self) -> Connected | None:
        """The connections there are; None when the server does not say so (in time). A look that hangs is the only one."""
        loop = asyncio.get_running_loop()
        if self._looking is None or self._looking.get_loop() is not loop:
            self._looking = loop.create_task(self(_connected))
        looking = self._looking
        await asyncio.wait({looking}, timeout=LOOK_SECONDS)
        if not looking.done():
            return None
        self._looking = None
        try:
            return looking.result()
        except StorageLostError:
            return None

    def close(self) -> None:
        """Wait until the threads are done, and end them."""
        self._threads.close()


def _connected() -> Connected:
    with connection.cursor() as cursor:
        cursor.execute(_CONNECTED, [APPLICATION_NAME])
        return Connected(*map(int, cursor.fetchone()))
