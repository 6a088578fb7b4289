"""The connections of reports with a real PostgreSQL: seats first, over all processes; what is reserved stays so (rule L2)."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import ExitStack

import psycopg
import pytest
from django.db import OperationalError
from django.db.utils import ConnectionHandler
from pytest_django import DjangoDbBlocker, Settings

from benchmarks.private_postgres import Postgres
from besluitbron.postgres import base
from besluitbron.postgres.places import Places, counted, is_counted
from besluitbron.running.layout import PROJECT
from besluitbron.running.leftovers import wait_until
from besluitbron.running.options import Options
from reports.apart import APPLICATION_NAME, Apart
from tests.support.postgres import ROOM, needs_postgres
from throttling.load_rules import LoadRules
from throttling.seats import Seats
from throttling.store import Store

pytestmark = needs_postgres
MOST = 2
PATIENCE = 60.0


@pytest.fixture
def places(installed: Options, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Places]:
    """The seats of this process, of which there are two; nobody waits long."""
    settings.STATE_STORE = f"unix://{installed.layout.state_socket}"
    one = Places(patience=0.2)
    rules = [LoadRules()]
    one.follow(lambda: rules[0])
    rules[0] = LoadRules(report_connections=MOST)
    monkeypatch.setattr(base, "PLACES", one)
    yield one
    one.close()


@pytest.fixture
def database(installed: Options, places: Places, django_db_blocker: DjangoDbBlocker) -> Iterator[ConnectionHandler]:
    """Connections as Django makes them, of each thread its own."""
    handler = ConnectionHandler({"default": installed.database.django(installed.layout.database)})
    with django_db_blocker.unblock():
        yield handler
        handler.close_all()


def named(server: Postgres) -> list[str]:
    """The names of all connections of clients, as the server sees them."""
    with server.master() as master:
        rows = master.execute("SELECT application_name FROM pg_stat_activity WHERE usename = 'besluitbron'").fetchall()
    return sorted(name for (name,) in rows)


def taken(settings: Settings) -> int:
    async def look() -> int:
        async with Store(settings.STATE_STORE) as store:
            return await Seats(store, "rapporten").taken()

    return asyncio.run(look())


def test_a_connection_for_a_report_has_a_seat_and_gives_it_back_when_the_server_let_go(
    server: Postgres, database: ConnectionHandler, settings: Settings
) -> None:
    with counted():
        database["default"].ensure_connection()
    assert named(server) == [APPLICATION_NAME]
    assert taken(settings) == 1
    database["default"].close()
    assert named(server) == []
    assert wait_until(lambda: taken(settings) == 0, PATIENCE)


def test_urgent_work_needs_no_seat(server: Postgres, database: ConnectionHandler, settings: Settings) -> None:
    database["default"].ensure_connection()
    assert taken(settings) == 0
    assert named(server) == ["besluitbron"]


def test_without_a_free_seat_a_report_hears_so_and_urgent_work_goes_on(
    server: Postgres, database: ConnectionHandler, places: Places
) -> None:
    held = [places.take() for _ in range(MOST)]
    with counted(), pytest.raises(OperationalError, match="all connections of reports are taken"):
        database["default"].ensure_connection()
    assert named(server) == []
    database["default"].ensure_connection()
    database["default"].close()
    assert wait_until(lambda: named(server) == [], PATIENCE)  # its server process ends a moment later
    for holder in held:
        places.leave(holder)
    with counted():
        database["default"].ensure_connection()
    assert named(server) == [APPLICATION_NAME]


def test_who_waits_for_a_seat_gets_the_one_that_comes_free(installed: Options, settings: Settings) -> None:
    settings.STATE_STORE = f"unix://{installed.layout.state_socket}"
    patient = Places(patience=PATIENCE)  # one seat: no rules are known yet
    first, got = patient.take(), []
    waiting = threading.Thread(target=lambda: got.append(patient.take()))
    waiting.start()
    patient.leave(first)
    waiting.join(PATIENCE)
    assert len(got) == 1
    patient.close()
    assert taken(settings) == 0


def test_a_seat_comes_back_whatever_becomes_of_its_connection(
    server: Postgres, database: ConnectionHandler, settings: Settings
) -> None:
    """Never made, cut off by the server, or forgotten."""
    with counted():
        away = ConnectionHandler({"default": database.settings["default"] | {"HOST": "/nergens"}})
        with pytest.raises(OperationalError):
            away["default"].ensure_connection()
        database["default"].ensure_connection()
        with server.master() as master:
            master.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'besluitbron'")
        with pytest.raises(OperationalError):
            database["default"].cursor().execute("SELECT 1")
        database["default"].close()
        assert wait_until(lambda: taken(settings) == 0, PATIENCE)
        database["default"].ensure_connection()
        with warnings.catch_warnings(action="ignore", category=ResourceWarning):
            database["default"].connection = None
            gc.collect()
    assert wait_until(lambda: taken(settings) == 0, PATIENCE)


def test_without_the_store_a_report_gets_no_connection(database: ConnectionHandler, settings: Settings) -> None:
    settings.STATE_STORE = "unix:///nergens/s.sock"
    with counted(), pytest.raises(OperationalError):
        database["default"].ensure_connection()
    database["default"].ensure_connection()


@pytest.mark.anyio
async def test_whatever_a_report_starts_counts_in_whichever_thread() -> None:
    apart = Apart()
    with counted():
        assert await apart(is_counted)
        assert await asyncio.to_thread(is_counted)
        task = asyncio.get_running_loop().create_task(asyncio.to_thread(is_counted))
    assert await task
    assert not await apart(is_counted)
    apart.close()


def test_seats_are_as_many_as_the_rules_say_and_before_they_are_known_one() -> None:
    """A process that just began must not take more than an operator allows."""
    one, rules = Places(), [LoadRules()]
    one.follow(lambda: rules[0])
    assert one.most == 1
    rules[0] = LoadRules(report_connections=7)
    assert one.most == 7
    again = [LoadRules()]
    one.follow(lambda: again[0])
    assert one.most == 7
    again[0] = LoadRules(report_connections=2)
    assert one.most == 2


WORKER = """
import sys, threading
import django
django.setup()
from contextlib import nullcontext
from django.db import connection, Error
from besluitbron.postgres.places import PLACES, counted
from throttling.load_rules import LoadRules

rules = [LoadRules()]
PLACES.follow(lambda: rules[0])
rules[0] = LoadRules(report_connections=int(sys.argv[1]))
PLACES._patience = 120.0
failed = []

def work():
    with counted() if sys.argv[2] == "counted" else nullcontext():
        for _ in range(8):
            try:
                with connection.cursor() as cursor:
                    cursor.execute("SELECT pg_sleep(0.01)")
            except Error as failure:
                failed.append(str(failure))
            finally:
                connection.close()

threads = [threading.Thread(target=work) for _ in range(6)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
PLACES.close()
print(len(failed), *failed[:1])
"""


def workers(installed: Options, how: str) -> list[int]:
    """Three workers at once, each with more threads than there are seats; gives how often each did not get its connection."""
    environment = os.environ | installed.environment()
    command = [sys.executable, "-c", WORKER, str(MOST), how]
    running = [
        subprocess.Popen(command, cwd=PROJECT, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    said = [one.communicate(timeout=300)[0] for one in running]
    return [int(text.split()[0]) for text in said]


def test_several_workers_at_once_never_take_a_reserved_connection(server: Postgres, installed: Options) -> None:
    """Rule L2. Urgent work holds all that is reserved: one connection of reports too many, and one of them is refused."""
    with ExitStack() as reserved:
        for _ in range(ROOM - MOST):
            reserved.enter_context(psycopg.connect(installed.database.address))
        assert workers(installed, "counted") == [0, 0, 0]


def test_without_seats_the_same_workers_would_take_what_is_reserved(server: Postgres, installed: Options) -> None:
    """The server is small enough for the test above to mean something."""
    with ExitStack() as reserved:
        for _ in range(ROOM - MOST):
            reserved.enter_context(psycopg.connect(installed.database.address))
        assert sum(workers(installed, "anyhow")) > 0
