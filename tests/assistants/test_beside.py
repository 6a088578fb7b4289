"""Long texts are read by few threads at a time."""

from __future__ import annotations

import asyncio
import threading

import pytest

from assistants.beside import AT_ONCE, beside
from tests.support.serving import BOUND, until

pytestmark = pytest.mark.anyio


async def test_however_many_ask_only_a_few_texts_are_read_at_once_and_all_are_read() -> None:
    go_on, begun = threading.Event(), list[int]()

    def work(number: int) -> int:
        begun.append(number)
        assert go_on.wait(BOUND)
        return number

    asked = [asyncio.ensure_future(beside(work, number)) for number in range(12)]
    await until(lambda: len(begun) >= AT_ONCE)
    for _ in range(20):  # so that whoever could begin as well has begun
        await asyncio.sleep(0.001)
    assert len(begun) == AT_ONCE
    go_on.set()
    assert await asyncio.gather(*asked) == list(range(12))


async def test_what_the_reading_raises_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        await beside(lambda: 1 // 0)
