"""One real store for the tests of this room."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.valkey import Valkey, private_valkey


@pytest.fixture(scope="session")
def valkey() -> Iterator[Valkey]:
    """A real Valkey. Tests take queues of their own in it."""
    with private_valkey() as server:
        yield server
