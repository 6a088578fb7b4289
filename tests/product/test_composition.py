"""How the product is put together: the numbers that the platforms and the pages were promised."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings

from besluitbron.composition import TERMINAL_SHARE, WEB_SHARE, process_turns
from connectors.http import MAX_BODY_BYTES
from connectors.platforms import OPENBESLUITVORMING, PLATFORMS, RECHTSPRAAK, Service
from tests.support.virtual_time import run_virtually
from throttling.callers import house
from throttling.limits import SlidingWindow, TokenBucket
from throttling.pause import paused_after
from throttling.process_turns import ProcessTurns
from throttling.turns import Wanted

EPOCH = 1_700_000_000.0


def test_pages_wait_eight_seconds_for_an_answer_and_sixty_in_all() -> None:
    assert (settings.PATIENCE_SECONDS, settings.PAGE_SECONDS) == (8.0, 60.0)


def test_at_most_twenty_megabytes_are_read() -> None:
    assert MAX_BODY_BYTES == 20 * 1024 * 1024


def test_every_platform_has_its_own_deadline() -> None:
    deadlines = {platform.key: platform.deadline for platform in PLATFORMS}
    assert deadlines == dict.fromkeys(deadlines, 20.0) | {"tweede-kamer": 60.0, "officiele-bekendmakingen": 90.0}


def test_the_shares_of_all_processes_together_are_no_more_than_the_limit() -> None:
    assert WEB_SHARE + 2 * TERMINAL_SHARE <= 1.0


class Counting:
    """A platform that counts arrivals for itself, by the limit it has."""

    def __init__(self, service: Service) -> None:
        self.limit = service.limit
        self.arrivals: list[float] = []
        self.level = self.limit.capacity if isinstance(self.limit, TokenBucket) else 0.0
        self.at = 0.0
        self.over = 0

    def arrive(self, moment: float) -> None:
        match self.limit:
            case TokenBucket(capacity=most, per_second=rate):
                self.level = min(most, self.level + (moment - self.at) * rate) - 1
                self.at = moment
                self.over += self.level < -1e-6
            case SlidingWindow(units=most, seconds=seconds):
                self.arrivals.append(moment)
                self.over += sum(at > moment - seconds + 1e-6 for at in self.arrivals) > most


async def call(turns: ProcessTurns, queue: str, platform: Counting, dice: random.Random) -> None:
    loop = asyncio.get_running_loop()
    async with turns.turn(Wanted(service=queue, cost=1), house(), lambda _: None):
        await asyncio.sleep(dice.uniform(0, 3))
        platform.arrive(loop.time())
        await asyncio.sleep(dice.uniform(0, 3))


@pytest.mark.parametrize(
    ("queue", "service"),
    [("openbesluitvorming/api", OPENBESLUITVORMING.services[0]), ("rechtspraak/zoeken", RECHTSPRAAK.services[0])],
)
@pytest.mark.parametrize("seed", range(3))
def test_the_product_as_it_is_put_together_is_never_refused(
    queue: str, service: Service, seed: int, tmp_path: Path
) -> None:
    """A busy website for ten minutes, and on the terminal one command after another, each with six calls."""
    platform, dice = Counting(service), random.Random(seed)

    async def website() -> None:
        turns = process_turns(WEB_SHARE)
        await asyncio.gather(*(call(turns, queue, platform, dice) for _ in range(190)))

    async def terminal(clock: Callable[[], float]) -> None:
        for _ in range(8):
            turns = process_turns(TERMINAL_SHARE)
            async with paused_after(turns, tmp_path / "pause", clock, lambda _: None):
                await asyncio.gather(*(call(turns, queue, platform, dice) for _ in range(6)))

    async def everything() -> None:
        loop = asyncio.get_running_loop()

        def clock() -> float:
            return EPOCH + loop.time()

        await asyncio.gather(website(), terminal(clock))

    run_virtually(everything())
    assert platform.over == 0
