"""Contracts for tests: a gatehouse without a database behind it, and a database of a test's own where one is needed."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Final

from django.core.management import call_command
from django.db import connections
from pytest_django import DjangoDbBlocker, Settings

from admission.books import Books
from admission.fetch import Failure, Fetch, FetchError
from admission.gatehouse import Gatehouse
from besluitbron.admission import make_gatehouse
from besluitbron.composition import Reach, open_reach
from tests.support.valkey import Valkey
from throttling.store import Script

RESTING: Final = f"{__name__}.open_resting"
"""For ``settings.ADMISSION_FACTORY``: nothing is looked after meanwhile, and no database is touched before somebody asks."""
_TEXT: Final = "redis.call('HSET', KEYS[1] .. 'stand:', 'open', '0') return 1"
_RESTED: Final = Script(_TEXT, hashlib.sha1(_TEXT.encode()).hexdigest())
FETCH: Final[list[Fetch]] = []
"""Who fetches documents with keys of others for the next gatehouse: the last one here."""
_NUMBERS = itertools.count()


async def _fetch_nothing(url: str, most: int) -> bytes:
    raise FetchError(Failure.UNREACHABLE)


FETCH.append(_fetch_nothing)


@asynccontextmanager
async def open_resting(reach: Reach) -> AsyncIterator[Gatehouse]:
    """The gatehouse by the settings, with its store open for decisions from the start."""
    books = Books()
    try:
        house = make_gatehouse(reach, books, FETCH[-1])
        await house.admissions.open(0.0)
        # Shared pools begin empty after a start; a test does not wait for them.
        await reach.store.run(_RESTED, house.admissions.key, ())
        yield house
    finally:
        books.close()


@asynccontextmanager
async def gatehouse_at(valkey: Valkey, settings: Settings) -> AsyncIterator[Gatehouse]:
    """A gatehouse at a store that is emptied first, for tests of what lies behind the doors."""
    valkey.flush()
    settings.STATE_STORE = valkey.address
    settings.TURNS_MEMORY = "throttling.memory.ForgetfulMemory"
    async with open_reach() as reach, open_resting(reach) as house:
        yield house


@contextmanager
def database_of_its_own(folder: Path, blocker: DjangoDbBlocker) -> Iterator[None]:
    """An empty SQLite database in ``folder``, for threads as well: what one leaves behind, no other finds."""
    name = folder / f"{next(_NUMBERS)}.sqlite3"
    connections.close_all()
    here = connections["default"]
    before = connections.settings["default"]["NAME"], here.settings_dict["NAME"]
    # Django does not close a database in memory, and would go on with it under the other name.
    aside, here.connection = here.connection, None
    connections.settings["default"]["NAME"] = here.settings_dict["NAME"] = name
    try:
        with blocker.unblock():
            call_command("migrate", verbosity=0)
            yield
    finally:
        connections.close_all()
        connections.settings["default"]["NAME"], here.settings_dict["NAME"] = before
        here.connection = aside
