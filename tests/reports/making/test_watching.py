"""What is written down of the load, and the alarms and figures that operators get of it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from lxml import html

from connectors.moments import now
from reports.apart import Apart
from reports.connections import Held, held
from reports.exceptions import WishRefusedError
from reports.minutes import Minute, merged
from reports.models import LoadMinute
from reports.operating import view
from reports.records import Reason
from reports.signals import BOUNDS, SEARCH_BOUNDS, Latest, Noting, Seen
from reports.watching import AlarmKind, alarms
from tests.reports.making.conftest import Bureau
from tests.reports.making.operators import PAGE, operator
from tests.support.pages import words_of
from tests.support.threads import in_thread
from throttling.load import AskState, Overview, Standing, Waited
from throttling.load import Reason as AtGate
from throttling.load_rules import LoadRules, Signal
from throttling.operating.chart import MINUTES

pytestmark = pytest.mark.anyio


async def test_each_minute_is_written_down_with_what_was_refused_and_how_long_pages_took(bureau: Bureau) -> None:
    seen = Seen()
    seen.page(0.03)
    seen.count("refused:vol")
    minute = now().replace(second=0, microsecond=0)
    noting = Noting(seen, bureau.office.gate, Apart(), bureau.office.passing.on, now)
    await noting.look()
    await noting.note(minute)
    [row] = await bureau.rows(LoadMinute)
    [found] = merged([(minute, row["figures"])])  # type: ignore[list-item]
    assert (found.counts, sum(found.pages), found.running) == ({"refused:vol": 1}, 1, 0)


async def test_refusals_are_counted_by_reason_and_repeats_apart(bureau: Bureau) -> None:
    before = bureau.office.seen.totals.copy()
    await in_thread(bureau.rules, per_hour=1)
    await bureau.ask("vraag=zonnepanelen")
    await bureau.ask("vraag=zonnepanelen")
    with pytest.raises(WishRefusedError) as refused:
        await bureau.ask("vraag=windmolens")
    assert refused.value.reason is Reason.HOUR
    counted = bureau.office.seen.totals - before
    assert counted == {"asked:starts": 1, "asked:same": 1, "refused:uur": 1}


def overview(**changes: Any) -> Overview:
    given: dict[str, Any] = {
        "now": now().timestamp(), "running": 0, "most": 4, "asks": (), "signals": {Signal.PROCESSOR: (0.9, True)},
        "used": {}, "told": (), "pace": 1.0,
    }  # fmt: skip
    return Overview(**(given | changes))


def latest(seen: Overview | None = None) -> Latest:
    """Under the rules as they come."""
    return Latest(overview() if seen is None else seen, LoadRules())


def minute(ago: int, **changes: Any) -> Minute:
    given: dict[str, Any] = {
        "at": now().replace(second=0, microsecond=0) - timedelta(minutes=ago), "counts": {},
        "pages": (0,) * (len(BOUNDS) + 1), "running": 0, "waiting": 0, "oldest": 0.0, "signals": {"processor": 0.9},
    }  # fmt: skip
    return Minute(**(given | changes))


async def test_a_queue_that_only_grows_is_an_alarm_and_one_that_shrinks_between_is_none() -> None:
    def said(waiting: list[int]) -> set[AlarmKind]:
        minutes = [minute(len(waiting) - n, waiting=number, signals={}) for n, number in enumerate(waiting)]
        return {alarm.kind for alarm in view(latest(), minutes, now()).alarms}

    assert said([0, 1, 1, 2, 3, 3, 4, 5, 8, 9]) == {AlarmKind.GROWS}
    assert said([0, 1, 1, 2, 1, 3, 4, 5, 8, 9]) == set()
    assert said([4] * 10) == said([1, 2, 3]) == set()


async def test_one_who_asks_more_than_half_of_all_is_an_alarm_also_where_most_of_it_was_refused() -> None:
    many = view(latest(overview(asked={"adres:a": 5, "adres:b": 4}, turned_away={"adres:a": 3})), [], now())
    assert [alarm.kind for alarm in many.alarms] == [AlarmKind.ONE_ASKS_MOST]
    assert "uit de groep lezers, deed 8 van de 12 aanvragen" in many.alarms[0].words
    assert "adres:" not in many.alarms[0].words
    alike = overview(asked={"adres:a": 4, "adres:b": 4, "adres:c": 4}, turned_away={"adres:b": 1, "adres:c": 1})
    assert view(latest(alike), [], now()).alarms == ()


async def test_at_the_rules_as_delivered_one_who_asks_more_than_half_rings_on_the_page_and_others_do_not(
    bureau: Bureau,
) -> None:
    """The design page, "When it is the wrong tool": five an hour are accepted of anybody, what is refused counts too."""
    client = await in_thread(operator, "view_loadchange")

    async def rings() -> list[str]:
        page = html.fromstring((await in_thread(client.get, PAGE)).content.decode())
        return [words_of(alarm) for alarm in page.xpath('//*[@data-cijfer="alarm"]')]

    assert bureau.office.gate.rules.per_hour == LoadRules().per_hour == 5
    for number in range(2):
        await bureau.ask(f"vraag=wind+{number}", by="adres:b")
    for number in range(5):
        await bureau.ask(f"vraag=zon+{number}", by="adres:a")
    assert await rings() == []
    for number in range(5, 8):
        with pytest.raises(WishRefusedError):
            await bureau.ask(f"vraag=zon+{number}", by="adres:a")
    [words] = await rings()
    assert "Eén vrager, uit de groep lezers, deed 8 van de 10 aanvragen" in words
    for number in range(2, 8):
        if number < 5:
            await bureau.ask(f"vraag=wind+{number}", by="adres:b")
        else:
            with pytest.raises(WishRefusedError):
                await bureau.ask(f"vraag=wind+{number}", by="adres:b")
    assert await rings() == []


async def test_free_reserved_connections_are_told_where_they_can_run_out() -> None:
    """Rule L2."""
    found = view(Latest(overview(), LoadRules(), Held(reports=2, most=3, reserved=94, free=90)), [], now())
    assert found.held == Held(reports=2, most=3, reserved=94, free=90)
    assert await in_thread(held, LoadRules()) is None


@pytest.mark.parametrize(
    ("rings", "minutes", "changes", "counts"),
    [
        (True, 60, {}, frozenset(Signal)),
        (True, 48, {}, frozenset(Signal)),
        (False, 47, {}, frozenset(Signal)),
        (False, 10, {}, frozenset(Signal)),
        (False, 60, {}, frozenset(Signal) - {Signal.PROCESSOR}),
        (False, 60, {"signals": {"processor": 0.79}}, frozenset(Signal)),
        (False, 60, {"signals": {"plaatsen": 0.8}}, frozenset(Signal)),
        (True, 60, {"signals": {"plaatsen": 0.8}, "waiting": 1}, frozenset(Signal)),
        (False, 60, {"signals": {"plaatsen": 0.8}, "waiting": 1}, frozenset({Signal.PROCESSOR})),
    ],
)
async def test_load_that_is_high_for_most_of_an_hour_by_what_counts_is_called_by_its_name(
    *, rings: bool, minutes: int, changes: dict[str, Any], counts: frozenset[Signal]
) -> None:
    """The design page: when it is the wrong tool, the page says so. Slots are meant to be used: unless somebody waits."""
    past = [minute(ago, **changes) for ago in range(minutes)]
    seen = view(Latest(overview(), LoadRules(counts=counts)), past, now())
    assert [alarm.kind for alarm in seen.alarms] == ([AlarmKind.ALL_HOUR] if rings else [])


async def test_an_hour_that_is_long_over_rings_no_more() -> None:
    past = [minute(ago) for ago in range(30, 30 + MINUTES)]
    assert alarms(overview(), LoadRules(), past) == ()


async def test_waiting_reports_and_searches_stand_on_one_axis_and_in_one_table() -> None:
    """The design page: that comparison tells whether the threshold is right; our own time for a page is told apart."""
    at = now()
    told = tuple((at.timestamp() - 300, at.timestamp() - 60, at.timestamp()) for _ in range(3))
    pages = (0, 0, 5) + (0,) * (len(BOUNDS) - 2)
    searches = (0,) * 9 + (18, 2) + (0,) * (len(SEARCH_BOUNDS) - 10)
    minutes = [minute(0, pages=pages, searches=searches), minute(7, pages=pages, searches=searches)]
    seen = view(latest(overview(told=told)), minutes, at)
    waited, half, most, own, waiting = seen.charts
    assert [bar.x for bar in waited.bars] == [half.bars[-1].x] == [most.bars[-1].x] == [own.bars[-1].x]
    assert len(half.bars) == len(most.bars) == len(own.bars) == 2
    assert (half.line, most.line) == (None, None)
    assert own.line is not None
    assert waiting.bars == ()
    assert seen.rows[-1].waited == "5 min"
    assert (seen.rows[-1].half, seen.rows[-1].most, seen.rows[-1].own) == ("2 s", "3 s", "0,05 s")
    assert seen.foretold == "3 van 3 binnen een kwart of een minuut; de middelste 60 s ernaast."


async def test_who_waited_in_vain_counts_as_foretold_wrong_on_the_page_of_operators() -> None:
    """Rule L11."""
    at = now()
    in_vain = (at.timestamp() - 1800, at.timestamp(), None)
    began = (at.timestamp() - 300, at.timestamp() - 60, at.timestamp())
    assert view(latest(overview(told=(in_vain, began))), [], at).foretold == (
        "1 van 2 binnen een kwart of een minuut; de middelste 60 s ernaast; niet aan de beurt gekomen: 1."
    )
    assert view(latest(overview(told=(in_vain,))), [], at).foretold == (
        "0 van 1 binnen een kwart of een minuut; niet aan de beurt gekomen: 1."
    )


async def test_what_was_asked_refused_and_waited_in_the_last_hour_is_on_the_page_of_operators() -> None:
    """The design page, "What operators see": by reason, by group of requesters, and how old the oldest is."""
    at = now()
    waits = Standing(
        id="v", run="r", state=AskState.WAITS, place=1, start_in=None, done=0, size=1, requester="adres:a",
        asked_at=at.timestamp() - 600, told=None, started_at=None, deaths=0, now=at.timestamp(),
    )  # fmt: skip
    waited = (Waited("mcp", 0.0, 30.0), Waited("mcp", 0.0, 50.0), Waited("adres", 0.0, None))
    busy = overview(now=at.timestamp(), asks=(waits,), waited=waited, late={AtGate.WAIT: 2})
    counts = ({"refused:vol": 2, "asked:same": 3, "asked:waits": 4}, {"refused:vol": 1, "asked:starts": 1})
    seen = view(latest(busy), [minute(ago, counts=one) for ago, one in enumerate(counts, 1)], at)
    assert seen.groups == (("lezers", 1, "10 min"), ("sessies van assistenten", 2, "40 s"))
    assert (seen.waiting, seen.oldest, seen.asked, seen.repeats) == (1, "10 min", 8, 3)
    assert [row for row in seen.refused if row[1]] == [("te druk zonder rapporten", 3)]
    assert [count for _, count in seen.late if count] == [2]
