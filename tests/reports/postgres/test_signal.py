"""Signal (c) of rule L3 with a real PostgreSQL: connections, time of statements, and a server that is away or says nothing."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db.utils import ConnectionHandler
from django.utils.connection import ConnectionProxy
from pytest_django import DjangoDbBlocker, Settings

from benchmarks.private_postgres import Postgres
from besluitbron.postgres import base
from besluitbron.postgres.places import Places, counted
from besluitbron.running.leftovers import wait_until
from besluitbron.running.options import Options
from reports import apart
from reports.apart import FULL, Apart
from tests.support.postgres import ROOM, needs_postgres
from throttling.load_rules import LoadRules

pytestmark = needs_postgres
RULES = LoadRules(report_connections=2)
SLEEPS = 0.5
PATIENCE = 60.0


@pytest.fixture
def handler(
    installed: Options, settings: Settings, django_db_blocker: DjangoDbBlocker, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ConnectionHandler]:
    """Connections with the server, for whatever looks at it; those of reports hold seats."""
    settings.STATE_STORE = f"unix://{installed.layout.state_socket}"
    places, rules = Places(), [LoadRules()]
    places.follow(lambda: rules[0])
    rules[0] = RULES
    monkeypatch.setattr(base, "PLACES", places)
    made = ConnectionHandler({"default": installed.database.django(installed.layout.database)})
    monkeypatch.setattr(apart, "connections", made)
    monkeypatch.setattr(apart, "connection", ConnectionProxy(made, "default"))
    with django_db_blocker.unblock():
        yield made
        made.close_all()
    places.close()


@pytest.fixture
def looking(handler: ConnectionHandler) -> Iterator[Apart]:
    """Whoever looks."""
    one = Apart()
    yield one
    one.close()


def is_quiet(server: Postgres) -> bool:
    """Whether nobody is connected."""
    with server.master() as master:
        asked = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'besluitbron'"
        return master.execute(asked).fetchone() == (0,)


def look(looking: Apart, rules: LoadRules = RULES) -> float:
    """The signal as it is now."""
    share = asyncio.run(looking.share(rules))
    assert share is not None
    return share


def postmaster(server: Postgres) -> int:
    """The number of the server's first process."""
    return int((server.folder / "data" / "postmaster.pid").read_text("utf-8").split()[0])


def test_the_connections_that_reports_hold_count_by_how_many_they_may(
    handler: ConnectionHandler, looking: Apart
) -> None:
    with counted():
        handler["default"].ensure_connection()
    assert look(looking) == pytest.approx(1 / 2)
    handler["default"].close()


def test_all_connections_count_by_how_many_the_server_has_for_us(
    server: Postgres, handler: ConnectionHandler, looking: Apart
) -> None:
    assert wait_until(lambda: is_quiet(server), PATIENCE)
    made = [handler.create_connection("default") for _ in range(7)]
    for one in made:
        one.ensure_connection()
    try:
        assert look(looking, LoadRules(report_connections=9)) == pytest.approx((7 + 1) / ROOM)
    finally:
        for one in made:
            one.close()


def test_time_of_statements_counts_when_their_connections_are_gone_again(
    server: Postgres, handler: ConnectionHandler, looking: Apart
) -> None:
    """Who looks once a second would see nobody."""

    def work() -> None:
        with counted(), handler["default"].cursor() as cursor:
            cursor.execute("SELECT pg_sleep(%s)", [SLEEPS])
        handler["default"].close()

    look(looking)
    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wait_until(lambda: is_quiet(server), PATIENCE)
    assert look(looking) > 1.5 / ROOM
    assert wait_until(lambda: look(looking) <= 1 / ROOM, PATIENCE), (
        "counted once; a server lets go of connections later"
    )


SLOW_TO_COMMIT = f"""
CREATE FUNCTION pg_temp.slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep({SLEEPS}); RETURN NULL; END $$;
CREATE TEMP TABLE things (one int);
CREATE CONSTRAINT TRIGGER late AFTER INSERT ON things DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION pg_temp.slow();
"""


def test_the_time_of_a_commit_counts_as_well(server: Postgres, handler: ConnectionHandler, looking: Apart) -> None:
    """A server with a slow disk takes its time there, and no statement tells of it."""
    with counted(), handler["default"].cursor() as cursor:
        cursor.execute(SLOW_TO_COMMIT)
    look(looking)
    with atomic(handler), handler["default"].cursor() as cursor:
        cursor.execute("INSERT INTO things VALUES (1), (2)")
    handler["default"].close()
    assert wait_until(lambda: is_quiet(server), PATIENCE)
    assert look(looking) > 1.5 / ROOM


@contextmanager
def atomic(handler: ConnectionHandler) -> Iterator[None]:
    """A transaction that is committed."""
    one = handler["default"]
    one.set_autocommit(False)
    yield
    one.commit()
    one.set_autocommit(True)


def test_a_server_that_is_away_is_full_and_never_idle(
    server: Postgres, looking: Apart, caplog: pytest.LogCaptureFixture
) -> None:
    with server.master() as master:
        master.execute("CHECKPOINT")
    server.stop(signal.SIGQUIT)
    try:
        assert look(looking) == FULL
    finally:
        server.start()
    assert "load_database_silent" in caplog.text
    assert look(looking) < FULL


@pytest.mark.anyio
async def test_a_server_that_says_nothing_is_full_and_holds_up_no_other_look(
    server: Postgres, looking: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "LOOK_SECONDS", 0.05)
    os.kill(postmaster(server), signal.SIGSTOP)
    try:
        assert [await looking.share(RULES) for _ in range(5)] == [FULL] * 5
        assert looking._threads._threads._work_queue.qsize() == 0, "one look that hangs is enough"
    finally:
        os.kill(postmaster(server), signal.SIGCONT)
    monkeypatch.setattr(apart, "LOOK_SECONDS", PATIENCE)
    share = await looking.share(RULES)
    assert share is not None
    assert share < FULL
