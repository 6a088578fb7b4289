"""The buffer as the client knows it: versions, lifetimes, graves, damage, and a cache that fails. On a real server."""

from __future__ import annotations

import asyncio
import random
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from besluitbron.caches import DATABASES
from connectors.buffer import Gone
from connectors.buffering import shelf as shelves
from connectors.buffering.cached import CachedBuffer, remove_everywhere
from connectors.buffering.rules import MEGABYTE
from connectors.buffering.shelf import Shelf
from connectors.calls import CallKind
from tests.support.buffers import KEYS, ONE, TWO, Buffers, answer, caches_at, call, rules
from tests.support.valkey import private_valkey

pytestmark = pytest.mark.anyio
SEARCH, TEXT, LIST = call("/a", CallKind.SEARCH), call("/b", CallKind.DOCUMENT), call("/c", CallKind.LIST)


def raw() -> Any:
    return Shelf(ONE, MEGABYTE)._server()


async def body_of(buffer: CachedBuffer, asked: Any, document: str = "") -> bytes | None:
    found = await buffer.read(asked, document)
    return found.answer.body if found else None


async def test_what_was_kept_is_read_with_the_moment_at_which_the_platform_gave_it(buffers: Buffers) -> None:
    async with buffers.of() as buffer:
        given = answer(b"antwoord", buffers.clock(), **{"content-type": "text/xml"})
        await buffer.keep(SEARCH, given)
        buffers.clock.pass_by(timedelta(minutes=10))
        found = await buffer.read(SEARCH)
        assert found is not None
        assert found.answer == replace(given, buffered=True)
        assert await buffer.read(replace(SEARCH, path="/b")) is None


@pytest.mark.parametrize(
    ("asked", "document", "lives"),
    [(LIST, "", timedelta(days=60)), (SEARCH, "", timedelta(minutes=30)), (TEXT, "7", timedelta(weeks=4))],
)
async def test_each_kind_is_kept_for_its_time_and_no_longer(
    buffers: Buffers, asked: Any, document: str, lives: timedelta
) -> None:
    async with buffers.of() as buffer:
        await buffer.keep(asked, answer(b"x", buffers.clock()), document)
        buffers.clock.pass_by(lives)
        assert await body_of(buffer, asked, document) == b"x"
        buffers.clock.pass_by(timedelta(seconds=1))
        assert await body_of(buffer, asked, document) is None
        name = KEYS.call(asked)
        server_lives = raw().pttl(f"i:{name}")
        assert server_lives == -2  # thrown away when it was asked for


async def test_the_server_forgets_by_itself_what_nobody_asks_for_any_more(buffers: Buffers) -> None:
    async with buffers.of() as buffer:
        await buffer.keep(SEARCH, answer(b"x", buffers.clock()))
    assert 0 < raw().pttl(f"i:{KEYS.call(SEARCH)}") <= 30 * 60 * 1000


async def test_a_document_fetched_on_the_way_to_a_search_answer_lives_as_long_as_that_answer(buffers: Buffers) -> None:
    async with buffers.of() as buffer:
        await buffer.keep(TEXT, answer(b"x", buffers.clock()))
        buffers.clock.pass_by(timedelta(minutes=31))
        assert await body_of(buffer, TEXT) is None


async def test_a_load_status_is_not_kept(buffers: Buffers) -> None:
    status = call("/status", CallKind.STATUS)
    async with buffers.of() as buffer:
        await buffer.keep(status, answer(b"x", buffers.clock()))
        assert await buffer.read(status) is None
    assert raw().dbsize() == 0


async def test_an_item_of_another_version_is_thrown_away_when_asked_for_and_never_served(buffers: Buffers) -> None:
    async with buffers.of("1") as old, buffers.of("2") as new:
        await old.keep(SEARCH, answer(b"oud", buffers.clock()))
        await old.keep(LIST, answer(b"oud", buffers.clock()))
        assert await body_of(new, SEARCH) is None
        assert await body_of(old, SEARCH) is None  # gone, so that the old one cannot serve it either
        assert Shelf(ONE, MEGABYTE).figures(buffers.clock()).versions == {"1": 1}  # nothing is purged beforehand
        await new.keep(SEARCH, answer(b"nieuw", buffers.clock()))
        assert await body_of(new, SEARCH) == b"nieuw"
        assert await body_of(old, SEARCH) is None


async def test_a_grave_of_another_version_counts_no_longer(buffers: Buffers) -> None:
    async with buffers.of("1") as old, buffers.of("2") as new:
        await old.bury(ONE, "7", "8")
        assert await old.gone(ONE, "7") == Gone("8")
        assert await new.gone(ONE, "7") is None
        await new.keep(TEXT, answer(b"x", buffers.clock()), "7")
        assert await body_of(new, TEXT, "7") == b"x"


async def test_a_document_that_is_gone_is_gone_at_once_and_for_a_day(buffers: Buffers) -> None:
    """Field report 19: what a holder withdrew is not served from a copy."""
    other = replace(TEXT, path="/bijlage")
    async with buffers.of() as buffer:
        await buffer.keep(TEXT, answer(b"x", buffers.clock()), "7")
        await buffer.keep(other, answer(b"y", buffers.clock()), "7")
        await buffer.bury(ONE, "7")
        assert await buffer.gone(ONE, "7") == Gone()
        assert await buffer.gone(TWO, "7") is None
        assert await body_of(buffer, TEXT, "7") is None
        assert await body_of(buffer, other, "7") is None
        await buffer.keep(TEXT, answer(b"x", buffers.clock()), "7")  # by somebody who asked before it went
        assert await body_of(buffer, TEXT, "7") is None
    assert 0 < raw().pttl(f"g:{KEYS.document(ONE, '7')}") <= 24 * 3600 * 1000


async def test_a_takedown_removes_the_parts_of_a_document_and_every_search_answer(buffers: Buffers) -> None:
    async with buffers.of() as buffer:
        for asked, document in ((SEARCH, ""), (TEXT, "7"), (LIST, "")):
            await buffer.keep(asked, answer(b"x", buffers.clock()), document)
        assert remove_everywhere(KEYS, rules(), ONE, "7") == 2
        assert await body_of(buffer, SEARCH) is None
        assert await body_of(buffer, TEXT, "7") is None
        assert await body_of(buffer, LIST) == b"x"


@pytest.mark.parametrize(("header", "can"), [("etag", True), ("last-modified", True), ("date", False)])
async def test_a_text_is_due_for_a_check_after_a_week_where_the_platform_can_say_that_it_is_the_same(
    buffers: Buffers, header: str, can: bool
) -> None:
    async with buffers.of() as buffer:
        await buffer.keep(TEXT, answer(b"x", buffers.clock(), **{header: "1"}), "7")
        buffers.clock.pass_by(timedelta(days=7))
        early = await buffer.read(TEXT, "7")
        buffers.clock.pass_by(timedelta(seconds=1))
        late = await buffer.read(TEXT, "7")
        assert early is not None
        assert late is not None
        assert (early.due, late.due) == (False, can)


DAMAGED = {
    "number": "7",
    "text": "tekst",
    "empty": "",
    "pickle": b"\x80\x04\x95",
    "half": b"\x93BB1\x00\x00",
    "random": random.Random(5).randbytes(500),
}


@pytest.mark.parametrize("value", DAMAGED.values(), ids=DAMAGED.keys())
async def test_a_damaged_item_is_a_miss_with_a_warning_and_gone(buffers: Buffers, value: Any) -> None:
    raw().set(f"i:{KEYS.call(SEARCH)}", value)
    async with buffers.of() as buffer:
        with capture_logs() as logs:
            assert await buffer.read(SEARCH) is None
        assert [entry["event"] for entry in logs] == ["buffer_item_damaged"]
        assert raw().exists(f"i:{KEYS.call(SEARCH)}") == 0


async def test_a_value_of_another_type_and_a_count_that_is_damaged_cost_an_answer_and_nothing_else(
    buffers: Buffers,
) -> None:
    raw().rpush(f"i:{KEYS.call(SEARCH)}", "x")  # MGET sees nothing in it
    raw().set("read", "geen verzameling")
    async with buffers.of(pause=0.0) as buffer:
        with capture_logs() as logs:
            assert await buffer.read(SEARCH) is None
            await buffer.keep(SEARCH, answer(b"x", buffers.clock()))
        assert {entry["event"] for entry in logs} == {"buffer_unreachable"}


async def test_an_answer_whose_headers_became_too_large_to_keep_replaces_what_was_kept(buffers: Buffers) -> None:
    async with buffers.of() as buffer:
        await buffer.keep(SEARCH, answer(b"oud", buffers.clock()))
        await buffer.keep(SEARCH, answer(b"nieuw", buffers.clock(), x="y" * 70_000))
        assert await buffer.read(SEARCH) is None


async def test_what_turned_out_to_be_no_answer_is_dropped(buffers: Buffers) -> None:
    async with buffers.of() as buffer:
        await buffer.keep(SEARCH, answer(b"<html>", buffers.clock()))
        await buffer.drop(SEARCH)
        assert await buffer.read(SEARCH) is None


async def test_hits_and_misses_are_counted(buffers: Buffers) -> None:
    async with buffers.of() as buffer:
        await buffer.read(SEARCH)
        await buffer.keep(SEARCH, answer(b"x", buffers.clock()))
        await buffer.read(SEARCH)
        await buffer.read(LIST)
        await buffer.read(LIST)
    figures = Shelf(ONE, MEGABYTE).figures(buffers.clock())
    assert (figures.hits, figures.misses) == (1, 2)  # the last one travels with an exchange that never came


async def test_seven_platforms_are_read_in_one_hop_to_a_thread(
    buffers: Buffers, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares = dict.fromkeys(DATABASES, MEGABYTE)
    seen: list[tuple[str, int]] = []
    fetch = Shelf.fetch

    def watching(self: Shelf, *arguments: Any) -> Any:
        seen.append((self._alias, threading.get_ident()))
        return fetch(self, *arguments)

    async with buffers.of(shares=shares) as buffer:
        asked = [call(path, platform=platform) for platform in DATABASES for path in ("/a", "/b")]
        for one in asked[:8]:
            await buffer.keep(one, answer(b"x", buffers.clock()))
        monkeypatch.setattr(shelves.Shelf, "fetch", watching)
        found = await asyncio.gather(*(buffer.read(one) for one in asked))
    assert [bool(one) for one in found] == [True] * 8 + [False] * 6
    assert sorted(alias for alias, _ in seen) == sorted(DATABASES)  # one exchange a platform
    assert len({thread for _, thread in seen} - {threading.get_ident()}) == 1


@contextmanager
def silent_server(path: Path) -> Iterator[list[socket.socket]]:
    """A server that takes connections and never says a word; gives the connections it has."""
    taken: list[socket.socket] = []
    with closing(socket.socket(socket.AF_UNIX)) as listener:
        listener.bind(str(path))
        listener.listen()

        def take() -> None:
            while True:
                try:
                    taken.append(listener.accept()[0])
                except OSError:
                    return

        thread = threading.Thread(target=take, daemon=True)
        thread.start()
        yield taken
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()
    for one in taken:
        one.close()


async def test_a_silent_cache_server_is_waited_for_once_and_then_left_alone(buffers: Buffers, tmp_path: Path) -> None:
    path = tmp_path / "stil.sock"
    with silent_server(path) as taken, caches_at(path, patience=0.05):
        async with buffers.of(patience=0.05, pause=3600.0) as buffer:
            with capture_logs() as logs:
                assert await buffer.read(SEARCH) is None
                first = len(taken)
                for _ in range(20):
                    assert await buffer.read(SEARCH) is None
                    await buffer.keep(SEARCH, answer(b"x", buffers.clock()))
                    assert await buffer.gone(ONE, "7") is None
                    await buffer.bury(ONE, "7")
        assert (first, len(taken)) == (1, 1)
    assert [entry["event"] for entry in logs] == ["buffer_unreachable"]


async def test_an_answer_that_is_there_in_time_counts_however_late_a_busy_process_looks(buffers: Buffers) -> None:
    async with buffers.of(patience=0.0) as patient_for_no_time:
        async with buffers.of() as buffer:
            await buffer.keep(SEARCH, answer(b"x", buffers.clock()))
        loop, there = asyncio.get_running_loop(), threading.Event()
        told = loop.call_soon_threadsafe

        def telling(*arguments: Any) -> Any:
            handle = told(*arguments)
            there.set()
            return handle

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(loop, "call_soon_threadsafe", telling)
            reading = loop.create_task(patient_for_no_time.read(SEARCH))
            loop.call_soon(loop.call_soon, there.wait, 10)  # after the reading has left: busy until the answer is there
            found = await reading
    assert found is not None
    assert found.answer.body == b"x"


async def test_a_dead_cache_of_one_platform_costs_no_other_its_answer(buffers: Buffers, tmp_path: Path) -> None:
    async with buffers.of(patience=0.05, pause=3600.0) as buffer:
        await buffer.keep(call(platform=TWO), answer(b"x", buffers.clock()))
        fetch = Shelf.fetch

        def failing(self: Shelf, *arguments: Any) -> Any:
            if self._alias == ONE:
                raise ConnectionError
            return fetch(self, *arguments)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Shelf, "fetch", failing)
            dead, alive = await asyncio.gather(buffer.read(SEARCH), buffer.read(call(platform=TWO)))
        assert dead is None
        assert alive is not None


async def test_a_server_that_comes_back_is_used_again(buffers: Buffers) -> None:
    with private_valkey(keeps=True) as server, caches_at(server.path):
        async with buffers.of(pause=0.0) as buffer:
            await buffer.keep(SEARCH, answer(b"x", buffers.clock()))
            server.kill()
            with capture_logs() as logs:
                assert await buffer.read(SEARCH) is None
                server.start()
                assert await body_of(buffer, SEARCH) == b"x"
        assert [entry["event"] for entry in logs] == ["buffer_unreachable", "buffer_back"]


async def test_no_name_in_the_cache_and_no_line_in_the_log_holds_words_of_the_question(buffers: Buffers) -> None:
    asked = replace(SEARCH, params=(("q", "kanarie"),), body=b"kanarie")
    with capture_logs() as logs:
        async with buffers.of() as buffer:
            await buffer.keep(asked, answer(b"gevonden", buffers.clock()))
            raw().set(f"i:{KEYS.call(asked)}", b"stuk")
            await buffer.read(asked)
    assert logs
    assert "kanarie" not in repr(logs)
    assert not [name for name in raw().keys("*") if b"kanarie" in name]
