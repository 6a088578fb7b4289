"""The store is killed in the middle of a report: it comes back with what it knew, or knowing nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest
from pytest_django import Settings

from reports import upkeep
from reports.exceptions import DeskClosedError
from reports.models import ReportPart
from reports.records import Reason, ReportStatus, Standing
from tests.reports.making.conftest import PATIENCE, Bureau, opened
from tests.support.valkey import Valkey, private_valkey
from throttling.store import StoreLostError

pytestmark = pytest.mark.anyio
SLOW = "rechtspraak"


@pytest.fixture(params=[True, False], ids=["with-its-state", "empty"])
def valkey(request: pytest.FixtureRequest) -> Iterator[Valkey]:
    with private_valkey(keeps=request.param) as server:
        yield server


@pytest.fixture
async def shaken(valkey: Valkey, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Bureau]:
    """A desk on a store that a test may kill."""
    settings.STATE_STORE = valkey.address
    monkeypatch.setattr(upkeep, "_SETTLED", -upkeep._SETTLED)
    async with opened(settings) as one:
        yield one


async def looked_after(bureau: Bureau) -> None:
    """As upkeep does each minute, and then whatever was sent is made. A store that is just back is asked again."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                await upkeep.look_after(bureau.office)
                break
            except StoreLostError:
                await asyncio.sleep(0.05)
    await bureau.work()


async def all_ended(bureau: Bureau, tokens: list[str]) -> list[Standing]:
    async with asyncio.timeout(PATIENCE):
        while True:
            await looked_after(bureau)
            found = [await bureau.standing(token) for token in tokens]
            if all(one.status.is_final for one in found):
                return found
            await asyncio.sleep(0.1)


async def test_a_store_that_is_killed_in_the_middle_leaves_nothing_half_done_and_nobody_without_an_answer(
    shaken: Bureau, valkey: Valkey
) -> None:
    """Rule L10, and "Bad input and faults": each ask ends as done, or with a reason."""
    await asyncio.to_thread(shaken.rules, slots=1, lease=3.0)
    await shaken.put(SLOW, "traag", 40)
    made, waits = await shaken.ask(by="adres:a"), await shaken.ask("vraag=windmolens", by="adres:b")
    assert waits.status is ReportStatus.WAITS
    worker = asyncio.create_task(shaken.work())
    async with asyncio.timeout(PATIENCE):
        while await shaken.count(ReportPart) < 4:
            await asyncio.sleep(0.05)
    valkey.kill()
    for token in (made.token, waits.token):
        with pytest.raises(DeskClosedError):
            await shaken.standing(token)
        assert await shaken.desk.report(token) is None
    await shaken.put(SLOW, "goed")
    async with asyncio.timeout(PATIENCE):
        await worker
    assert await shaken.desk.report(made.token) is None
    valkey.start()
    for one in await all_ended(shaken, [made.token, waits.token]):
        report = await shaken.desk.report(one.token)
        if valkey.keeps:
            assert (one.status, report is None) == (ReportStatus.READY, False)
        else:
            assert (one.status, one.reason, report) == (ReportStatus.FAILED, Reason.STORE, None)
    again = await shaken.ask(by="adres:a")
    assert (again.token == made.token) == valkey.keeps
    [found] = await all_ended(shaken, [again.token])
    assert found.status is ReportStatus.READY
    assert await shaken.count(ReportPart) == 0
