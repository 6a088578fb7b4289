"""A small server that can run out of connections, and an installation that keeps its things there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.private_postgres import Postgres
from besluitbron.running.options import Options
from tests.support.postgres import ROOM, a_database, a_server, an_installation


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    with a_server(ROOM + 3) as one:
        yield one


@pytest.fixture(scope="module")
def installed(server: Postgres) -> Iterator[Options]:
    with an_installation(a_database(server)) as options:
        yield options
