"""The database as reports ask it: in a few threads of their own, so that they can never take what urgent work needs (rule L2).

Each thread has one connection, closed after use. On SQLite, which knows no connections that run out, that is at most
``CONNECTIONS`` in each process. On PostgreSQL whatever makes a report holds a seat for each connection as well, of which there
are so many over all processes and machines (``report_connections``; ``besluitbron.postgres``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import structlog
from django.db import Error, connection, connections, transaction

from throttling.load_rules import LoadRules
from throttling.own_threads import OwnThreads
from throttling.store import monotonic

log = structlog.get_logger(__name__)
_T = TypeVar("_T")
CONNECTIONS: Final = 3
"""Threads, and so connections, of one process."""
APPLICATION_NAME: Final = "besluitbron-rapporten"
"""By which PostgreSQL tells them from all others."""
_CONNECTED: Final = """
SELECT count(*) FILTER (WHERE application_name = %s AND pid <> pg_backend_pid()),
       count(*)::float / (current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int)
FROM pg_stat_activity WHERE datid IS NOT NULL AND usesysid IS NOT NULL
"""
"""Who has no database or no user is a process of the server itself."""


class StorageLostError(Exception):
    """The database cannot be read or written now: it is away, locked for too long, or the disk is full."""


class Apart:
    """Threads for the database of reports. ``share`` is signal (c) of rule L3."""

    def __init__(self) -> None:
        self._threads = OwnThreads(CONNECTIONS, "rapporten", connections.close_all)
        self._waits: list[float] = []

    async def __call__(self, work: Callable[..., _T], *arguments: Any) -> _T:
        """What ``work`` gives. Raises ``StorageLostError``."""
        try:
            return await self._threads(work, *arguments)
        except (Error, OSError) as failure:
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
        """A transaction that writes; how long it waited for the writer is measured."""
        began = monotonic()
        with transaction.atomic():
            self._waits.append(monotonic() - began)
            yield

    async def share(self, rules: LoadRules) -> float:
        """How much of the database is in use. Raises ``OSError`` when that cannot be seen now.

        On SQLite: how long writes waited for the writer since the last look, against their target. On PostgreSQL: the share
        of their own connections that reports hold, or of all connections of the server that are taken.
        """
        waits, self._waits = self._waits, []
        if connection.vendor == "sqlite":
            return sum(waits) / len(waits) / rules.write_target if waits else 0.0
        try:
            own, all_taken = await self(_connected)
        except StorageLostError as failure:
            raise ConnectionError from failure
        return max(own / rules.report_connections, all_taken)

    def close(self) -> None:
        """Wait until the threads are done, and end them."""
        self._threads.close()


def _connected() -> tuple[int, float]:
    """How many other connections of reports there are, and the share of the server's connections that is taken."""
    with connection.cursor() as cursor:
        cursor.execute(_CONNECTED, [APPLICATION_NAME])
        own, all_taken = cursor.fetchone()
    return int(own), float(all_taken)
