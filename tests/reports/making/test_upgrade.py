"""A new version over reports of the old one, with a real worker of each."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import suppress

import httpx
import pytest
from django.db import connection
from pytest_django import Settings

from besluitbron.asgi import make_application
from besluitbron.running.options import Options
from connectors.moments import now
from reports.exceptions import DeskClosedError
from reports.models import ReportPart, ReportRun, RunState
from reports.records import Reason, ReportStatus, Standing
from tests.reports.making.conftest import PATIENCE, Bureau, opened, worker
from tests.support.pages import main_text
from tests.support.serving import served
from tests.support.threads import in_thread

pytestmark = pytest.mark.anyio
OLD, NEW = "8.0.0", "9.0.0"


@pytest.fixture(autouse=True)
def old_version(settings: Settings) -> None:
    settings.VERSION = OLD


@pytest.fixture
async def site(bureau: Bureau, settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    settings.VERSION = NEW
    settings.PATIENCE_SECONDS = 40.0
    async with (
        served(make_application(), lifespan="on") as address,
        httpx.AsyncClient(base_url=address, timeout=60, verify=False) as client,
    ):
        yield client
    settings.VERSION = OLD


async def ended(bureau: Bureau, token: str) -> Standing:
    async with asyncio.timeout(PATIENCE):
        while True:
            with suppress(DeskClosedError):  # a busy machine
                if (standing := await bureau.standing(token)).status.is_final:
                    return standing
            await asyncio.sleep(0.2)


async def versions(bureau: Bureau) -> set[object]:
    return {row["version"] for row in await bureau.rows(ReportPart)}


async def test_after_an_upgrade_a_half_report_starts_again_and_a_finished_one_is_read_and_says_its_version(
    bureau: Bureau, to_worker: Options, settings: Settings
) -> None:
    """The version changes between two real workers; desk and website are of the new one as well.

    Rule L7: asked again, one of another version is not fresh.
    """
    await in_thread(bureau.rules, lease=12.0)
    with worker(to_worker, bureau.address, BESLUITBRON_VERSIE=OLD) as old:
        done = await bureau.ask("vraag=zonnepanelen&platform=opentk")
        assert (await ended(bureau, done.token)).status is ReportStatus.READY
        await bureau.put("rechtspraak", "traag", 50)
        half = await bureau.ask("vraag=zonnepanelen")
        async with asyncio.timeout(PATIENCE):
            while await bureau.count(ReportPart) < 6:
                assert old.poll() is None
                await asyncio.sleep(0.1)
        old.send_signal(signal.SIGTERM)
        await asyncio.to_thread(old.wait, 60)
    assert await versions(bureau) == {OLD}
    await bureau.put("rechtspraak", "goed")
    settings.VERSION = NEW
    async with opened(settings) as upgraded:
        with worker(to_worker, upgraded.address, BESLUITBRON_VERSIE=NEW):
            finished = await ended(upgraded, half.token)
        assert (finished.status, finished.version) == (ReportStatus.READY, NEW)
        assert finished.done == finished.size
        rows = {row["version"]: row["takes"] for row in await bureau.rows(ReportRun)}
        assert rows == {OLD: 1, NEW: 2}
        kept = await upgraded.desk.report(done.token)
        assert kept is not None
        assert kept.version == OLD
        again = await upgraded.ask("vraag=zonnepanelen&platform=opentk")
        assert again.token != done.token


async def test_what_ended_for_a_reason_that_only_another_version_knows_is_read_as_not_known(
    bureau: Bureau, site: httpx.AsyncClient
) -> None:
    """While a new version is put in, processes of the old one read what it writes."""
    asked = await bureau.ask()
    told = {"state": RunState.FAILED, "reason": "iets-nieuws", "ended_at": now()}
    await in_thread(lambda: ReportRun.objects.update(**told))
    found = (await site.get(f"/api/v1/rapporten/{asked.token}")).json()
    assert (found["staat"], found["reden"]) == (ReportStatus.FAILED, Reason.UNKNOWN)


async def test_a_version_that_knows_nothing_of_how_often_a_run_was_begun_can_write_one_down(bureau: Bureau) -> None:
    def write() -> None:
        names = "run, wish, version, state, reason, done, size, asked_at"
        with connection.cursor() as cursor:
            cursor.execute(
                f"INSERT INTO reports_reportrun ({names}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s)",
                ["van-vroeger", b"", OLD, "open", "", 0, 1, now()],
            )

    await in_thread(write)
    assert [row["takes"] for row in await bureau.rows(ReportRun)] == [0]


async def test_the_page_the_files_and_the_api_of_a_new_version_give_a_report_of_the_old_one_with_its_version(
    bureau: Bureau, site: httpx.AsyncClient, settings: Settings
) -> None:
    settings.VERSION = OLD
    async with opened(settings) as before:
        done = await before.ask("vraag=zonnepanelen&platform=opentk")
        await before.work()
    settings.VERSION = NEW
    where = f"/rapporten/{done.token}"
    assert f"door BesluitBron {OLD}" in main_text((await site.get(where)).text)
    assert (await site.get(f"/api/v1{where}")).json()["versie"] == OLD
    assert (await site.get(f"{where}.json")).json()["versie"] == OLD
    assert (await site.get(f"{where}.csv")).text.count(f";{OLD}") > 0
