"""A day of storm in invented time: many ask at once, one asks for everything, a worker dies, a signal flaps."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator

import pytest

from tests.support.valkey import PATIENCE, Valkey
from throttling.load import Answer, AskState, LoadGate, Reason
from throttling.load_rules import LoadRules
from throttling.load_simulation import FORETOLD, Fared, Outcome, TooFewForetoldError, storm
from throttling.load_stories import Machine, Work, quick_day, storm_day
from throttling.store import Store

pytestmark = pytest.mark.anyio
_NUMBERS = itertools.count()
HOUR = 3600


@pytest.fixture
async def store(valkey: Valkey) -> AsyncIterator[Store]:
    async with Store(valkey.address, PATIENCE) as opened:
        yield opened


def gate(store: Store, **more: float) -> LoadGate:
    """Ready runs are remembered for a day, so that each ask can be looked at when the storm is over."""
    return LoadGate(store, LoadRules(**{"fresh": 24.0 * HOUR, **more}), f"storm{next(_NUMBERS)}")  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.lang), pytest.param(3, marks=pytest.mark.lang)])
async def test_in_a_storm_nothing_is_lost_or_made_twice_and_starts_are_foretold_well(store: Store, seed: int) -> None:
    """Rules L4, L6, L7 and L11, and the figures of the design page."""
    found = await storm(gate(store), storm_day(seed), until=2 * HOUR, machine=Machine())
    assert found.shut > 0.1  # by what searches and the huge one make of the machine together
    assert (found.lost, found.twice) == (0, 0)
    assert found.most <= 4
    assert found.estimate_within >= 0.9
    waits = [one.started - one.work.at for one in found.asks if one.started is not None]
    assert max(waits) <= 1800
    assert [one.state for one in found.asks] == [
        AskState.READY
    ] * 60  # nobody waits for half an hour, so nobody is refused


@pytest.mark.parametrize("seed", [2, pytest.param(3, marks=pytest.mark.lang)])
async def test_when_sources_become_ten_times_slower_half_way_starts_are_foretold_by_what_runs(
    store: Store, seed: int
) -> None:
    """Rule L11: by the quick ones before alone, little more than half came within a quarter or a minute."""
    half_way = {0.5 * HOUR: 10.0}
    found = await storm(gate(store), quick_day(seed), until=4 * HOUR, machine=Machine(), slower=half_way)
    assert (found.lost, found.twice) == (0, 0)
    assert len(found.judged) > 15
    assert sum(found.judged) / len(found.judged) >= 0.85


def fared(
    answer: Answer, reason: Reason | None = None, state: AskState | None = None, told: float | None = None
) -> Fared:
    work = Work(at=0, by="a", what="iets", parts=1, seconds=1.0)
    return Fared(work=work, answer=answer, reason=reason, state=state, told=told, started=told)


def test_lost_is_what_is_neither_done_nor_refused_with_a_reason() -> None:
    fine = (
        fared(Answer.WAITS, state=AskState.READY),
        fared(Answer.REFUSED, Reason.FULL),
        fared(Answer.WAITS, Reason.WAIT, AskState.REFUSED),
    )
    lost = (
        *(fared(Answer.STARTS, state=state) for state in AskState if state is not AskState.READY),
        fared(Answer.REFUSED),
        fared(Answer.REFUSED, Reason.UNKNOWN),
        fared(Answer.WAITS),
    )
    assert Outcome(asks=(*fine, *lost), most=1, twice=0).lost == len(lost)


def test_of_next_to_nothing_that_was_foretold_no_share_is_told() -> None:
    well = fared(Answer.WAITS, state=AskState.READY, told=60.0)
    assert Outcome(asks=(well,) * FORETOLD, most=1, twice=0).estimate_within == 1.0
    with pytest.raises(TooFewForetoldError) as few:
        _ = Outcome(asks=(well,) * (FORETOLD - 1), most=1, twice=0).estimate_within
    assert few.value.judged == FORETOLD - 1


async def test_searches_that_fill_the_machine_by_themselves_are_why_reports_are_refused(store: Store) -> None:
    """Rule L8: no report runs, and none begins."""
    asks = [Work(at=120.0 + n, by=f"vrager{n}", what=f"iets{n}", parts=60, seconds=1.0) for n in range(5)]
    found = await storm(gate(store), asks, until=600, machine=Machine(searches=30.0))
    assert {one.reason for one in found.asks} == {Reason.FULL}
    calm = await storm(gate(store), asks, until=600, machine=Machine())
    assert {one.state for one in calm.asks} == {AskState.READY}


async def test_sixty_in_one_second_are_done_or_refused_with_a_time(store: Store) -> None:
    asks = [Work(at=0, by=f"vrager{n}", what=f"iets{n}", parts=100, seconds=1.0) for n in range(60)]
    found = await storm(gate(store), asks, until=3 * HOUR)
    assert (found.lost, found.twice, found.most) == (0, 0, 4)
    assert sum(one.state is AskState.READY for one in found.asks) == sum(
        one.answer is not Answer.REFUSED for one in found.asks
    )


async def test_a_worker_that_is_killed_costs_a_lease_and_nothing_else(store: Store) -> None:
    asks = [Work(at=0, by="a", what="iets", parts=100, seconds=1.0, dies_at=50)]
    found = await storm(gate(store, lease=20.0), asks, until=HOUR)
    assert found.asks[0].state is AskState.READY
    assert (found.lost, found.twice) == (0, 0)


async def test_a_flapping_signal_lets_no_crowd_start(store: Store) -> None:
    """Rule L4. A share that goes up and down around the threshold: runs start one by one as others end, as if it were shut."""
    asks = [Work(at=20, by=f"vrager{n}", what=f"iets{n}", parts=60, seconds=1.0) for n in range(8)]
    first = [Work(at=0, by="eerst", what="eerst", parts=300, seconds=1.0)]
    shares = {15.0 * n: 0.82 if n % 2 else 0.74 for n in range(1, 500)}
    found = await storm(gate(store, slots=20), [*first, *asks], until=2 * HOUR, shares=shares)
    assert found.most == 1
    assert found.lost == 0


async def test_a_machine_that_is_full_without_runs_refuses_until_it_is_not(store: Store) -> None:
    asks = [Work(at=60.0 * n + 1, by=f"vrager{n}", what=f"iets{n}", parts=10, seconds=1.0) for n in range(10)]
    found = await storm(gate(store), asks, until=HOUR, shares={0.0: 0.95, 300.0: 0.3})
    assert [one.reason for one in found.asks[:5]] == [Reason.FULL] * 5
    assert {one.state for one in found.asks[5:]} == {AskState.READY}
