"""Who goes first, and what those who wait are told of when (rules L5, L9 and L11), each as a small story in a real store."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.support.valkey import PATIENCE, Valkey
from tests.throttling.days import MINUTE, START, Day, rules
from throttling.load import Answer
from throttling.store import Store

pytestmark = pytest.mark.anyio


@pytest.fixture
async def store(valkey: Valkey) -> AsyncIterator[Store]:
    async with Store(valkey.address, PATIENCE) as opened:
        yield opened


async def test_who_waits_sees_a_place_and_a_start_that_come_nearer(store: Store) -> None:
    """Rule L5."""
    day = Day(store, rules())
    first, second, third = [await day.ask(name) for name in "abc"]
    assert (second.place, second.start_in) == (1, 600)
    assert (third.place, third.start_in) == (2, 1200)
    await day.work(first.run)
    day.later(5 * MINUTE)
    await day.gate.renew(first.run, "w", 5, 10)
    assert (await day.see(third.ask)).start_in == 900
    day.later(5 * MINUTE)
    await day.gate.renew(first.run, "w", 10, 10)
    await day.end(first.run)
    seen = await day.see(third.ask)
    assert (seen.place, seen.start_in) == (1, 600)


async def test_a_run_that_collects_is_as_long_as_was_foreseen_and_one_that_works_says_itself_how_long_still(
    store: Store,
) -> None:
    """Rule L11: a source that lets a run wait for minutes makes nobody behind it wait for hours, on paper."""
    day = Day(store, rules(pace=1.0))
    first = await day.ask("a", size=140)
    await day.work(first.run)
    waits = await day.ask("b", size=140)
    assert waits.start_in == 140
    day.later(5 * MINUTE)
    await day.gate.renew(first.run, "w", 7, 140)
    assert (await day.see(waits.ask)).start_in == 160  # as long again as it is over
    await day.gate.renew(first.run, "w", 9, 140, left=90.0)
    assert (await day.see(waits.ask)).start_in == 90
    day.later(15)
    assert (await day.see(waits.ask)).start_in == 75
    day.later(600)
    assert (await day.see(waits.ask)).start_in == 0


async def test_what_a_part_takes_is_learnt_by_kind_and_a_short_slow_run_says_little_of_others(store: Store) -> None:
    """Rule L11."""
    day = Day(store, rules(slots=10, pace=60.0))

    async def made(parts: int, seconds: float, kind: str) -> None:
        number = next(day.numbers)
        run = (await day.gate.ask(f"v{number}", f"p{number}", f"d{number}", f"r{number}", parts, kind)).run
        await day.work(run)
        day.later(seconds)
        await day.gate.renew(run, "w", parts, parts)
        await day.end(run)

    for _ in range(5):
        await made(100, 100, "7")
    await made(5, 150, "7")
    await made(100, 300, "1")
    day.gate.rules = rules(pace=60.0)
    first = await day.ask("eerst")
    assert first.answer is Answer.STARTS
    begin = (await day.gate.ask("q0", "a", "q0", "q0", 100, "7")).start_in
    after = (await day.gate.ask("q1", "b", "q1", "q1", 100, "1")).start_in
    last = (await day.gate.ask("q2", "c", "q2", "q2", 100, "nieuw")).start_in
    assert begin is not None
    assert after is not None
    assert last is not None
    assert 100 < after - begin < 160
    assert last - after == pytest.approx(300)


async def test_what_runs_now_tells_of_sources_that_became_slow_before_any_of_it_is_done(store: Store) -> None:
    """Rule L11: until then only quick ones were seen, of both kinds; one of them was quick as its texts were kept."""
    day = Day(store, rules(slots=10))

    async def made(kind: str, seconds: float) -> None:
        number = next(day.numbers)
        run = (await day.gate.ask(f"v{number}", f"p{number}", f"d{number}", f"r{number}", 100, kind)).run
        await day.work(run)
        day.later(seconds)
        await day.gate.renew(run, "w", 100, 100)
        await day.end(run)

    for kind, seconds in (("7", 100), ("1", 10)) * 3:
        await made(kind, seconds)
    day.gate.rules = rules()
    slow = (await day.gate.ask("traag", "traag", "traag", "traag", 100, "7")).run
    await day.work(slow)
    first = await day.gate.ask("q0", "a", "q0", "q0", 100, "7")
    then = await day.gate.ask("q1", "b", "q1", "q1", 100, "1")
    last = await day.gate.ask("q2", "c", "q2", "q2", 100, "1")
    told = [(await day.see(one.ask)).start_in for one in (first, then, last)]
    assert told == pytest.approx([100, 200, 210])
    day.later(100)
    await day.gate.renew(slow, "w", 10, 100, left=900.0)
    told = [(await day.see(one.ask)).start_in for one in (first, then, last)]
    assert told[0] == 900
    assert told[1] is not None
    assert told[2] is not None
    assert told[1] - told[0] > 450  # of its own kind
    assert 20 < told[2] - told[1] < 100  # of the other, though no ten times as long as what nobody makes so


async def test_who_has_asked_for_much_and_waits_is_foretold_to_be_overtaken_in_turn(store: Store) -> None:
    """Rules L9 and L11: what will be used before a turn comes counts, as it will when it comes."""
    day = Day(store, rules(pace=30.0, longest_wait=7200.0))
    first = await day.ask("eerst", size=100)
    await day.work(first.run)
    two = [await day.ask("veel") for _ in range(2)]
    await day.gate.renew(first.run, "w", 50, 52)  # much sooner than was said, so that nobody is due
    other = await day.ask("weinig")
    places = [(await day.see(one.ask)).place for one in (*two, other)]
    assert places == [1, 3, 2]
    seen = await day.see(two[1].ask)
    assert seen.start_in == 660
    order, run = [], first.run
    for seconds in (60, 300, 300):
        day.later(seconds)
        [run] = await day.end(run)
        await day.work(run)
        order.append(run)
    assert order == [two[0].run, other.run, two[1].run]


async def test_who_used_least_goes_first_and_then_who_waits_longest(store: Store) -> None:
    """Rule L9."""
    day = Day(store, rules())
    heavy = await day.ask("zwaar")
    await day.work(heavy.run)
    day.later(10 * MINUTE)
    again, light, later = await day.ask("zwaar"), await day.ask("licht"), await day.ask("later")
    assert await day.end(heavy.run) == [light.run]
    await day.work(light.run)
    assert await day.end(light.run) == [later.run]
    await day.work(later.run)
    assert await day.end(later.run) == [again.run]


async def test_nobody_starves_behind_others_who_keep_coming(store: Store) -> None:
    """Rule L9: who waited half of what may be waited goes before whoever comes, however much it used."""
    day = Day(store, rules(longest_wait=1800.0, pace=6.0))
    run = (await day.ask("zwaar")).run
    await day.work(run)
    day.later(MINUTE)
    heavy = await day.ask("zwaar")
    for number in range(40):
        new = await day.ask(f"nieuw{number}")
        assert new.answer is Answer.WAITS
        [run] = await day.end(run)
        await day.work(run)
        if run == heavy.run:
            break
        day.later(MINUTE)
    assert run == heavy.run
    assert number * MINUTE < 1800


async def test_whose_foretold_start_is_near_is_not_overtaken_by_who_used_less(store: Store) -> None:
    """Rule L11: what was said holds, from its low end on: a quarter before it, or a minute."""
    day = Day(store, rules(slots=1))
    first = await day.ask("zwaar")
    await day.work(first.run)
    waits = await day.ask("zwaar")
    day.later(5 * MINUTE)
    await day.gate.renew(first.run, "w", 9, 10)
    new = await day.ask("nieuw")
    assert ((await day.see(new.ask)).place, (await day.see(waits.ask)).place) == (1, 2)
    day.later(1.5 * MINUTE - 1)  # the slot comes in a minute: a second before three quarters of what was said
    assert ((await day.see(new.ask)).place, (await day.see(waits.ask)).place) == (1, 2)
    day.later(1)
    assert ((await day.see(new.ask)).place, (await day.see(waits.ask)).place) == (2, 1)
    day.later(MINUTE)
    assert await day.end(first.run) == [waits.run]


async def test_what_was_foretold_is_kept_beside_what_came(store: Store) -> None:
    """Rule L11."""
    day = Day(store, rules())
    first, second = await day.ask("a"), await day.ask("b")
    await day.work(first.run)
    day.later(11 * MINUTE)
    assert await day.end(first.run) == [second.run]
    assert (await day.gate.overview())[0].told == ()  # it has its slot, and nobody began
    day.later(5)
    await day.work(second.run)
    assert (await day.gate.overview())[0].told == ((START, START + 600, START + 665),)


async def test_sixty_asked_in_the_same_second_start_in_turn_and_each_once(store: Store) -> None:
    day = Day(store, rules(slots=5, pace=1.0))
    asks = [await day.ask(f"p{number}") for number in range(60)]
    begun = [ask.run for ask in asks if ask.answer is Answer.STARTS]
    assert len(begun) == 4
    for run in begun:
        await day.work(run)
        day.later(10)
        begun += await day.end(run)
    assert begun == [ask.run for ask in asks]
