"""The tests of whoever uses the database, once more with a real PostgreSQL under them: turns, lists, operators and reports."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from benchmarks.private_postgres import Postgres
from besluitbron.running.layout import PROJECT
from tests.support.postgres import a_database, a_server, needs_postgres

pytestmark = [needs_postgres, pytest.mark.lang]
USERS = {
    "beurten": ("throttling/test_database.py", "throttling/test_bookkeeping.py"),
    "lijsten": ("running/test_preparation.py", "product/test_lists.py", "product/test_lists_that_fail.py"),
    "beheer": ("product/test_beheer.py", "product/test_beheer_lists.py", "product/test_beheer_queues.py"),
    "rapporten": ("reports/making/test_desk.py",),
}


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    with a_server() as one:
        yield one


@pytest.mark.parametrize("who", USERS)
def test_whoever_uses_the_database_does_the_same_on_postgresql(server: Postgres, who: str) -> None:
    files = [str(PROJECT / "tests" / name) for name in USERS[who]]
    # A connection that a test leaves in a thread that ends is closed with it; SQLite says nothing of that.
    options = ["-q", "-p", "no:randomly", "--reuse-db", "-W", "ignore::pytest.PytestUnraisableExceptionWarning"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *files],
        check=False,
        cwd=PROJECT,
        env=os.environ | {"TESTS_DATABASE": a_database(server)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-5000:]
