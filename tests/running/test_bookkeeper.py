"""The bookkeeper as a process of its own, on a real store and a database of its own."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from besluitbron.running.layout import PROJECT, Layout
from besluitbron.running.leftovers import wait_until
from besluitbron.running.options import Options, read_options
from besluitbron.running.parts import BOOKKEEPER, STATE
from besluitbron.running.probes import answers_ping
from throttling.decisions import Decisions, Entry
from throttling.limits import SlidingWindow
from throttling.rules import QueueRules
from throttling.store import Store

QUEUE = "rechtspraak/zoeken"


@pytest.fixture
def options(tmp_path: Path) -> Iterator[Options]:
    """A data folder with a store that runs and a database that is ready."""
    found = read_options({"BESLUITBRON_DATA": str(tmp_path)})
    found.layout.make_folders()
    with subprocess.Popen(STATE.command(found), stdout=subprocess.DEVNULL) as server:
        assert wait_until(lambda: answers_ping(found.layout.state_socket), 30)
        migrate = [sys.executable, str(PROJECT / "manage.py"), "migrate", "--verbosity", "0"]
        subprocess.run(migrate, check=True, cwd=PROJECT, env=os.environ | found.environment())
        yield found
        server.terminate()
    found.layout.remove_socket_folder()


def ask(layout: Layout, call: str) -> None:
    """One call that is granted and answered."""

    async def turn() -> None:
        async with Store(f"unix://{layout.state_socket}") as store:
            queue = Decisions(store, QUEUE, QueueRules(limit=SlidingWindow(120, 60), in_flight=2))
            await queue.open("een", 0.0, ())
            await queue.permit(600)
            await queue.enter(Entry(id=call, process="p", session="sessie:a"))
            await queue.done(call)

    asyncio.run(turn())


def written(layout: Layout) -> list[tuple[str, str, float]]:
    with closing(sqlite3.connect(layout.database)) as database:
        return database.execute("SELECT queue, session, units FROM throttling_sessionusage").fetchall()


def test_the_bookkeeper_writes_what_was_used_and_ends_at_once_when_asked(options: Options) -> None:
    layout = options.layout
    ask(layout, "a")
    command = BOOKKEEPER.command(options)
    with subprocess.Popen(
        command, env=os.environ | options.environment(), cwd=PROJECT, stderr=subprocess.PIPE
    ) as keeper:
        try:
            assert wait_until(lambda: written(layout) == [(QUEUE, "sessie:a", 1)], 60)
            ask(layout, "b")
            keeper.send_signal(signal.SIGTERM)
            said = keeper.communicate(timeout=60)[1]
        finally:
            keeper.kill()
    assert (keeper.returncode, said) == (0, b"")
    assert written(layout) == [(QUEUE, "sessie:a", 2)]
