"""A disk that is full in the middle of a report, by SQLite's own word: its file may not grow, as on a disk without room."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import partial

import httpx
import pytest
from django.db import connection, connections
from pytest_django import Settings

from besluitbron.running.database import SQLITE
from reports import words
from reports.apart import StorageLostError
from reports.models import ReportPart, ReportRun
from reports.records import Reason, ReportStatus
from tests.product.test_api_rules import another
from tests.reports.making.conftest import Bureau
from tests.reports.making.test_said_truly import told
from tests.reports.making.test_whole_way import asked
from tests.support.threads import in_thread

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif("TESTS_DATABASE" in os.environ, reason="SQLite is told how large its file may grow"),
]
Open = Callable[[], AbstractAsyncContextManager[httpx.AsyncClient]]
ROOM = 6
"""Pages of 4096 bytes that are left: enough for some parts of a report, and not for all."""


@pytest.fixture
def site(bureau: Bureau, settings: Settings) -> Open:
    """The website, with a database that fills up."""
    settings.PATIENCE_SECONDS = 40.0
    return partial(another, 60)


def pages() -> int:
    """How many pages the file has."""
    with connection.cursor() as cursor:
        return int(cursor.execute("PRAGMA page_count").fetchone()[0])


async def test_a_full_disk_in_the_middle_ends_a_report_with_its_reason_and_room_again_makes_it(
    site: Open, bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with site() as client:
        address = (await asked(client, "zonnepanelen")).headers["location"]
        most = await in_thread(pages) + ROOM
        with monkeypatch.context() as patch:
            full = f"{SQLITE['init_command']} PRAGMA max_page_count={most};"
            patch.setitem(connections.settings["default"]["OPTIONS"], "init_command", full)
            await bureau.work()
            data, said = await told(client, address)
            assert await in_thread(pages) <= most
            with pytest.raises(StorageLostError) as failure:
                await bureau.office.storage.keep_part("geen", "groot", secrets.token_hex(100_000))
            assert str(failure.value.__cause__) == "database or disk is full"
        assert (data["staat"], data["reden"]) == (ReportStatus.FAILED, Reason.DISK)
        assert words.reason(Reason.DISK) in said
        [run] = await bureau.rows(ReportRun)
        assert (run["state"], run["body"]) == ("mislukt", None)
        assert isinstance(run["done"], int)
        assert run["done"] > 0, "some parts were kept before"
        assert await bureau.count(ReportPart) == 0
        assert (await client.get(f"{address}.csv")).status_code == 404
        seen, _ = await bureau.office.gate.overview()
        assert seen.running == 0
        again = (await asked(client, "zonnepanelen")).headers["location"]
        await bureau.work()
        assert (await told(client, again))[0]["staat"] == ReportStatus.READY
