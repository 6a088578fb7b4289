"""Server-sent events: what is written can be read back, a quiet stream shows that it lives, and there is a most."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.streams import PING, Streams, TooManyStreamsError, event, with_pings

pytestmark = pytest.mark.anyio


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")))
def test_the_data_of_an_event_comes_back_whole(data: str) -> None:
    lines = event("blok", data, "7").split("\n")
    assert lines[:2] == ["event: blok", "id: 7"]
    assert lines[-2:] == ["", ""]
    assert "\n".join(line.removeprefix("data: ") for line in lines[2:-2]) == data.removesuffix("\n")


def test_a_line_break_of_any_kind_in_the_data_begins_no_line_of_its_own() -> None:
    assert all(line.startswith(("event: ", "data: ")) for line in event("x", "a\r\nb\rc\u2028d").splitlines() if line)


async def test_a_stream_without_news_shows_that_it_lives_and_then_brings_its_news() -> None:
    news = asyncio.Event()

    async def items() -> AsyncGenerator[str, None]:
        await news.wait()
        yield "nieuws"

    found = []
    async with asyncio.timeout(10):
        async for item in with_pings(items(), 0.001):
            found.append(item)
            news.set()
    assert found[0] == PING
    assert found[-1] == "nieuws"


async def test_closing_a_stream_ends_the_work_behind_it() -> None:
    ended = asyncio.Event()

    async def items() -> AsyncGenerator[str, None]:
        try:
            yield "een"
            await asyncio.Event().wait()
        finally:
            ended.set()

    stream = with_pings(items(), 60)
    assert await anext(stream) == "een"
    await stream.aclose()
    assert ended.is_set()


def test_one_client_and_one_process_hold_so_many_and_a_place_comes_back() -> None:
    streams = Streams(per_process=2, per_client=1)
    with streams.one("a"):
        with pytest.raises(TooManyStreamsError), streams.one("a"):
            pass
        with streams.one("b"):
            assert streams.now_open == 2
            assert not streams.has_room("c")
        assert streams.has_room("c")
    assert (streams.now_open, streams.opened, streams.refused) == (0, 2, 2)
