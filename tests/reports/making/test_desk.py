"""What the desk takes on, what it refuses, and what it keeps of who asked for what."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
import time_machine
from cryptography.fernet import Fernet
from django.db import OperationalError

from connectors.moments import now
from reports import storage, upkeep
from reports.exceptions import DeskClosedError, WishRefusedError
from reports.models import ReportAsk, ReportPart, ReportRun
from reports.records import Reason, ReportStatus, Wish
from reports.sealing import Seal
from reports.storage import Storage
from tests.reports.making.conftest import Bureau
from tests.support.threads import in_thread
from throttling.load import AskState
from throttling.load_rules import Signal
from throttling.store import StoreLostError

pytestmark = pytest.mark.anyio


async def test_the_same_again_by_the_same_requester_is_one_report_at_one_address(bureau: Bureau) -> None:
    """Rule L7: while it waits, runs, and is fresh; whatever the order of the parameters."""
    first = await bureau.ask("vraag=zonnepanelen&platform=opentk")
    again = await bureau.ask("platform=opentk&vraag=zonnepanelen&pagina=3")
    assert again.token == first.token
    await bureau.work()
    fresh = await bureau.ask("vraag=zonnepanelen&platform=opentk")
    assert (fresh.token, fresh.status) == (first.token, ReportStatus.READY)
    assert await bureau.count(ReportAsk) == await bureau.count(ReportRun) == 1


async def test_another_requester_has_an_address_of_his_own_and_the_same_computation(bureau: Bureau) -> None:
    """Rule L7."""
    one = await bureau.ask("vraag=zonnepanelen&platform=opentk", by="adres:a")
    other = await bureau.ask("vraag=zonnepanelen&platform=opentk", by="adres:b")
    assert one.token != other.token
    assert bureau.sent == [row["run"] for row in await bureau.rows(ReportRun)]
    await bureau.work()
    late = await bureau.ask("vraag=zonnepanelen&platform=opentk", by="adres:c")
    assert late.status is ReportStatus.READY
    reports = [await bureau.desk.report(token) for token in (one.token, other.token, late.token)]
    assert len({report.made_at for report in reports if report}) == 1
    assert await bureau.count(ReportRun) == 1


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("", Reason.NOTHING),
        ("platform=opentk", Reason.NOTHING),
        ("vraag=%3F%3F", Reason.NOTHING),
        ("organisatie=nergenshuizen", Reason.NOTHING),
        ("vraag=" + "a" * 501, Reason.TOO_LONG),
    ],
)
async def test_a_report_over_nothing_or_over_everything_without_words_is_refused(
    bureau: Bureau, target: str, reason: Reason
) -> None:
    with pytest.raises(WishRefusedError) as refused:
        await bureau.ask(target)
    assert (refused.value.reason, refused.value.come_back_at) == (reason, None)
    assert await bureau.count(ReportAsk) == 0


async def test_a_filter_that_stands_by_itself_is_enough(bureau: Bureau) -> None:
    assert (await bureau.ask("organisatie=gemeente-soest&soort=motie")).status is ReportStatus.REQUESTED


async def test_a_thousand_requests_by_one_requester_leave_five_reports_and_a_time_to_come_back(bureau: Bureau) -> None:
    """Rule L12."""
    refusals, tokens = [], set()
    for number in range(1000):
        try:
            tokens.add((await bureau.ask(f"vraag=zonnepanelen+{number % 200}&platform=opentk")).token)
        except WishRefusedError as refused:
            refusals.append(refused)
    assert {refused.reason for refused in refusals} == {Reason.HOUR}
    assert (len(refusals), len(tokens)) == (975, 5)  # each of the five was asked for five times
    assert all(refused.come_back_at and refused.come_back_at > now() for refused in refusals)
    assert await bureau.count(ReportAsk) == await bureau.count(ReportRun) == 5


async def test_sixty_asked_in_the_same_second_are_all_taken_on_or_refused_with_a_reason(bureau: Bureau) -> None:
    """Nothing half: what has an address is known at the gate, and what was refused left nothing."""
    asks = [bureau.ask(f"vraag=zonnepanelen+{number}", by=f"adres:{number}") for number in range(60)]
    found = await asyncio.gather(*asks, return_exceptions=True)
    kept = [one for one in found if not isinstance(one, BaseException)]
    assert all(isinstance(one, WishRefusedError) for one in found if isinstance(one, BaseException))
    assert len({one.token for one in kept}) == len(kept) == await bureau.count(ReportAsk)
    seen, _ = await bureau.office.gate.overview()
    assert len(seen.asks) == len(kept)
    assert len(bureau.sent) == seen.running == 4


async def test_an_address_that_nobody_has_shows_nothing(bureau: Bureau) -> None:
    for token in ("x" * 32, "", "\ud800", "../../etc"):
        assert await bureau.desk.standing(token) is None
        assert await bureau.desk.report(token) is None
        assert await bureau.desk.cancel(token) is None


async def test_without_the_store_the_desk_is_closed_and_nothing_is_taken_on(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lost(*_: object) -> None:
        raise StoreLostError

    monkeypatch.setattr(bureau.office.gate, "ask", lost)
    with pytest.raises(DeskClosedError) as closed:
        await bureau.ask()
    assert closed.value.retry_after > 0
    assert await bureau.count(ReportAsk) == 0
    assert await bureau.count(ReportRun) == 0


async def test_no_question_and_no_address_can_be_read_in_database_or_store(bureau: Bureau) -> None:
    standing = await bureau.ask("vraag=zonnepanelen+staalwol&platform=opentk")
    await bureau.work()
    other = await bureau.ask("vraag=zonnepanelen+staalwol&platform=opentk", by="adres:b")
    seen, _ = await bureau.office.gate.overview()
    held = repr(seen).encode()
    for row in (*await bureau.rows(ReportAsk), *await bureau.rows(ReportRun)):
        held += b"".join(bytes(one) if isinstance(one, bytes) else repr(one).encode() for one in row.values())
    for secret in (standing.token, other.token, "staalwol", "zonnepanelen"):
        assert secret.encode() not in held
    assert "staalwol" not in repr((standing, standing.wish))
    assert standing.token not in repr(standing)


async def test_after_fourteen_days_all_of_it_is_gone(bureau: Bureau) -> None:
    standing = await bureau.ask("vraag=zonnepanelen&platform=opentk")
    await bureau.work()
    kept = await bureau.standing(standing.token)
    assert kept.kept_until - kept.asked_at == timedelta(days=14)
    with time_machine.travel(kept.kept_until - timedelta(minutes=1), tick=False):
        await upkeep.look_after(bureau.office)
        assert await bureau.desk.report(standing.token) is not None
    with time_machine.travel(kept.kept_until, tick=False):
        assert await bureau.desk.standing(standing.token) is None
        assert await bureau.desk.report(standing.token) is None
        await upkeep.look_after(bureau.office)
    for model in (ReportAsk, ReportRun, ReportPart):
        assert await bureau.count(model) == 0
    with pytest.raises(WishRefusedError):
        await bureau.desk.ask(Wish(""), "adres:a")


async def test_a_worker_that_falls_silent_is_told_with_when_it_was_heard_last_and_nothing_more(bureau: Bureau) -> None:
    """Rule L10: until its lease ends nobody knows whether it died."""
    gate = bureau.office.gate
    gate.frozen = now().timestamp()
    one = await bureau.ask("vraag=een", by="adres:a")
    run = bureau.sent.pop()
    gate.frozen = one.now.timestamp()
    await gate.take(run, "werker")
    await gate.renew(run, "werker", 4, 12)
    for after, silent in ((1, False), (3, False), (5, True), (19, True)):
        with time_machine.travel(one.now + timedelta(seconds=after), tick=False):
            gate.frozen = one.now.timestamp() + after
            seen = await bureau.standing(one.token)
            assert (seen.status, seen.last_sign is not None) == (ReportStatus.BUSY, silent)
            assert seen.last_sign is None or abs(seen.last_sign - one.now) < timedelta(milliseconds=1)
    await gate.renew(run, "werker", 5, 12)
    assert (await bureau.standing(one.token)).last_sign is None


async def test_who_waits_sees_place_and_start_come_nearer_and_hears_a_time_when_it_takes_too_long(
    bureau: Bureau,
) -> None:
    """Rules L5 and L6, at the desk: in the time of the gate."""
    await in_thread(bureau.rules, slots=1, pace=10.0, longest_wait=1800.0, lease=100_000.0)
    gate = bureau.office.gate
    gate.frozen = now().timestamp()
    await bureau.ask("vraag=een", by="adres:a")
    run = bureau.sent.pop()
    await gate.take(run, "werker")
    one, other = await bureau.ask("vraag=twee", by="adres:b"), await bureau.ask("vraag=drie", by="adres:c")
    assert (one.status, one.place, other.place) == (ReportStatus.WAITS, 1, 2)
    assert one.start_in is not None
    assert other.start_in is not None
    assert one.start_in < other.start_in
    assert one.start_at == one.now + timedelta(seconds=one.start_in)
    with time_machine.travel(one.now + timedelta(minutes=5), tick=False):
        gate.frozen += 300
        await gate.renew(run, "werker", 30, 60, left=200.0)
        nearer, behind = await bureau.standing(one.token), await bureau.standing(other.token)
        assert (nearer.now, nearer.place, nearer.start_in) == (one.now + timedelta(minutes=5), 1, 200)
        assert nearer.start_at == one.now + timedelta(seconds=500) < one.start_at
        assert behind.start_at is not None
        assert other.start_at is not None
        assert nearer.start_at < behind.start_at < other.start_at
        await gate.done(run, "werker", AskState.READY)
        assert (await bureau.standing(one.token)).status is ReportStatus.REQUESTED
        moved = await bureau.standing(other.token)
        assert (moved.status, moved.place) == (ReportStatus.WAITS, 1)
    gate.frozen += 1501
    refused = await bureau.standing(other.token)
    assert (refused.status, refused.reason) == (ReportStatus.REFUSED, Reason.WAIT)
    assert refused.come_back_at is not None
    later = await bureau.standing(other.token)
    assert replace(later, now=refused.now) == refused


async def test_an_ask_whose_refusal_did_not_reach_the_database_is_put_right(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An event that is lost on its way: the gate says it, and upkeep writes it down."""
    await in_thread(bureau.rules, slots=1, lease=100_000.0)
    gate = bureau.office.gate
    gate.frozen = now().timestamp()
    await bureau.ask("vraag=een", by="adres:a")
    waits = await bureau.ask("vraag=twee", by="adres:b")
    gate.frozen += 1801
    await gate.overview()
    monkeypatch.setattr(upkeep, "_SETTLED", -upkeep._SETTLED)
    await upkeep.look_after(bureau.office)
    gate.frozen += 7200
    found = await bureau.standing(waits.token)
    assert (found.status, found.reason) == (ReportStatus.REFUSED, Reason.WAIT)


async def test_a_machine_that_is_full_without_reports_takes_none_on_and_says_when_to_come_back(bureau: Bureau) -> None:
    """Rule L8."""
    await in_thread(bureau.rules, counts=frozenset(Signal))
    await bureau.office.gate.measure("machine", {Signal.PROCESSOR: 0.9})
    with pytest.raises(WishRefusedError) as refused:
        await bureau.ask()
    assert refused.value.reason is Reason.FULL
    assert refused.value.come_back_at is not None
    assert refused.value.come_back_at > now()
    assert await bureau.count(ReportAsk) == 0


async def test_when_as_many_are_open_as_may_be_nothing_is_taken_on_and_a_time_is_said(bureau: Bureau) -> None:
    await in_thread(bureau.rules, slots=1, most_open=2)
    asked = [await bureau.ask(f"vraag={word}", by=f"adres:{word}") for word in ("een", "twee")]
    with pytest.raises(WishRefusedError) as refused:
        await bureau.ask("vraag=drie", by="adres:drie")
    assert refused.value.reason is Reason.QUEUE
    assert refused.value.come_back_at is not None
    assert now() < refused.value.come_back_at <= now() + timedelta(minutes=30)
    assert await bureau.count(ReportAsk) == 2
    await bureau.desk.cancel(asked[1].token)
    assert (await bureau.ask("vraag=drie", by="adres:drie")).status is ReportStatus.WAITS


async def test_how_long_a_report_probably_takes_is_learnt_from_the_last_ones(bureau: Bureau) -> None:
    """Rule L11: an estimate begins with how many parts reports have here."""
    first = await bureau.ask("vraag=zonnepanelen&platform=opentk")
    await bureau.work()
    made = await bureau.standing(first.token)
    assert made.size != first.size
    assert (await bureau.ask("vraag=windmolens&platform=opentk")).size == made.size


async def test_without_the_database_the_desk_is_closed_and_the_gate_knows_nothing(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    standing = await bureau.ask()

    def away(*_: object) -> None:
        raise OperationalError

    monkeypatch.setattr(Storage, "_take_on", away)
    with pytest.raises(DeskClosedError):
        await bureau.ask("vraag=windmolens", by="adres:b")
    monkeypatch.setattr(Storage, "_asked", away)
    for work in (bureau.desk.standing, bureau.desk.report, bureau.desk.cancel):
        with pytest.raises(DeskClosedError):
            await work(standing.token)
    seen, _ = await bureau.office.gate.overview()
    assert len(seen.asks) == 1


async def test_a_database_that_goes_away_after_the_gate_said_yes_leaves_nothing_running(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rule L12: nor does it count for the hour of who asked."""
    await in_thread(bureau.rules, per_hour=1)
    await bureau.ask("vraag=zonnepanelen", by="adres:a")

    def away(*_: object) -> None:
        raise OperationalError

    with monkeypatch.context() as patch:
        patch.setattr(storage, "_join", away)
        with pytest.raises(DeskClosedError) as closed:
            await bureau.ask("vraag=zonnepanelen", by="adres:b")
    assert not closed.value.unsure
    seen, _ = await bureau.office.gate.overview()
    assert [ask.state for ask in seen.asks] == [AskState.RUNS]
    assert (await bureau.ask("vraag=zonnepanelen", by="adres:b")).status is ReportStatus.REQUESTED


async def test_under_another_key_an_address_shows_nothing(bureau: Bureau, monkeypatch: pytest.MonkeyPatch) -> None:
    standing = await bureau.ask()
    monkeypatch.setattr(bureau.office.storage, "seal", Seal(Fernet.generate_key().decode()))
    assert await bureau.desk.standing(standing.token) is None


async def test_the_same_asked_twenty_times_at_once_is_one_report_at_one_address(bureau: Bureau) -> None:
    """Rule L7: a button pressed again and again, or two tabs."""
    found = await asyncio.gather(*(bureau.ask("vraag=zonnepanelen&platform=opentk") for _ in range(20)))
    assert len({one.token for one in found}) == 1
    assert await bureau.count(ReportAsk) == await bureau.count(ReportRun) == len(bureau.sent) == 1
