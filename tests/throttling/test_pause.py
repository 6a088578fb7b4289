"""Short runs after one another: each waits for what the last one used, and only one goes at a time."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.support.virtual_time import run_virtually
from throttling.callers import house
from throttling.limits import TokenBucket
from throttling.pause import MOST_SECONDS, paused_after
from throttling.process_turns import ProcessTurns, ServiceLimits
from throttling.turns import Wanted

EPOCH = 1_700_000_000.0


async def run(path: Path, calls: int, told: list[float], *, fails: bool = False) -> float:
    """One run with so many calls; gives when it may ask."""
    loop = asyncio.get_running_loop()
    turns = ProcessTurns({"p/s": ServiceLimits(9, TokenBucket(10, 0.5))})
    async with paused_after(turns, path, lambda: EPOCH + loop.time(), told.append):
        began = loop.time()
        for _ in range(calls):
            async with turns.turn(Wanted(service="p/s", cost=1), house(), lambda _: None):
                if fails:
                    raise ZeroDivisionError
    return began


def test_a_run_waits_until_the_last_one_gave_back_what_it_used(tmp_path: Path) -> None:
    told: list[float] = []

    async def scenario() -> list[float]:
        return [await run(tmp_path / "p", calls, told) for calls in (3, 0, 1, 1)]

    assert run_virtually(scenario()) == pytest.approx([0, 6, 6, 8], abs=0.01)
    assert told == pytest.approx([6, 2], abs=0.01)


def test_two_runs_at_once_go_one_after_the_other(tmp_path: Path) -> None:
    async def scenario() -> list[float]:
        return sorted(await asyncio.gather(*(run(tmp_path / "p", 1, []) for _ in range(3))))

    first, second, third = run_virtually(scenario())
    assert second - first >= 2
    assert third - second >= 2


def test_a_run_that_fails_still_leaves_its_pause(tmp_path: Path) -> None:
    async def scenario() -> float:
        with pytest.raises(ZeroDivisionError):
            await run(tmp_path / "p", 1, [], fails=True)
        return await run(tmp_path / "p", 0, [])

    assert run_virtually(scenario()) == pytest.approx(2, abs=0.01)


@pytest.mark.parametrize(
    ("text", "seconds"), [("", 0), ("onzin", 0), ("\0\0", 0), ("9" * 30, MOST_SECONDS), ("nan", 0)]
)
def test_an_odd_file_never_locks_anybody_out(tmp_path: Path, text: str, seconds: float) -> None:
    (tmp_path / "p").write_text(text, "utf-8")
    assert run_virtually(run(tmp_path / "p", 0, [])) == pytest.approx(seconds)
