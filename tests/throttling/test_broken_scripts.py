"""Scripts that are broken on purpose must be noticed by the very watches that the invariants are proven with."""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterator
from hashlib import sha1

import pytest

from tests.support.valkey import PATIENCE, Valkey
from tests.throttling.watching import BrokenError
from tests.throttling.worlds import Ask, world
from throttling.limits import Limit, SlidingWindow, TokenBucket
from throttling.store import Store

pytestmark = pytest.mark.anyio

Change = tuple[tuple[str, str], ...]
NO_GUARD: Change = (("if S.waiting > 1 and somebody_starves(best) then return eldest, false end", ""),)
FORCED_TAGS_LIFT_TIME: Change = (
    ("if first[2] and tonumber(first[2]) < smallest then smallest = tonumber(first[2]) end", ""),
)
NOT_FREED_BY_AN_ANSWER: Change = (("stands_until(id, cost, now + rules.seconds)", ""),)
STAMPED_AT_THE_GRANT: Change = (*NOT_FREED_BY_AN_ANSWER, ("now + rules.longest + rules.seconds", "now + rules.seconds"))
SENT_AT_ITS_GRANT: Change = (("now + rules.longest + rules.seconds", "now + rules.longest - 5 + rules.seconds"),)
HEADER_BELIEVED: Change = (("S.tokens = math.min(own(now), said)", "S.tokens = tonumber(remaining)"),)
REFILL_AFTERWARDS: Change = (
    ("function arrived(cost, now)\n  if rules.kind == 'bucket' then", "function arrived(cost, now)\n  if false then"),
)
FULL_WHILE_CALLS_TRAVEL: Change = (("return math.min(grown, rules.units - S.travelling)", "return grown"),)
LANDS_WITH_ITS_LEASE: Change = (("rules.kind == 'bucket' and now < latest then", "false then"),)
OVERTAKING: Change = (("if S.waiting > 0 or now < S.blocked", "if now < S.blocked"),)
LAST_IN_FIRST_OUT: Change = (("redis.call(first and 'LPUSH' or 'RPUSH', list, id)", "redis.call('LPUSH', list, id)"),)


class BrokenStore(Store):
    """A store whose scripts have something replaced."""

    def __init__(self, address: str, change: Change) -> None:
        super().__init__(address)
        self.change = change
        whole = "".join(super(BrokenStore, self).script(name)[0] for name in ("enter", "done"))
        assert all(old in whole for old, _ in change), "the script changed: break it in another way"

    def script(self, name: str) -> tuple[str, str]:
        text, _ = super().script(name)
        for old, new in self.change:
            text = text.replace(old, new)
        return text, sha1(text.encode()).hexdigest()


def crowd(seed: int, count: int) -> Iterator[Ask]:
    """Calls of a few sessions, close enough together to wait for each other."""
    chance = random.Random(seed)
    for _ in range(count):
        yield Ask(
            chance.choice([0.0, 0.0, 0.3, 2.0]),
            chance.choice("abcd"),
            takes=chance.choice([0.1, 1.0, 4.0]),
            travels=chance.choice([0.0, 0.5, 1.0]),
        )


def many(count: int, session: str, wait: float = 0.0, takes: float = 0.0) -> list[Ask]:
    """Calls of one moment, ``wait`` seconds after the one before them, that arrive at once."""
    return [Ask(wait if not number else 0.0, session, takes=takes, travels=0.0) for number in range(count)]


HEAVY = [*many(8, "vol"), *(Ask(0.0, name) for _ in range(12) for name in "azb")]
SLOW_TO_ARRIVE = Ask(0.0, "a", takes=4.0, travels=1.0)
SLOW_TO_ANSWER = Ask(0.0, "a", takes=4.0, travels=0.0)
KILLED = Ask(0.0, "b", takes=5.0, travels=1.0, sent_after=4.9, fate="dies")


@pytest.mark.parametrize(
    ("change", "invariant", "limit", "asks"),
    [
        pytest.param(NO_GUARD, "4", TokenBucket(8, 1), HEAVY, id="no guard, bucket"),
        pytest.param(NO_GUARD, "4", SlidingWindow(8, 8), HEAVY, id="no guard, window"),
        pytest.param(NOT_FREED_BY_AN_ANSWER, "3", SlidingWindow(4, 8), [*crowd(1, 40)], id="not freed by an answer"),
        pytest.param(STAMPED_AT_THE_GRANT, "1", SlidingWindow(4, 8), [*crowd(2, 60)], id="stamped at the grant"),
        pytest.param(SENT_AT_ITS_GRANT, "1", SlidingWindow(4, 8), [KILLED, *many(20, "a")], id="sent at its grant"),
        pytest.param(
            HEADER_BELIEVED,
            "1",
            TokenBucket(5, 1),
            [SLOW_TO_ANSWER, *many(4, "b", 3.9, 0.05), *many(5, "c", 0.2, 1.0)],
            id="header believed",
        ),
        pytest.param(
            REFILL_AFTERWARDS, "1", TokenBucket(5, 1), [SLOW_TO_ARRIVE, *many(8, "b", 4.0)], id="refill afterwards"
        ),
        pytest.param(
            FULL_WHILE_CALLS_TRAVEL,
            "1",
            TokenBucket(5, 1),
            [SLOW_TO_ARRIVE, *many(12, "b", 1.0)],
            id="full while calls travel",
        ),
        pytest.param(
            LANDS_WITH_ITS_LEASE, "1", TokenBucket(5, 1), [KILLED, *many(5, "a", 14.0)], id="lands with its lease"
        ),
        pytest.param(
            OVERTAKING, "2", TokenBucket(5, 1), [*many(4, "a"), Ask(0.0, "a", cost=5.0), Ask(0.0, "a")], id="overtaking"
        ),
        pytest.param(LAST_IN_FIRST_OUT, "2", TokenBucket(5, 1), many(9, "a"), id="last in, first out"),
    ],
)
async def test_a_broken_script_breaks_its_invariant(
    valkey: Valkey, change: Change, invariant: str, limit: Limit, asks: list[Ask]
) -> None:
    async with Store(valkey.address, PATIENCE) as whole:
        await played(whole, limit, asks)
    async with BrokenStore(valkey.address, change) as broken:
        with pytest.raises(BrokenError, match=f"^{invariant}:"):
            await played(broken, limit, asks)


async def played(store: Store, limit: Limit, asks: list[Ask]) -> None:
    """Two platforms: one that says what is left, and one that says nothing."""
    for says_left in (True, False):
        there = world(store, limit, deadline=10.0, lease=8.0, spaced=False)
        there.says_left = says_left
        await there.begin([("z", 6000.0, 0.0)])
        await there.play(asks)


async def test_a_newcomer_pays_for_a_virtual_time_that_follows_forced_turns(valkey: Valkey) -> None:
    """The figure that it misses is the one of a newcomer behind five greedy sessions and a heavy one."""
    async with Store(valkey.address, PATIENCE) as whole:
        assert await newcomer_median(whole) <= 4.0
    async with BrokenStore(valkey.address, FORCED_TAGS_LIFT_TIME) as broken:
        assert await newcomer_median(broken) > 4.0


async def newcomer_median(store: Store) -> float:
    """The median wait of newcomers behind five greedy sessions and one that used 6,000 units, once all wait."""
    there = world(store, SlidingWindow(60, 60), lease=1e9)
    await there.begin([("zwaar", 6000.0, 0.0)])
    queue = [Ask(0.0, name) for _ in range(60) for name in ("zwaar", "v", "w", "x", "y", "z")]
    newcomers = [Ask(61.0 if number == 0 else 17.0, f"nieuw{number}") for number in range(12)]
    await there.play([*queue, *newcomers], until=300.0)
    came = {call: going.entered_at for call, going in there.calls.items() if going.ask.session.startswith("nieuw")}
    return statistics.median(at - came[call] for call, at in there.grants if call in came)
