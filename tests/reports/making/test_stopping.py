"""Reports that are ended by us: an operator stops one, or a worker is at it for too long. A real store and database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime

import pytest
from django.test import Client
from lxml import html

from connectors.moments import now
from reports import admin, lease, upkeep
from reports.codec import Made
from reports.exceptions import WishRefusedError
from reports.models import ReportPart, ReportRun, ReportStop, RunState
from reports.records import Reason, ReportStatus, Standing
from reports.running import NoReportError, Run
from reports.signals import Latest
from reports.storage import Storage
from reports.under_way import under_way
from tests.reports.making.conftest import PATIENCE, Bureau
from tests.reports.making.operators import PAGE, operator
from tests.reports.making.test_running import beside
from tests.support.pages import words_of
from tests.support.threads import in_thread
from throttling.load import AskState, Overview
from throttling.load import Standing as AtGate
from throttling.load_rules import LoadRules
from throttling.store import StoreLostError

pytestmark = pytest.mark.anyio
SLOW = "vraag=huur&platform=rechtspraak"


@asynccontextmanager
async def in_the_middle(bureau: Bureau, by: str = "adres:a") -> AsyncIterator[tuple[Standing, asyncio.Task[None]]]:
    """A report in the middle of one long call."""
    await bureau.put("rechtspraak", "traag", 60)
    standing = await bureau.ask(SLOW, by=by)
    with beside(bureau) as task:
        async with asyncio.timeout(PATIENCE):
            while (await bureau.counted("rechtspraak"))["aanroepen"] < 1:
                await asyncio.sleep(0.02)
        yield standing, task


async def stop_links(client: Client) -> list[str]:
    page = html.fromstring((await in_thread(client.get, PAGE)).content)
    return [str(link.get("href")) for link in page.xpath('//*[@data-lijst="rapporten"]//a')]


async def test_an_operator_stops_a_report_at_once_its_place_goes_to_another_and_who_asked_reads_why(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rule L10, as for what is cancelled: in the middle of a call, and without waiting for a renewal."""
    monkeypatch.setattr(lease, "_EVERY", 1000.0)
    await in_thread(bureau.rules, lease=4000.0, slots=1)
    client = await in_thread(operator, "view_loadchange", "change_loadchange")
    async with in_the_middle(bureau) as (standing, task):
        waits = await bureau.ask("vraag=zonnepanelen", by="adres:b")
        first, _ = await stop_links(client)
        sure = await in_thread(client.get, first)
        assert "Ja, stop dit rapport" in sure.content.decode()
        assert (await bureau.standing(waits.token)).status is ReportStatus.WAITS, "looking stops nothing"
        answer = await in_thread(client.post, first, follow=True)
        async with asyncio.timeout(PATIENCE):
            await task
    assert "Het rapport is gestopt." in answer.content.decode()
    assert "els: een rapport van lezers (bezig, 0 van" in words_of(html.fromstring(answer.content))
    [kept] = await bureau.rows(ReportStop)
    assert (kept["by"], kept["group"], kept["state"]) == ("els", "lezers", "bezig")
    found = await bureau.standing(standing.token)
    assert (found.status, found.reason) == (ReportStatus.FAILED, Reason.STOPPED)
    assert await bureau.desk.report(standing.token) is None
    assert await bureau.count(ReportPart) == 0
    assert (await bureau.standing(waits.token)).status is ReportStatus.REQUESTED
    seen, _ = await bureau.office.gate.overview()
    assert seen.running == 1


async def test_a_report_that_waits_is_stopped_too_and_does_not_count_for_its_hour(bureau: Bureau) -> None:
    await in_thread(bureau.rules, slots=1, per_hour=1)
    await bureau.ask("vraag=zonnepanelen", by="adres:a")
    waits = await bureau.ask("vraag=windmolens", by="adres:b")
    with pytest.raises(WishRefusedError):
        await bureau.ask("vraag=water", by="adres:b")
    client = await in_thread(operator, "view_loadchange", "change_loadchange")
    links = await stop_links(client)
    await in_thread(client.post, links[1])
    found = await bureau.standing(waits.token)
    assert (found.status, found.reason) == (ReportStatus.FAILED, Reason.STOPPED)
    assert (await bureau.ask("vraag=water", by="adres:b")).status is ReportStatus.WAITS


async def test_all_who_share_a_stopped_report_read_why_and_asking_again_makes_a_new_one(bureau: Bureau) -> None:
    one = await bureau.ask(by="adres:a")
    other = await bureau.ask(by="adres:b")
    client = await in_thread(operator, "view_loadchange", "change_loadchange")
    [link] = await stop_links(client)
    await in_thread(client.post, link)
    for token in (one.token, other.token):
        assert (await bureau.standing(token)).reason is Reason.STOPPED
    again = await bureau.ask(by="adres:a")
    assert again.token != one.token
    await bureau.work()
    assert (await bureau.standing(again.token)).status is ReportStatus.READY
    assert (await bureau.standing(one.token)).reason is Reason.STOPPED


async def test_what_is_over_is_not_stopped_and_that_is_said(bureau: Bureau) -> None:
    standing = await bureau.ask("vraag=zonnepanelen&platform=opentk")
    client = await in_thread(operator, "view_loadchange", "change_loadchange")
    [link] = await stop_links(client)
    await bureau.work()
    answer = await in_thread(client.post, link)
    assert answer.status_code == 404
    assert "Er is nu niets te stoppen." in answer.content.decode()
    assert (await bureau.standing(standing.token)).status is ReportStatus.READY
    assert await bureau.count(ReportStop) == 0


async def test_what_ends_just_as_it_is_stopped_stays_as_it_ended(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    standing = await bureau.ask("vraag=zonnepanelen&platform=opentk")
    client = await in_thread(operator, "view_loadchange", "change_loadchange")
    [link] = await stop_links(client)
    seen, _ = await bureau.office.gate.overview()
    monkeypatch.setattr(admin, "_seen", lambda rules: Latest(seen, rules))
    await bureau.work()
    answer = await in_thread(client.post, link, follow=True)
    assert "was net klaar of gestopt" in answer.content.decode()
    assert (await bureau.standing(standing.token)).status is ReportStatus.READY
    assert await bureau.count(ReportStop) == 0


async def test_who_may_only_look_sees_no_way_to_stop_and_cannot(bureau: Bureau) -> None:
    await bureau.ask()
    client = await in_thread(operator, "view_loadchange")
    assert await stop_links(client) == []
    [run] = [row["run"] for row in await bureau.rows(ReportRun)]
    assert (await in_thread(client.post, f"{PAGE}stoppen/{run}/")).status_code == 403
    assert await bureau.count(ReportStop) == 0


async def test_a_stop_that_the_store_did_not_hear_of_is_told_by_upkeep(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lost(*_: object) -> None:
        raise StoreLostError

    client = await in_thread(operator, "view_loadchange", "change_loadchange")
    async with in_the_middle(bureau) as (standing, task):
        [link] = await stop_links(client)
        with monkeypatch.context() as patch:
            patch.setattr(admin, "let_go", lost)
            answer = await in_thread(client.post, link, follow=True)
        assert "zodra de opslag weer antwoordt" in answer.content.decode()
        assert (await bureau.standing(standing.token)).reason is Reason.STOPPED
        assert (await bureau.office.gate.overview())[0].running == 1
        await upkeep.look_after(bureau.office)
        async with asyncio.timeout(PATIENCE):
            await task
    assert (await bureau.office.gate.overview())[0].running == 0


@pytest.mark.parametrize("by", ["adres:a", "adres:b"])
async def test_who_asks_for_a_report_of_which_the_stop_was_lost_gets_a_new_one(bureau: Bureau, by: str) -> None:
    stopped = await bureau.ask()
    [run] = [str(row["run"]) for row in await bureau.rows(ReportRun)]
    assert await bureau.office.storage.stop(run, Reason.STOPPED, 0, 1, bureau.office.clock())
    again = await bureau.ask(by=by)
    assert again.token != stopped.token
    await bureau.work()
    assert (await bureau.standing(again.token)).status is ReportStatus.READY
    assert (await bureau.standing(stopped.token)).reason is Reason.STOPPED


@pytest.mark.parametrize("by", ["adres:a", "adres:b"])
async def test_a_report_that_is_ready_just_after_its_stop_was_lost_answers_nobody(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    finish = Storage.finish

    async def stopped_first(storage: Storage, run: str, made: Made, size: int, at: datetime) -> bool:
        await storage.stop(run, Reason.STOPPED, 0, size, at)
        return await finish(storage, run, made, size, at)

    stopped = await bureau.ask()
    with monkeypatch.context() as patch:
        patch.setattr(Storage, "finish", stopped_first)
        await bureau.work()
    [at_gate] = (await bureau.office.gate.overview())[0].asks
    assert at_gate.state is AskState.FAILED
    assert (await bureau.standing(stopped.token)).reason is Reason.STOPPED
    again = await bureau.ask(by=by)
    assert again.token != stopped.token
    await bureau.work()
    assert (await bureau.standing(again.token)).status is ReportStatus.READY


async def test_a_worker_that_was_given_up_does_not_fail_what_another_goes_on_with(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rule L10: its lease ended just as it failed."""

    async def taken_over(self: Run, *_: object) -> Made:
        await self._office.gate.give_back(self._run, self._worker)
        await self._office.storage.begin(self._run)
        raise NoReportError(Reason.DISK)

    await bureau.ask()
    monkeypatch.setattr(Run, "_made", taken_over)
    await bureau.work()
    [row] = await bureau.rows(ReportRun)
    assert (row["state"], row["takes"]) == (RunState.OPEN, 2)


async def test_two_workers_that_end_the_same_report_both_find_it_ready(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish = Storage.finish

    async def twice(storage: Storage, run: str, made: Made, size: int, at: datetime) -> bool:
        return await finish(storage, run, made, size, at) and await finish(storage, run, made, size, at)

    monkeypatch.setattr(Storage, "finish", twice)
    asked = await bureau.ask()
    await bureau.work()
    assert (await bureau.standing(asked.token)).status is ReportStatus.READY
    assert (await bureau.ask()).token == asked.token


async def test_a_report_that_takes_longer_than_may_be_fails_with_a_reason_and_frees_its_place(bureau: Bureau) -> None:
    async with in_the_middle(bureau) as (standing, task):
        await upkeep.look_after(bureau.office)
        assert (await bureau.standing(standing.token)).status in {ReportStatus.BUSY, ReportStatus.REQUESTED}
        await in_thread(bureau.rules, longest_run=0.01)
        await upkeep.look_after(bureau.office)
        async with asyncio.timeout(PATIENCE):
            await task
    found = await bureau.standing(standing.token)
    assert (found.status, found.reason) == (ReportStatus.FAILED, Reason.DURATION)
    assert await bureau.count(ReportPart) == 0
    assert await bureau.desk.report(standing.token) is None
    assert (await bureau.office.gate.overview())[0].running == 0


async def test_what_has_a_place_and_no_worker_is_shown_so_with_other_advice_and_is_not_ended_for_taking_long(
    bureau: Bureau,
) -> None:
    """Rule L10: nobody is at it, so stopping it gives no worker back."""
    await in_thread(bureau.rules, slots=1, longest_run=60.0)
    standing = await bureau.ask()
    client = await in_thread(operator, "view_loadchange", "change_loadchange")
    page = html.fromstring((await in_thread(client.get, PAGE)).content)
    assert words_of(page.xpath('//*[@data-kop="Staat"]')[0]) == "begint"
    assert not page.xpath('//*[@data-raad="zonder-werker"]')
    bureau.office.gate.frozen = now().timestamp() + 600
    await bureau.office.gate.overview()  # from now on the store is ten minutes ahead
    answer = await in_thread(client.get, PAGE)
    page = html.fromstring(answer.content.decode())
    told = words_of(page.xpath('//*[@data-kop="Staat"]')[0])
    assert told.startswith("zonder werker sinds ")
    assert told.endswith(" uur (10 min)")
    assert words_of(page.xpath('//*[@data-cijfer="zonder-werker"]')[0]) == "1"
    assert words_of(page.xpath('//*[@data-cijfer="langste"]')[0]) == "–"
    assert "Stoppen helpt niet" in words_of(page.xpath('//*[@data-raad="zonder-werker"]')[0])
    [link] = await stop_links(client)
    assert "Stoppen hoeft hiervoor niet" in (await in_thread(client.get, link)).content.decode()
    await upkeep.look_after(bureau.office)
    assert not (await bureau.standing(standing.token)).status.is_final
    await bureau.work()
    assert (await bureau.standing(standing.token)).status is ReportStatus.READY


def at_gate(name: str, by: str, asked: float, **more: object) -> AtGate:
    given: dict[str, object] = {
        "id": name, "run": name, "state": AskState.WAITS, "place": 0, "start_in": None, "done": 0, "size": 60,
        "requester": by, "asked_at": asked, "told": None, "started_at": None, "deaths": 0, "now": 1000.0,
    }  # fmt: skip
    return AtGate(**(given | more))  # type: ignore[arg-type]


async def test_the_list_puts_what_is_made_longest_first_and_calls_requesters_by_letters() -> None:
    """No key, address or question of anybody."""
    asks = (
        at_gate("w2", "adres:b", 800.0, place=2),
        at_gate("w1", "mcp:c", 900.0, place=1),
        at_gate("r1", "adres:a", 100.0, state=AskState.RUNS, started_at=880.0, done=3),
        at_gate("r2", "adres:b", 200.0, state=AskState.RUNS, started_at=300.0, done=70),
        at_gate("r2b", "adres:d", 950.0, run="r2", state=AskState.RUNS, started_at=300.0, done=70),
        at_gate("r3", "adres:e", 960.0, state=AskState.RUNS, started_at=990.0, left_at=981.0),
        at_gate("r4", "adres:f", 970.0, state=AskState.RUNS, started_at=985.0, left_at=980.0, done=9),
    )
    seen = Overview(now=1000.0, running=2, most=4, asks=asks, signals={}, used={}, told=(), pace=1.0)
    rows = [(one.who, one.state, one.asked, one.made, one.parts) for one in under_way(seen, LoadRules(lease=20.0))]
    assert rows == [
        ("lezers B, lezers D", "bezig", "13 min", "12 min", "60 van 60"),
        ("lezers A", "bezig", "15 min", "2 min", "3 van 60"),
        ("lezers F", "zonder werker", "30 s", "", "9 van 60"),
        ("lezers E", "begint", "40 s", "", "0 van 60"),
        ("sessies van assistenten C", "wacht", "100 s", "", "0 van 60"),
        ("lezers B", "wacht", "3 min", "", "0 van 60"),
    ]
