"""What goes wrong while lists are written down: a name that no database takes, a lock, two writers at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest
from django.db import OperationalError, connection
from pytest_django import Settings

from besluitbron.running.layout import Layout
from connectors import refreshing, tasks
from connectors.apps import open_house
from connectors.lists import ORGANISATIONS, Row, Source, Trouble
from connectors.load_status import LoadState, LoadStatus
from connectors.models import ListManager, PlatformList, Writing
from connectors.moments import now
from connectors.platforms import OPEN_ARCHIVARIS, RECHTSPRAAK

pytestmark = [pytest.mark.anyio, pytest.mark.django_db(transaction=True)]
KEY = "open-raadsinformatie"
in_thread = asyncio.to_thread


@pytest.fixture(autouse=True)
def two_platforms(settings: Settings, tmp_path: Path) -> None:
    settings.LAYOUT = Layout(tmp_path)
    settings.UPKEEP_FACTORY = "tests.support.upkeep.HouseWithAnOddName"


def kept(platform: str) -> PlatformList:
    return PlatformList.objects.get(platform=platform, kind=ORGANISATIONS)


async def test_what_cannot_be_written_down_is_noted_and_leaves_all_old_lists_and_the_other_platforms(
    settings: Settings,
) -> None:
    """Lists come together or not at all, and one odd name is no reason to leave the platforms behind it."""
    await in_thread(refreshing.fill, open_house, settings.VERSION)
    await in_thread(tasks.refresh_outdated)
    odd = await in_thread(kept, OPEN_ARCHIVARIS.key)
    assert (odd.number, odd.source, odd.last_failure) == (1, Source.SHIPPED, Trouble.BROKEN)
    assert odd.tried_version == settings.VERSION
    assert (await in_thread(kept, RECHTSPRAAK.key)).tried_version == settings.VERSION
    assert not await in_thread(PlatformList.objects.filter(kind="wijken").exists)


async def test_a_database_that_is_locked_ends_no_round_of_maintenance(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    await in_thread(refreshing.fill, open_house, settings.VERSION)
    tried: list[str] = []

    def locked(_: object, platform: str, *arguments: object, **options: object) -> NoReturn:
        tried.append(platform)
        raise OperationalError

    monkeypatch.setattr(ListManager, "replace", locked)
    monkeypatch.setattr(ListManager, "note_trouble", locked)
    await in_thread(tasks.refresh_outdated)
    assert set(tried) == {OPEN_ARCHIVARIS.key, RECHTSPRAAK.key}


async def test_whoever_writes_a_list_locks_it_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two at once would each remove the rows of before and add their own: a list with every row twice.

    SQLite locks the whole database anyway; other databases are asked for it.
    """
    state = LoadStatus(now(), (LoadState("k", "x", "geladen"),))
    asked: list[str] = []

    def for_update(**_: object) -> str:
        asked.append("lock")
        return ""

    def locks(write: Callable[[], None]) -> int:
        monkeypatch.setattr(connection.features, "has_select_for_update", True)
        monkeypatch.setattr(connection.ops, "for_update_sql", for_update)
        asked.clear()
        write()
        return len(asked)

    writing, put = Writing("1", now()), PlatformList.objects
    assert await in_thread(locks, lambda: put.replace(KEY, "wijken", [Row("a", "b")], writing))
    assert await in_thread(locks, lambda: put.replace_load_status(KEY, state, writing))
    assert await in_thread(locks, lambda: put.note_trouble(KEY, Trouble.OTHER, writing))
