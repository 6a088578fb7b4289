"""Lines for operators are written while there is nothing else to do: none is lost, and all keep their order and request."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from functools import partial

import pytest

from admission.lines import Lines

pytestmark = pytest.mark.anyio
BOUND = 30.0
REQUEST: ContextVar[str] = ContextVar("request", default="")


class Log:
    """What was written, each line with the request it says it is of."""

    def __init__(self, wanted: int) -> None:
        self.written: list[tuple[str, str]] = []
        self.all = asyncio.Event()
        self._wanted = wanted

    def write(self, text: str) -> None:
        self.written.append((text, REQUEST.get()))
        if len(self.written) == self._wanted:
            self.all.set()


async def test_a_line_is_written_in_the_next_turn_of_who_waits_anyway() -> None:
    log, lines = Log(2), Lines(BOUND * 10)
    for text in ("een", "twee"):
        REQUEST.set(f"verzoek {text}")
        lines.add(partial(log.write, text))
    REQUEST.set("een ander")
    lines.while_waiting()
    assert not log.written, "who asks the store has asked it first"
    async with asyncio.timeout(BOUND):
        await log.all.wait()
    assert log.written == [("een", "verzoek een"), ("twee", "verzoek twee")]


async def test_a_line_is_written_soon_where_nobody_asks_anything_more() -> None:
    log, lines = Log(1), Lines(0.0)
    lines.add(partial(log.write, "een"))
    async with asyncio.timeout(BOUND):
        await log.all.wait()


async def test_what_is_left_is_written_at_the_end_and_once() -> None:
    log, lines = Log(1), Lines(0.0)
    lines.add(partial(log.write, "een"))
    lines.write()
    lines.write()
    await asyncio.sleep(0)
    assert len(log.written) == 1
