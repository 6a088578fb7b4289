"""Signal (c) of rule L3 on SQLite, as the gate has it: how long any writer of ours waits, and a database that does nothing."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress

import pytest
from django.db import OperationalError, connection

from connectors.moments import now
from reports.apart import StorageLostError
from reports.exceptions import WishRefusedError
from reports.records import Reason
from reports.rules import change
from tests.reports.making.conftest import PATIENCE, Bureau
from tests.support.threads import in_thread
from throttling.load_rules import Signal

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif("TESTS_DATABASE" in os.environ, reason="only SQLite has one writer"),
]


@pytest.fixture
async def quick(bureau: Bureau) -> Bureau:
    """The database alone counts, and what is measured comes through within a second."""
    await in_thread(lambda: bureau.rules(counts=frozenset({Signal.SLOTS, Signal.DATABASE}), smoothing=1.0))
    return bureau


async def until_database(bureau: Bureau, holds: Callable[[float, bool], bool]) -> None:
    """Wait until the gate has the signal of the database as wanted: its share, and whether it is shut."""
    async with asyncio.timeout(PATIENCE):
        while True:
            seen, _ = await bureau.office.gate.overview()
            if Signal.DATABASE in seen.signals and holds(*seen.signals[Signal.DATABASE]):
                return
            await asyncio.sleep(0.05)


async def test_whoever_waits_for_the_writer_shuts_the_gate_while_still_waiting(quick: Bureau) -> None:
    """An operator's page waits, which is no report; another process has the writer."""
    file = str(connection.settings_dict["NAME"])
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        waiting = asyncio.create_task(in_thread(change, quick.office.gate.rules, "beheerder", now()))
        try:
            await until_database(quick, lambda share, shut: share > 1 and shut)
            assert not waiting.done()
        finally:
            other.execute("ROLLBACK")
            with suppress(OperationalError):
                await waiting


async def test_a_report_asked_while_the_database_takes_nothing_is_refused_at_once(quick: Bureau) -> None:
    """Rule L8: a database that does nothing never looks idle, and who asks hears why."""

    def limited() -> None:
        """The real message of SQLite, at once: no page may be added to its file."""
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA max_page_count = 1")
            cursor.execute("CREATE TABLE groot (inhoud)")

    async def fail() -> None:
        while True:
            with pytest.raises(StorageLostError) as failure:
                await quick.office.storage._apart(limited)
            assert "full" in str(failure.value.__cause__)
            await asyncio.sleep(0.1)

    failing = asyncio.create_task(fail())
    try:
        await until_database(quick, lambda _, shut: shut)
        with pytest.raises(WishRefusedError) as refused:
            await quick.ask()
    finally:
        failing.cancel()
    assert refused.value.reason is Reason.FULL
