"""A real PostgreSQL for tests, where one is installed; without it they are skipped, but not where CI promises it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from benchmarks.private_postgres import Postgres, is_installed, private_postgres
from besluitbron.running.layout import PROJECT
from besluitbron.running.leftovers import wait_until
from besluitbron.running.options import Options, read_options
from besluitbron.running.parts import STATE
from besluitbron.running.probes import answers_ping

ROOM = 10
"""What a small server has for everybody: its own three for the operator of the server come on top."""
_PATIENCE = 60.0
WHY = "PostgreSQL is niet geïnstalleerd (op Debian: apt install postgresql)"
needs_postgres = pytest.mark.skipif(not is_installed() and not os.environ.get("CI"), reason=WHY)
"""For the tests of a file that cannot do without."""


@contextmanager
def a_server(connections: int = 60) -> Iterator[Postgres]:
    """A server of a test's own, with so many connections at most."""
    assert is_installed(), WHY
    with private_postgres(connections) as server:
        yield server


def a_database(server: Postgres) -> str:
    """The address of an empty database of a test's own."""
    return server.database(f"proef_{uuid.uuid4().hex[:12]}")


def copied(address: str) -> str:
    """The address of a new database that holds what the one at ``address`` does."""
    parts = conninfo_to_dict(address)
    name = f"kopie_{uuid.uuid4().hex[:12]}"
    names = {"name": sql.Identifier(name), "template": sql.Identifier(str(parts["dbname"]))}
    with psycopg.connect(address, dbname="postgres", autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {name} TEMPLATE {template}").format(**names))
    return address.replace(f"/{parts['dbname']}?", f"/{name}?")


@contextmanager
def an_installation(address: str) -> Iterator[Options]:
    """A data folder with a store that runs, and the database at ``address`` with all its tables."""
    with tempfile.TemporaryDirectory(prefix="proef-") as folder:
        options = read_options({"BESLUITBRON_DATA": folder, "BESLUITBRON_DATABASE": address})
        options.layout.make_folders()
        with subprocess.Popen(STATE.command(options), stdout=subprocess.DEVNULL) as store:
            try:
                assert wait_until(lambda: answers_ping(options.layout.state_socket), _PATIENCE)
                migrate = [sys.executable, str(PROJECT / "manage.py"), "migrate", "--verbosity", "0"]
                subprocess.run(migrate, check=True, cwd=PROJECT, env=os.environ | options.environment())
                yield options
            finally:
                store.terminate()
        options.layout.remove_socket_folder()
