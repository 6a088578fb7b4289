"""One real store for the tests of this room, and where asked for a database of a test's own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from tests.support.admission import database_of_its_own
from tests.support.valkey import PATIENCE, Valkey, private_valkey
from throttling.store import Store


@pytest.fixture(scope="session")
def valkey() -> Iterator[Valkey]:
    """A real Valkey. Tests take a ledger of their own in it."""
    with private_valkey() as server:
        yield server


@pytest.fixture
async def store(valkey: Valkey) -> AsyncIterator[Store]:
    """A way to it."""
    async with Store(valkey.address, PATIENCE) as found:
        yield found


@pytest.fixture
def database(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """An empty database."""
    with database_of_its_own(tmp_path, django_db_blocker):
        yield
