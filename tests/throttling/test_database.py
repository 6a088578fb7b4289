"""The database as the memory of the turns."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from django.db import connection

from besluitbron.running.layout import PROJECT
from throttling.database import DatabaseMemory, _allow
from throttling.memory import OperatorSettings, Used
from throttling.models import PlatformState, SessionUsage

pytestmark = [pytest.mark.anyio, pytest.mark.django_db(transaction=True)]
QUEUE = "bron/dienst"
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def memory() -> DatabaseMemory:
    return DatabaseMemory(clock=NOW.timestamp)


async def test_a_fresh_installation_remembers_nothing() -> None:
    assert await memory().may_send_until(QUEUE) is None
    assert await memory().used(QUEUE) == []
    assert await memory().operator_settings(QUEUE) == OperatorSettings()


async def test_until_when_grants_may_be_given_never_goes_back() -> None:
    await memory().allow(QUEUE, 1000.5)
    await memory().allow(QUEUE, 1030.25)
    await memory().allow(QUEUE, 1010.0)
    assert await memory().may_send_until(QUEUE) == 1030.25
    assert await memory().may_send_until("bron/andere") is None


async def test_what_an_operator_set_is_no_permit_and_a_permit_leaves_it_alone() -> None:
    await PlatformState.objects.acreate(queue=QUEUE, off="Onderhoud.", cap=Decimal("12.5"))
    assert await memory().may_send_until(QUEUE) is None
    await memory().allow(QUEUE, 7.0)
    assert await memory().operator_settings(QUEUE) == OperatorSettings(off="Onderhoud.", cap=12.5)


def test_who_set_what_and_when_is_kept() -> None:
    PlatformState.objects.set_by_operator(QUEUE, OperatorSettings(off="Weg.", cap=0.1), "els", NOW)
    PlatformState.objects.set_by_operator(QUEUE, OperatorSettings(), "piet", NOW + timedelta(hours=1))
    state = PlatformState.objects.get(queue=QUEUE)
    assert (state.off, state.cap, state.changed_by, state.changed_at) == ("", None, "piet", NOW + timedelta(hours=1))


async def test_use_comes_back_for_half_an_hour() -> None:
    """Rule R9."""
    for name, minutes in (("vers", 1), ("bijna", 29), ("oud", 30), ("ouder", 90)):
        await SessionUsage.objects.acreate(
            queue=QUEUE, session=name, units=Decimal("1.5"), last_call=NOW - timedelta(minutes=minutes)
        )
    assert sorted(await memory().used(QUEUE), key=lambda used: used.idle) == [
        Used("vers", 1.5, 60.0),
        Used("bijna", 1.5, 29 * 60.0),
    ]
    assert await memory().used("bron/andere") == []


@pytest.mark.skipif(connection.vendor != "sqlite", reason="another database keeps its promises by itself")
def test_a_permit_is_on_the_disk_before_it_is_given() -> None:
    _allow(QUEUE, 5.0)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous")
        assert cursor.fetchone() == (2,)  # FULL: every commit waits for the disk
        cursor.execute("PRAGMA synchronous=NORMAL")


WRITER = """
import asyncio, os, signal, sys
import django
django.setup()
from datetime import UTC, datetime
from throttling.bookkeeping import Page, Use
from throttling.database import DatabaseBooks, DatabaseMemory

async def write(start):
    memory, books = DatabaseMemory(), DatabaseBooks()
    for n in range(60):
        await memory.allow("bron/dienst", float(start + 2 * n))
        now = datetime.now(UTC)
        uses = tuple(Use(f"s{m}", 1000 * n, now) for m in range(40))
        await books.write([Page(queue="bron/dienst", epoch="e", given=1000 * n, refusals=n, waiting=1, uses=uses)], now)

asyncio.run(write(int(sys.argv[1])))
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.lang
@pytest.mark.skipif(connection.vendor != "sqlite", reason="it is about one file and its lock")
def test_processes_that_write_at_once_wait_for_each_other_and_a_kill_forgets_nothing(tmp_path: Path) -> None:
    environment = os.environ | {"BESLUITBRON_DATA": str(tmp_path), "DJANGO_SETTINGS_MODULE": "besluitbron.settings"}
    manage = [sys.executable, str(PROJECT / "manage.py"), "migrate", "--verbosity", "0"]
    subprocess.run(manage, check=True, env=environment, cwd=PROJECT)
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(start)], env=environment, cwd=PROJECT, stderr=subprocess.PIPE
        )
        for start in (0, 1, 1000)
    ]
    said = [writer.communicate(timeout=60)[1] for writer in writers]
    assert [(writer.returncode, text) for writer, text in zip(writers, said, strict=True)] == [(-9, b"")] * 3
    with sqlite3.connect(tmp_path / "besluitbron.sqlite3") as database:
        rows = database.execute("SELECT may_send_until, refusals, given_seen FROM throttling_platformstate").fetchall()
        granted = database.execute("SELECT SUM(granted) FROM throttling_queueminute").fetchone()
    database.close()
    assert rows == [(1118.0, 59, 59_000)]
    assert granted == (59,)
