"""When gate and database part: whoever asks gets a report or hears that there is none now, and nobody after him is harmed."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import OperationalError, connections

from reports import storage
from reports.exceptions import DeskClosedError
from reports.models import ReportAsk, ReportRun
from reports.records import ReportStatus
from tests.reports.making.conftest import Bureau
from tests.support.threads import in_thread
from throttling.load import LoadGate
from throttling.store import StoreLostError

pytestmark = pytest.mark.anyio
TARGET = "vraag=zonnepanelen&platform=opentk"


def lose_answers(monkeypatch: pytest.MonkeyPatch, gate: LoadGate, *names: str) -> None:
    """The store does what it is told, and its answer does not arrive."""
    for name in names:
        real = getattr(gate, name)

        async def lost(*arguments: Any, _real: Any = real, **more: Any) -> None:
            await _real(*arguments, **more)
            raise StoreLostError

        monkeypatch.setattr(gate, name, lost)


async def forget_rows() -> None:
    """The database loses all reports, and the gate does not."""

    def empty() -> None:
        try:
            ReportAsk.objects.all().delete()
            ReportRun.objects.all().delete()
        finally:
            connections.close_all()

    await in_thread(empty)


@pytest.mark.parametrize("lost", [("ask",), ("ask", "forget")])
async def test_an_answer_of_the_gate_that_is_lost_harms_nobody_who_asks_the_same_later(
    bureau: Bureau, lost: tuple[str, ...]
) -> None:
    """What the gate says that it took back did not come in; else nobody can tell."""
    with pytest.MonkeyPatch.context() as patch:
        lose_answers(patch, bureau.office.gate, *lost)
        with pytest.raises(DeskClosedError) as closed:
            await bureau.ask(TARGET)
    assert closed.value.unsure is ("forget" in lost)
    one, other = await bureau.ask(TARGET, by="adres:a"), await bureau.ask(TARGET, by="adres:b")
    await bureau.work()
    for standing in (one, other):
        assert (await bureau.standing(standing.token)).status is ReportStatus.READY


async def test_who_asks_again_after_only_the_answer_was_lost_gets_the_report_that_was_asked_for_and_not_two(
    bureau: Bureau,
) -> None:
    """Rule L7: the store goes away between the decision and what is said of it."""
    await in_thread(bureau.rules, per_hour=1)
    with pytest.MonkeyPatch.context() as patch:
        lose_answers(patch, bureau.office.gate, "see")
        with pytest.raises(DeskClosedError) as closed:
            await bureau.ask(TARGET)
    assert closed.value.unsure
    [ask] = (await bureau.office.gate.overview())[0].asks
    found = await bureau.ask(TARGET)
    await bureau.work()
    again = await bureau.ask(TARGET)
    assert (again.token, again.status) == (found.token, ReportStatus.READY)
    assert [one.id for one in (await bureau.office.gate.overview())[0].asks] == [ask.id]
    assert await bureau.count(ReportAsk) == await bureau.count(ReportRun) == 1


async def test_whether_it_was_cancelled_is_not_known_where_the_answer_of_the_gate_was_lost(bureau: Bureau) -> None:
    standing = await bureau.ask(TARGET)
    with pytest.MonkeyPatch.context() as patch:
        lose_answers(patch, bureau.office.gate, "cancel")
        with pytest.raises(DeskClosedError) as closed:
            await bureau.desk.cancel(standing.token)
    assert closed.value.unsure
    assert (await bureau.standing(standing.token)).status is ReportStatus.CANCELLED


async def test_what_the_gate_may_still_hold_keeps_its_row(bureau: Bureau, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(*_: object) -> None:
        raise StoreLostError

    monkeypatch.setattr(bureau.office.gate, "forget", away)
    with pytest.MonkeyPatch.context() as patch:
        lose_answers(patch, bureau.office.gate, "ask")
        with pytest.raises(DeskClosedError):
            await bureau.ask(TARGET)
    assert (await bureau.ask(TARGET)).status is ReportStatus.REQUESTED
    assert await bureau.count(ReportAsk) == await bureau.count(ReportRun) == 1


@pytest.mark.parametrize("is_made", [False, True])
async def test_a_report_that_is_written_down_nowhere_is_begun_again_for_who_asks_for_it(
    bureau: Bureau, *, is_made: bool
) -> None:
    """Rule L7 leads nobody to what is not there: the same requester, and another."""
    await bureau.ask(TARGET)
    if is_made:
        await bureau.work()
    await forget_rows()
    bureau.sent.clear()
    found = [await bureau.ask(TARGET, by=by) for by in ("adres:b", "adres:a", "adres:c")]
    await bureau.work()
    for standing in found:
        assert (await bureau.standing(standing.token)).status is ReportStatus.READY
    assert await bureau.count(ReportRun) == 1


async def test_what_starts_because_a_joined_ask_could_not_be_kept_is_sent_to_a_worker(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the gate brings about as it takes the ask back is passed on too."""
    await in_thread(bureau.rules, slots=1)
    first = await bureau.ask("vraag=een", by="adres:a")
    await bureau.ask("vraag=twee", by="adres:b")
    [run] = bureau.sent

    seen, _ = await bureau.office.gate.overview()
    asks = [ask.id for ask in seen.asks if ask.run == run]

    def away(*_: object) -> None:
        raise OperationalError

    monkeypatch.setattr(storage, "_join", away)
    real = bureau.office.storage.join

    async def join(*arguments: str) -> bool:
        await bureau.office.gate.cancel(asks[0])
        return await real(*arguments)

    monkeypatch.setattr(bureau.office.storage, "join", join)
    with pytest.raises(DeskClosedError):
        await bureau.ask("vraag=een", by="adres:c")
    assert len(bureau.sent) == 2
    assert (await bureau.standing(first.token)).status is ReportStatus.CANCELLED
