"""A real buffer server for these tests, empty at the start of each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.cache import caches

from besluitbron.caches import DATABASES
from tests.support.buffers import Buffers, caches_at
from tests.support.valkey import Valkey, private_valkey


@pytest.fixture(scope="module")
def valkey() -> Iterator[Valkey]:
    with private_valkey() as server:
        yield server


@pytest.fixture
def buffers(valkey: Valkey) -> Iterator[Buffers]:
    with caches_at(valkey.path):
        for platform in DATABASES:
            caches[platform].clear()
        yield Buffers()
