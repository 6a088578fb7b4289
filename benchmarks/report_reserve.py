"""Whether reports ever take a connection with PostgreSQL that is reserved for urgent work (rule L2), with a small server.

Two workers make reports on a server that has fewer connections than they would open by themselves. Meanwhile somebody opens an
urgent connection ten times a second, and the server is asked how many connections reports hold.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import psycopg

from benchmarks.measured import LEAST_MADE, enough
from benchmarks.private_postgres import private_postgres
from benchmarks.report_asking import Reporter
from benchmarks.site import Site, process, running_site, until
from besluitbron.running.parts import REPORTS
from reports.apart import APPLICATION_NAME
from throttling.load_rules import Signal

MOST: Final = 2
"""Connections that reports may hold, all together."""
_ROOM: Final = 16
"""For everybody: a website that does all it can at once has 11, a bookkeeper 2, whoever measures 1."""
_OPERATORS: Final = 3
"""What PostgreSQL keeps for its own operator on top."""
_WORKERS: Final = 2
_SECONDS: Final = 30.0
_READY: Final = " ready."
"""What a worker logs once it takes work: both are to be there before anything is asked."""
_LOOK: Final = 0.01
_LOOKS_APART: Final = 10


@dataclass(slots=True)
class Watched:
    """The ``most`` connections of reports seen at once in all ``looks``, and urgent ones ``refused`` in all ``tries``."""

    looks: int = 0
    most: int = 0
    tries: int = 0
    refused: int = 0


async def reserve(settings: dict[str, str], questions: Sequence[str]) -> dict[str, float]:
    """The figures: what reports took beyond their own, how many they held at once, and how many reports were made meanwhile.

    Raises ``NothingMeasuredError`` where nobody looked, no report was seen to hold a connection, or few reports were made; and
    what befell whoever looked.
    """
    with private_postgres(_ROOM + _OPERATORS) as server:
        address = server.database("besluitbron")
        async with running_site(**settings, BESLUITBRON_DATABASE=address) as site, _workers(site):
            allow(address)
            reporter = Reporter(site.port)
            await asyncio.to_thread(reporter.prepare, questions)
            with watching(server.master, address) as seen:
                for question in questions:
                    await asyncio.to_thread(reporter.ask, question)
                await asyncio.to_thread(reporter.finish, _SECONDS)
            ended = await asyncio.to_thread(reporter.ended)
    enough("looks at the connections", seen.looks, _LOOKS_APART)
    enough("urgent connections asked for", seen.tries, 1)
    enough("connections of reports seen", seen.most, 1)
    enough("reports made on PostgreSQL", ended["klaar"], len(questions) * LEAST_MADE)
    return {
        "reserved_taken": max(seen.most - MOST, 0) + seen.refused,
        "report_connections": MOST,
        "report_connections_most": seen.most,
        "reserved_looks": seen.looks,
        "reserved_tries": seen.tries,
        "reports_made_on_postgresql": ended["klaar"],
    }


def however_busy(**more: float) -> tuple[str, str, str]:
    """A change of the rules as a row keeps it (at, by, rules): however busy the machine is, reports begin."""
    rules = {"slots": 5, "counts": [Signal.SLOTS], **more}
    at = datetime.now(UTC).isoformat(" ")  # noqa: TID251 - a moment for a row of a benchmark
    return at, "meting", json.dumps(rules)


def allow(address: str) -> None:
    """As an operator sets the rules: few connections for reports, and however busy the machine is, they begin."""
    with psycopg.connect(address) as connection:
        connection.execute(
            "INSERT INTO reports_loadchange (at, by, rules) VALUES (%s, %s, %s)", however_busy(report_connections=MOST)
        )


@asynccontextmanager
async def _workers(site: Site) -> AsyncIterator[None]:
    layout, logs = site.options.layout, []
    async with AsyncExitStack() as stack:
        for number in range(_WORKERS):
            log = layout.logs / f"reports-{number}.log"
            await stack.enter_async_context(process(REPORTS.command(site.options), site.environment, log))
            logs.append(log)
        for log in logs:
            await until(lambda log=log: _READY in log.read_text("utf-8", "replace"), log)  # type: ignore[misc]  # each its own
        yield


@contextmanager
def watching(master: Callable[[], psycopg.Connection[Any]], address: str) -> Iterator[Watched]:
    """Look for as long as the context lasts. At its end it raises what befell the thread that looks."""
    seen, ends = Watched(), threading.Event()
    with ThreadPoolExecutor(1) as threads:
        looking = threads.submit(_watch, master, address, seen, ends)
        try:
            yield seen
        finally:
            ends.set()
            looking.result()


def _watch(master: Callable[[], psycopg.Connection[Any]], address: str, seen: Watched, ends: threading.Event) -> None:
    counting = "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s"
    with master() as asked:
        while not ends.wait(_LOOK):
            row = asked.execute(counting, [APPLICATION_NAME]).fetchone()
            seen.most = max(seen.most, int(row[0]) if row else 0)
            seen.looks += 1
            if seen.looks % _LOOKS_APART == 0:
                seen.tries += 1
                seen.refused += not _gets_in(address)


def _gets_in(address: str) -> bool:
    """Whether somebody urgent gets a connection."""
    try:
        psycopg.connect(address).close()
    except psycopg.OperationalError:
        return False
    return True
