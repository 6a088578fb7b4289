"""One report from its turn to its end: what is asked of platforms, what a worker leaves to the next, and how it stops."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import OperationalError
from pytest_django import Settings

from besluitbron.reporting import ReportHouse
from connectors.moments import now
from connectors.platforms import PLATFORMS
from reports import codec, lease, storage, upkeep
from reports.apart import CONNECTIONS
from reports.models import ReportPart, ReportRun
from reports.records import CutReason, Reason, Report, ReportStatus
from reports.running import Run
from tests.reports.making.conftest import PATIENCE, Bureau, at_once, capped
from tests.support.threads import in_thread
from throttling.callers import Caller
from throttling.load_progress import FIRST_SIZE
from throttling.outgoing import Outgoing
from throttling.turns import OnWait, Wanted

pytestmark = pytest.mark.anyio


async def report_of(bureau: Bureau, token: str) -> Report:
    found = await bureau.desk.report(token)
    assert found is not None
    return found


async def all_calls(bureau: Bureau) -> dict[str, float]:
    return {platform.key: (await bureau.counted(platform.key))["aanroepen"] for platform in PLATFORMS}


@contextmanager
def beside(bureau: Bureau, worker: str = "werker") -> Iterator[asyncio.Task[None]]:
    """The next run that was sent, in a task that is killed at the end as a process is: nothing is said to anybody."""

    async def work() -> None:
        house = ReportHouse()
        async with house.office() as office:
            await Run(office, house.workshop, bureau.sent.pop(0), worker, at_once).go()

    task = asyncio.get_running_loop().create_task(work())
    try:
        yield task
    finally:
        task.cancel()


async def ended(task: asyncio.Task[None]) -> None:
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(task, return_exceptions=True)


async def parts(bureau: Bureau, number: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while await bureau.count(ReportPart) < number:
            await asyncio.sleep(0.02)


async def test_a_question_over_all_bodies_is_one_question_to_each_platform(bureau: Bureau, settings: Settings) -> None:
    capped(settings, hits=7, texts=0)
    standing = await bureau.ask("vraag=zonnepanelen")
    await bureau.work()
    report = await report_of(bureau, standing.token)
    assert (await all_calls(bureau))["openbesluitvorming"] == 1
    assert report.sources == tuple(platform.key for platform in PLATFORMS)
    assert [row["takes"] for row in await bureau.rows(ReportRun)] == [1]


async def test_both_caps_are_divided_over_the_platforms_and_the_report_says_what_was_left(
    bureau: Bureau, settings: Settings
) -> None:
    capped(settings, hits=12, texts=4)
    standing = await bureau.ask("vraag=zonnepanelen")
    await bureau.work()
    report = await report_of(bureau, standing.token)
    assert (report.most_hits, report.most_texts) == (12, 4)
    assert sum(total.taken for total in report.totals) == 12
    assert sorted(total.taken for total in report.totals) == [0, 1, 2, 2, 2, 2, 3]
    read = [
        entry for body in report.overview.bodies for month in body.months for entry in month.entries if entry.reading
    ]
    assert len(read) == 4
    assert len({entry.hit.platform for entry in read}) >= 3
    assert {cut.reason for cut in report.cuts} == {CutReason.MOST_HITS, CutReason.MOST_TEXTS}


async def test_a_thing_on_two_platforms_is_read_once(bureau: Bureau, settings: Settings) -> None:
    capped(settings, hits=500, texts=200)
    standing = await bureau.ask("vraag=zonnepanelen&platform=open-raadsinformatie&platform=openbesluitvorming")
    await bureau.work()
    report = await report_of(bureau, standing.token)
    entries = [entry for body in report.overview.bodies for month in body.months for entry in month.entries]
    shared = [entry for entry in entries if len(entry.item.platforms) == 2]
    assert shared
    assert all(entry.reading for entry in entries)
    ended_ = await bureau.standing(standing.token)
    assert ended_.size == 2 + len(entries) + 1  # the last part is to put it together
    [searched, other] = [total.taken for total in report.totals]
    assert searched + other == len(entries) + len(shared)


async def test_another_worker_goes_on_from_the_last_part_and_asks_nothing_twice(bureau: Bureau) -> None:
    """Rule L10."""
    await in_thread(bureau.rules, lease=4.0)
    await bureau.put("rechtspraak", "traag", 60)
    standing = await bureau.ask()
    with beside(bureau, "eerste") as task:
        await parts(bureau, 6)
    await ended(task)
    before = await all_calls(bureau)
    await bureau.put("rechtspraak", "goed")
    async with asyncio.timeout(PATIENCE):
        while not bureau.sent:
            await bureau.standing(standing.token)
            await asyncio.sleep(0.05)
    await bureau.work("tweede")
    assert (await bureau.standing(standing.token)).status is ReportStatus.READY
    report = await report_of(bureau, standing.token)
    read = [
        entry for body in report.overview.bodies for month in body.months for entry in month.entries if entry.reading
    ]
    assert [int(str(row["takes"])) >= 2 for row in await bureau.rows(ReportRun)] == [True]
    after = await all_calls(bureau)
    assert after["open-archivaris"] - before["open-archivaris"] <= len(read)
    assert len(report.totals) == 7


async def test_a_half_done_report_of_another_version_starts_again_and_a_finished_one_stays_and_says_so(
    bureau: Bureau, settings: Settings
) -> None:
    done = await bureau.ask("vraag=zonnepanelen&platform=opentk")
    await bureau.work()
    await in_thread(bureau.rules, lease=4.0)
    await bureau.put("rechtspraak", "traag", 60)
    half = await bureau.ask("vraag=zonnepanelen")
    with beside(bureau) as task:
        await parts(bureau, 6)
    await ended(task)
    was = {row["version"] for row in await bureau.rows(ReportPart)}
    settings.VERSION = "9.9.9"
    await bureau.put("rechtspraak", "goed")
    before = await all_calls(bureau)
    async with asyncio.timeout(PATIENCE):
        while not bureau.sent:
            await bureau.standing(half.token)
            await asyncio.sleep(0.05)
    await bureau.work("nieuwe")
    assert was == {done.version}
    assert (await report_of(bureau, half.token)).version == "9.9.9"
    assert (await all_calls(bureau))["tweede-kamer"] > before["tweede-kamer"]
    old = await report_of(bureau, done.token)
    assert old.version == done.version != "9.9.9"
    assert (await bureau.standing(done.token)).version == done.version


def test_where_nobody_hears_that_work_is_cancelled_it_is_asked_for_within_a_second() -> None:
    """Rule L10: the channel may be lost."""
    assert lease._EVERY < 1


async def test_what_is_cancelled_stops_at_once_and_gives_everything_back(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rule L10: also in the middle of one long call, without waiting for a renewal; cancelled again it is the same."""
    monkeypatch.setattr(lease, "_EVERY", 1000.0)
    await in_thread(bureau.rules, lease=4000.0)
    await bureau.put("rechtspraak", "traag", 60)
    standing = await bureau.ask("vraag=huur&platform=rechtspraak")
    with beside(bureau) as task:
        async with asyncio.timeout(PATIENCE):
            while (await bureau.counted("rechtspraak"))["aanroepen"] < 1:
                await asyncio.sleep(0.02)
        cancelled = await bureau.desk.cancel(standing.token)
        assert cancelled is not None
        async with asyncio.timeout(PATIENCE):
            await task
    assert cancelled.status is ReportStatus.CANCELLED
    assert await bureau.desk.cancel(standing.token) is not None
    assert (await bureau.standing(standing.token)).status is ReportStatus.CANCELLED
    seen, _ = await bureau.office.gate.overview()
    assert seen.running == 0
    assert await bureau.desk.report(standing.token) is None
    assert await bureau.count(ReportPart) == 0


async def test_cancelling_one_of_two_addresses_leaves_the_other_its_report(bureau: Bureau) -> None:
    one = await bureau.ask("vraag=zonnepanelen&platform=opentk", by="adres:a")
    other = await bureau.ask("vraag=zonnepanelen&platform=opentk", by="adres:b")
    await bureau.desk.cancel(one.token)
    await bureau.work()
    assert (await bureau.standing(one.token)).status is ReportStatus.CANCELLED
    assert await bureau.desk.report(one.token) is None
    assert await bureau.desk.report(other.token) is not None


async def test_a_platform_that_is_dead_for_all_of_it_is_named_and_the_rest_stands(bureau: Bureau) -> None:
    await bureau.put("opentk", "dood")
    await bureau.put("openbesluitvorming", "onzin")
    standing = await bureau.ask()
    await bureau.work()
    report = await report_of(bureau, standing.token)
    failed = {cut.platform: cut for cut in report.cuts if cut.reason is CutReason.FAILED}
    assert set(failed) == {"opentk", "openbesluitvorming"}
    assert all(cut.values[0] for cut in failed.values())
    assert {total.platform for total in report.totals}.isdisjoint(failed)
    assert set(failed) < set(report.sources)


async def test_a_report_for_which_no_platform_answered_has_failed_and_says_why(bureau: Bureau) -> None:
    await bureau.put("opentk", "dood")
    standing = await bureau.ask("vraag=zonnepanelen&platform=opentk")
    await bureau.work()
    found = await bureau.standing(standing.token)
    assert (found.status, found.reason) == (ReportStatus.FAILED, Reason.NO_SOURCE)
    assert await bureau.desk.report(standing.token) is None


async def test_a_platform_that_dies_after_the_search_gives_up_its_texts_and_not_the_report(
    bureau: Bureau, settings: Settings
) -> None:
    capped(settings, hits=40, texts=20)
    await bureau.put("rechtspraak", "traag", 4)
    standing = await bureau.ask("vraag=zonnepanelen&platform=opentk&platform=rechtspraak")
    with beside(bureau) as task:
        await parts(bureau, 1)
        await bureau.put("opentk", "dood")
        async with asyncio.timeout(PATIENCE):
            await task
    report = await report_of(bureau, standing.token)
    assert {cut.reason for cut in report.cuts if cut.platform == "opentk"} == {CutReason.UNREAD}
    assert (await bureau.counted("opentk"))["aanroepen"] < 20


async def test_a_part_that_cannot_be_written_for_a_while_is_written_later(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database goes away in the middle, and comes back."""
    real, failures = codec.pack, iter([OSError(28, "vol"), OperationalError("weg"), OperationalError("weg")])

    def pack(value: object) -> bytes:
        failure = next(failures, None)
        if failure is not None:
            raise failure
        return real(value)

    monkeypatch.setattr(storage, "pack", pack)
    standing = await bureau.ask("vraag=zonnepanelen&platform=opentk")
    await bureau.work()
    assert (await bureau.standing(standing.token)).status is ReportStatus.READY
    assert next(failures, None) is None


async def test_on_a_full_disk_a_report_fails_with_a_reason_and_is_never_half_done(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(value: object) -> bytes:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(storage, "pack", full)
    standing = await bureau.ask("vraag=zonnepanelen&platform=opentk")
    await bureau.work()
    found = await bureau.standing(standing.token)
    assert (found.status, found.reason) == (ReportStatus.FAILED, Reason.DISK)
    assert await bureau.desk.report(standing.token) is None
    assert [row["state"] for row in await bureau.rows(ReportRun)] == ["mislukt"]


async def test_a_failure_that_could_not_be_written_down_is_seen_at_once_and_written_later(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database is away until the end: the gate knows, and upkeep tells the database when it is back."""
    standing = await bureau.ask("vraag=zonnepanelen&platform=opentk")

    def away(*_: object) -> None:
        raise OperationalError

    with monkeypatch.context() as patch:
        patch.setattr(storage, "pack", away)
        patch.setattr(storage, "_fail", away)
        await bureau.work()
    found = await bureau.standing(standing.token)
    assert (found.status, found.reason) == (ReportStatus.FAILED, Reason.DISK)
    monkeypatch.setattr(upkeep, "_SETTLED", -upkeep._SETTLED)
    await upkeep.look_after(bureau.office)
    assert [(row["state"], row["reason"]) for row in await bureau.rows(ReportRun)] == [("mislukt", "schijf")]


async def test_a_report_that_the_store_forgot_has_failed_and_says_so(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    standing = await bureau.ask()
    bureau.office.gate.key = "druk:{vergeten}:"
    found = await bureau.standing(standing.token)
    assert (found.status, found.reason) == (ReportStatus.FAILED, Reason.STORE)
    monkeypatch.setattr(upkeep, "_SETTLED", -upkeep._SETTLED)
    await upkeep.look_after(bureau.office)
    assert [(row["state"], row["reason"]) for row in await bureau.rows(ReportRun)] == [("mislukt", "opslag-weg")]


async def test_all_reports_are_one_session_at_every_platform(bureau: Bureau, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules R13 and L2: whoever searches competes with one session, however many reports run, and never with two calls."""
    callers: list[tuple[str, Caller]] = []
    real = Outgoing.turn

    def turn(turns: Outgoing, wanted: Wanted, caller: Caller, on_wait: OnWait) -> object:
        callers.append((wanted.service, caller))
        return real(turns, wanted, caller, on_wait)

    monkeypatch.setattr(Outgoing, "turn", turn)
    for number in range(2):
        await bureau.ask(f"vraag=zonnepanelen+{number}", by=f"adres:{number}")
    await bureau.work()
    assert {caller for _, caller in callers} == {Caller(session="rapporten", one_at_a_time=True)}
    assert len({service for service, _ in callers}) >= len(PLATFORMS)


async def test_a_call_longer_than_a_lease_costs_no_turn(bureau: Bureau) -> None:
    """Rule L10: the lease is renewed while somebody else's server takes its time."""
    await in_thread(bureau.rules, lease=4.0)
    await bureau.put("opentk", "traag", 9)
    standing = await bureau.ask("vraag=zonnepanelen&platform=opentk&soort=wet")
    await bureau.work()
    assert (await bureau.standing(standing.token)).status.is_final
    seen, _ = await bureau.office.gate.overview()
    assert [ask.deaths for ask in seen.asks] == [0]


async def test_a_worker_that_comes_back_from_the_dead_ends_nothing_of_its_successor(bureau: Bureau) -> None:
    """Rule L10: its lease ended while it slept, and another took the run."""
    await bureau.put("rechtspraak", "traag", 60)
    standing = await bureau.ask()
    with beside(bureau, "slaper") as sleeper:
        await parts(bureau, 6)
        gate = bureau.office.gate
        gate.frozen = now().timestamp() + 1000
        await bureau.standing(standing.token)
        taken, _ = await gate.take(bureau.sent.pop(), "opvolger")
        assert taken is not None
        assert taken.deaths == 1
        async with asyncio.timeout(PATIENCE):
            await sleeper
    found = await bureau.standing(standing.token)
    assert found.status is ReportStatus.BUSY or found.status is ReportStatus.REQUESTED
    assert await bureau.count(ReportPart) >= 6


async def test_reports_that_are_made_side_by_side_share_the_few_connections_of_their_process(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rule L2."""
    threads: set[int] = set()
    real = storage.Storage._keep_part

    def keep(kept: storage.Storage, run: str, key: str, value: object) -> None:
        threads.add(threading.get_ident())
        real(kept, run, key, value)

    monkeypatch.setattr(storage.Storage, "_keep_part", keep)
    for number in range(4):
        await bureau.ask(f"vraag=zonnepanelen+{number}&platform=opentk&platform=tweede-kamer", by=f"adres:{number}")
    with beside(bureau, "a") as a, beside(bureau, "b") as b, beside(bureau, "c") as c, beside(bureau, "d") as d:
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(a, b, c, d)
    assert 0 < len(threads) <= CONNECTIONS


async def test_the_size_is_foreseen_by_the_answers_that_are_kept_and_holds_while_pages_are_fetched(
    bureau: Bureau, settings: Settings
) -> None:
    """The bar: never smaller than foreseen while it collects, never full before the report is there, and never back."""
    capped(settings, hits=40, texts=8)
    first = await bureau.ask("vraag=zonnepanelen")
    assert first.size == FIRST_SIZE  # nobody has seen what there is
    await bureau.work()
    made = await bureau.standing(first.token)
    settings.VERSION = "9.9.9"
    again = await bureau.ask("vraag=zonnepanelen", by="adres:b")
    assert abs(again.size - made.size) <= 2
    await bureau.put("rechtspraak", "traag", 60)
    other = await bureau.ask("vraag=windmolens", by="adres:c")
    bureau.sent.pop(0)
    seen = []
    with beside(bureau) as task:
        while await bureau.count(ReportPart) < 6 and not task.done():
            seen.append(await bureau.standing(other.token))
        seen.append(await bureau.standing(other.token))
    assert all(one.size >= other.size and one.done < one.size for one in seen)
    assert [one.done for one in seen] == sorted(one.done for one in seen)
    assert other.size == made.size
