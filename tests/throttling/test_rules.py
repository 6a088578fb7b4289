"""Each rule of the outgoing queue as a scenario of its own, on the real scripts in invented time."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from tests.support.valkey import Valkey
from tests.throttling.played import BUCKET, WINDOW, calls, granted, play, session, waits
from throttling.simulation import Line

pytestmark = pytest.mark.anyio
SMALL = {"kind": "window", "units": 6, "seconds": 60}


def order(lines: list[Line]) -> str:
    return "".join(line.session for line in lines if line.granted_at is not None)


@pytest.mark.parametrize("limit", [WINDOW, BUCKET], ids=lambda limit: limit["kind"])
async def test_r1_a_call_passes_at_once_when_nobody_waits_and_there_is_room(
    valkey: Valkey, limit: dict[str, object]
) -> None:
    lines = await play(valkey.address, limit, session("a", *calls(30)), session("b", *calls(30, at=5.0)))
    assert waits(lines, "a") + waits(lines, "b") == [0.0] * 60


async def test_r1_nobody_passes_the_call_whose_turn_it_is_though_it_would_fit(valkey: Valkey) -> None:
    dear = session("d", {"at": 1.0, "cost": 40})
    lines = await play(valkey.address, BUCKET, session("a", *calls(50)), dear, session("b", *calls(9, at=2.0)))
    assert order(lines) == "a" * 50 + "d" + "b" * 9
    assert waits(lines, "d") == pytest.approx([29.0])


@pytest.mark.parametrize("limit", [WINDOW, BUCKET], ids=lambda limit: limit["kind"])
async def test_r2_who_used_more_gets_less(valkey: Valkey, limit: dict[str, object]) -> None:
    """Used 0, 60 and 120 of 60: 30, 18 and 12 of the next 60 turns, or one more or less."""
    askers = [session(name, *calls(80, at=0.1), used=used) for name, used in (("a", 0), ("b", 60), ("c", 120))]
    lines = await play(valkey.address, limit, session("vol", *calls(60)), *askers, until=300.0)
    first = Counter(order(lines).replace("vol", "")[:60])
    assert [first[name] for name in "abc"] == [pytest.approx(share, abs=1) for share in (30, 18, 12)]


async def test_r2_use_counts_live_at_each_grant(valkey: Valkey) -> None:
    """Who begins with nothing used catches up with who used 30, and from then on they get equally."""
    askers = [session("a", *calls(200, at=0.1)), session("b", *calls(200, at=0.1), used=30)]
    lines = await play(valkey.address, BUCKET, session("vol", *calls(60)), *askers, until=250.0)
    served = order(lines).replace("vol", "")
    early, late = Counter(served[:50]), Counter(served[-50:])
    assert early["a"] - early["b"] >= 6
    assert abs(late["a"] - late["b"]) < early["a"] - early["b"]


@pytest.mark.parametrize("limit", [WINDOW, BUCKET], ids=lambda limit: limit["kind"])
async def test_r3_who_used_equally_gets_equally(valkey: Valkey, limit: dict[str, object]) -> None:
    lines = await play(
        valkey.address,
        limit,
        session("vol", *calls(60)),
        session("a", *calls(200, at=0.1)),
        session("b", *calls(60, at=0.2)),
        until=160.0,
    )
    served = order(lines).replace("vol", "")
    assert all(abs(served[:n].count("a") - served[:n].count("b")) <= 1 for n in range(119))


async def test_r4_within_a_session_the_order_stays(valkey: Valkey) -> None:
    mixed = [{"at": 0.5 * n, "cost": 1 + n % 3, "takes": 3 - n % 3} for n in range(20)]
    lines = await play(valkey.address, SMALL, session("a", *mixed), session("b", *mixed))
    for name in "ab":
        assert [line.call for line in lines if line.session == name] == list(range(20))


@pytest.mark.parametrize("limit", [WINDOW, BUCKET], ids=lambda limit: limit["kind"])
async def test_r5_one_session_alone_gets_the_whole_limit_however_much_it_used(
    valkey: Valkey, limit: dict[str, object]
) -> None:
    lines = await play(valkey.address, limit, session("a", *calls(300), used=6000), until=600.0)
    moments = granted(lines, "a")
    assert moments[59] == 0.0
    assert all(later - before <= 60.0 + 1e-6 for before, later in zip(moments[60:], moments[119:], strict=False))


@pytest.mark.parametrize("limit", [WINDOW, BUCKET], ids=lambda limit: limit["kind"])
async def test_r6_who_used_most_still_gets_a_call_in_every_refill_time(
    valkey: Valkey, limit: dict[str, object]
) -> None:
    others = [session(name, *calls(40, at=0.1)) for name in "abcdefghij"]
    heavy = session("zwaar", *calls(6), used=6000)
    lines = await play(valkey.address, limit, session("vol", *calls(60)), *others, heavy, until=400.0)
    moments = [0.0, *granted(lines, "zwaar")]
    assert len(moments) == 7
    assert max(later - before for before, later in pairwise(moments)) <= 60.0 + 1e-6


@pytest.mark.parametrize("kind", ["window", "bucket"])
async def test_r7_of_more_sessions_than_fit_the_one_that_waits_longest_goes_first(valkey: Valkey, kind: str) -> None:
    limit = {"kind": kind, "units": 6, "seconds": 60}
    names = [f"s{number:02d}" for number in range(15)]
    askers = [session(n, *calls(4, at=1.0 + i / 100), used=100 * (i % 3)) for i, n in enumerate(names)]
    lines = await play(valkey.address, limit, session("vol", *calls(6)), *askers, until=600.0)
    served = [line.session for line in lines if line.granted_at is not None and line.session != "vol"]
    assert served[:15] == names
    assert served[15:30] == names


async def test_r8_a_call_dearer_than_the_limit_passes_alone_and_costs_the_whole_limit(valkey: Valkey) -> None:
    dear = session("d", {"at": 1.0, "cost": 100, "takes": 2.0})
    lines = await play(valkey.address, WINDOW, session("a", *calls(30)), dear, session("b", *calls(2, at=2.0)))
    assert [line.charged for line in lines if line.session == "d"] == [60.0]
    assert granted(lines, "d") == pytest.approx([60.0])
    assert granted(lines, "b")[0] == pytest.approx(60.0 + 2.0 + 60.0)


@pytest.mark.parametrize(("rest", "share"), [(1790.0, "heavy"), (1801.0, "equal")])
async def test_r9_use_is_forgotten_thirty_minutes_after_the_last_call(valkey: Valkey, rest: float, share: str) -> None:
    askers = [session("a", {"at": 0.0}, *calls(40, at=rest + 0.1), used=600), session("b", *calls(40, at=rest + 0.1))]
    lines = await play(valkey.address, BUCKET, session("vol", *calls(60, at=rest)), *askers, until=rest + 40)
    late = [line.session for line in lines if line.granted_at is not None and line.granted_at > rest + 0.1]
    assert (late.count("a") >= late.count("b") - 1) == (share == "equal")


async def test_r9_a_call_that_still_waits_counts_as_a_call(valkey: Valkey) -> None:
    """A session that waits longer than thirty minutes keeps its use: it gets its floor, not a new session's share."""
    slow = {"kind": "bucket", "units": 1, "seconds": 1000}
    waiting = session("a", *calls(4, at=1.0), used=5)
    lines = await play(
        valkey.address, slow, session("vol", *calls(1)), waiting, session("b", *calls(4, at=2.0)), until=9000
    )
    served = order(lines).removeprefix("vol")
    assert served.startswith("ab")
    assert len(served) == 8


async def test_r10_turns_of_the_house_go_round_over_visitors_and_its_own_maintenance_comes_last(valkey: Valkey) -> None:
    asked = [*calls(3, visitor="x"), *calls(2), *calls(2, visitor="y"), *calls(1, visitor="z")]
    house = session("h", *[{**call, "at": 0.1} for call in asked], house=True)
    lines = await play(valkey.address, BUCKET, session("vol", *calls(60)), house, until=100.0)
    who = {number: call.get("visitor", "-") for number, call in enumerate(asked)}
    assert [who[line.call] for line in lines if line.session == "h"] == ["x", "y", "z", "x", "y", "x", "-", "-"]


async def test_r10_the_use_of_the_house_is_not_counted(valkey: Valkey) -> None:
    house = session("h", *calls(500, at=0.1, visitor="x"), house=True, used=600)
    lines = await play(
        valkey.address, BUCKET, session("vol", *calls(60)), house, session("b", *calls(1, at=200.0)), until=260
    )
    assert len(granted(lines, "h")) > 250
    late = session("b", *calls(100, at=200.0))
    lines = await play(valkey.address, BUCKET, session("vol", *calls(60)), house, late, until=220.0)
    assert 6 <= len(granted(lines, "b")) <= 10
