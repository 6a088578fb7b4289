"""Answers that are large even when packed: kept in parts, read as one or not at all. On a real server."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from connectors.buffering.cached import CachedBuffer, remove_everywhere
from connectors.buffering.frames import Damage, DamagedItemError, frame, unframe
from connectors.buffering.items import MAX_BODY_BYTES, MAX_PARTS, Item, Packed, join, pack, unpack
from connectors.buffering.rules import MEGABYTE, PART_BYTES, Kept
from connectors.buffering.shelf import OVERHEAD_BYTES, Shelf
from connectors.calls import CallKind
from tests.support.buffers import KEYS, ONE, Buffers, Clock, answer, call, rules

SHARE = 60 * MEGABYTE
SHARES = {ONE: SHARE}
NOISE = random.Random(15).randbytes(15 * MEGABYTE)
OTHER_NOISE = random.Random(16).randbytes(9 * MEGABYTE)
LARGE, SMALL = call("/scan", CallKind.DOCUMENT), call("/klein", CallKind.DOCUMENT)
NAME = KEYS.call(LARGE)
PLACES = range(1, 5)
PART_MARK = b"\x93BP1"
Change = Callable[[Any], None]


def packed(body: bytes, version: str = "1") -> tuple[Item, Packed]:
    given = Item(version, Kept.TEXT, answer(body, Clock().moment))
    made = pack(given)
    assert made is not None
    return given, made


ITEM, PACKED = packed(NOISE)


def raw() -> Any:
    return Shelf(ONE, SHARE)._server()


def names() -> set[str]:
    return {name.decode() for name in raw().keys("i:*")}


async def body_of(buffer: CachedBuffer, asked: Any = LARGE, document: str = "7") -> bytes | None:
    found = await buffer.read(asked, document)
    return found.answer.body if found else None


async def keep(buffer: CachedBuffer, buffers: Buffers, body: bytes = NOISE, asked: Any = LARGE) -> None:
    await buffer.keep(asked, answer(body, buffers.clock(), etag='"1"'), "7")


def empty_but_counted(buffers: Buffers) -> bool:
    figures = Shelf(ONE, SHARE).figures(buffers.clock())
    return not names() and (figures.items, figures.bytes, dict(figures.versions)) == (0, 0, {})


def test_only_a_body_that_is_large_after_packing_is_cut_and_each_part_fits_in_four_megabytes() -> None:
    """The largest body that the wire lets in, and one that packing makes only larger."""
    assert packed(b"0" * MAX_BODY_BYTES)[1].parts == ()
    assert packed(NOISE[: PART_BYTES - 4096])[1].parts == ()
    made = packed(NOISE + NOISE[: MAX_BODY_BYTES - len(NOISE)][::-1])[1]
    assert len(made.parts) == MAX_PARTS == 6
    assert max(map(len, made.parts)) <= 4 * MEGABYTE
    assert len(made.item) < 1000


def test_an_item_and_its_parts_make_the_answer_that_was_written() -> None:
    found = join(unpack(PACKED.item), PACKED.parts)
    assert found == replace(ITEM, answer=replace(ITEM.answer, buffered=True))


def changed(parts: list[Any], data: st.DataObject) -> None:
    """Do something to the parts that must be noticed."""
    place, other = data.draw(st.permutations(range(len(parts))))[:2]
    match data.draw(st.sampled_from(["flip", "cut", "swap", "type", "missing", "fewer", "more"])):
        case "flip":
            at = data.draw(st.integers(0, len(parts[place]) - 1))
            parts[place] = parts[place][:at] + bytes([parts[place][at] ^ 1]) + parts[place][at + 1 :]
        case "cut":
            parts[place] = parts[place][: data.draw(st.integers(0, 200))]
        case "swap":
            parts[place], parts[other] = parts[other], parts[place]
        case "type":
            parts[place] = data.draw(st.integers() | st.text(max_size=3))
        case "missing":
            parts[place] = None
        case "fewer":
            parts.pop(place)
        case _:
            parts.append(parts[place])


@given(st.data())
def test_parts_with_anything_changed_missing_or_moved_are_damaged(data: st.DataObject) -> None:
    parts: list[Any] = list(PACKED.parts)
    changed(parts, data)
    with pytest.raises(DamagedItemError):
        join(unpack(PACKED.item), parts)


def test_each_damage_of_a_part_has_a_name() -> None:
    foreign, newer = packed(NOISE[::-1])[1].parts[0], packed(NOISE, "2")[1].parts[0]
    for first, expected in ((None, Damage.MISSING), (foreign, Damage.FOREIGN), (newer, Damage.VERSION)):
        with pytest.raises(DamagedItemError) as caught:
            join(unpack(PACKED.item), [first, *PACKED.parts[1:]])
        assert caught.value.damage is expected


def test_parts_that_each_are_in_order_and_together_are_not_the_body_are_damaged() -> None:
    about, load = unframe(PART_MARK, PACKED.parts[0])
    with pytest.raises(DamagedItemError) as caught:
        join(unpack(PACKED.item), [frame(PART_MARK, about, bytes(load[::-1])), *PACKED.parts[1:]])
    assert caught.value.damage is Damage.CHECKSUM


@pytest.mark.anyio
async def test_an_answer_of_fifteen_megabytes_that_cannot_be_packed_is_kept_in_parts_and_read_whole(
    buffers: Buffers,
) -> None:
    async with buffers.of(shares=SHARES) as buffer:
        given = answer(NOISE, buffers.clock(), etag='"1"')
        await buffer.keep(LARGE, given, "7")
        assert names() == {f"i:{NAME}", *(f"i:{NAME}.{place}" for place in PLACES)}
        assert max(raw().strlen(name) for name in names()) <= 4 * MEGABYTE
        buffers.clock.pass_by(timedelta(days=8))
        found = await buffer.read(LARGE, "7")
    assert found is not None
    assert found.due
    assert found.answer == replace(given, buffered=True)
    figures = Shelf(ONE, SHARE).figures(buffers.clock())
    held = sum(raw().strlen(name) + OVERHEAD_BYTES for name in names())
    assert (figures.items, figures.bytes, figures.versions) == (5, held, {"1": 5})


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The names that were asked for, by exchange."""
    exchanges: list[tuple[str, ...]] = []
    fetch = Shelf.fetch

    def watching(self: Shelf, wanted: Any, *rest: Any) -> Any:
        exchanges.append(wanted.items)
        return fetch(self, wanted, *rest)

    monkeypatch.setattr(Shelf, "fetch", watching)
    return exchanges


@pytest.mark.anyio
async def test_all_parts_are_read_in_one_exchange_after_that_of_the_item(
    buffers: Buffers, asked: list[tuple[str, ...]]
) -> None:
    async with buffers.of(shares=SHARES) as buffer:
        await keep(buffer, buffers)
        assert await body_of(buffer) == NOISE
    assert asked == [(NAME,), tuple(f"{NAME}.{place}" for place in PLACES)]


FAULTS: dict[str, tuple[Change, Damage]] = {
    "removed": (lambda server: server.delete(f"i:{NAME}.2"), Damage.MISSING),
    "damaged": (lambda server: server.setrange(f"i:{NAME}.3", 100_000, b"kapot"), Damage.CHECKSUM),
    "text": (lambda server: server.set(f"i:{NAME}.1", "tekst"), Damage.MARK),
    "foreign": (lambda server: server.copy(f"i:{NAME}.1", f"i:{NAME}.2", replace=True), Damage.FOREIGN),
    "version": (lambda server: server.set(f"i:{NAME}.4", packed(NOISE, "2")[1].parts[3]), Damage.VERSION),
}


@pytest.mark.anyio
@pytest.mark.parametrize(("change", "damage"), FAULTS.values(), ids=FAULTS.keys())
async def test_a_part_that_is_not_as_it_was_makes_the_whole_a_miss_with_a_warning_and_nothing_of_it_stays(
    buffers: Buffers, change: Change, damage: Damage
) -> None:
    async with buffers.of(shares=SHARES) as buffer:
        await keep(buffer, buffers)
        change(raw())
        with capture_logs() as logs:
            assert await body_of(buffer) is None
        assert [(entry["event"], entry["damage"]) for entry in logs] == [("buffer_item_damaged", damage.value)]
        assert empty_but_counted(buffers)
        await keep(buffer, buffers)
        assert await body_of(buffer) == NOISE


@pytest.mark.anyio
async def test_a_large_item_of_another_version_goes_with_its_parts_and_without_their_being_read(
    buffers: Buffers, asked: list[tuple[str, ...]]
) -> None:
    async with buffers.of("1", shares=SHARES) as old, buffers.of("2", shares=SHARES) as new:
        await keep(old, buffers)
        with capture_logs() as logs:
            assert await body_of(new) is None
        assert logs == []
        assert asked == [(NAME,)]
        assert empty_but_counted(buffers)


@pytest.mark.anyio
async def test_a_damaged_item_that_no_longer_names_its_parts_takes_them_along(buffers: Buffers) -> None:
    async with buffers.of(shares=SHARES) as buffer:
        await keep(buffer, buffers)
        raw().set(f"i:{NAME}", b"stuk")
        raw().hdel("notes", NAME)
        assert await body_of(buffer) is None
        assert not names()


@pytest.mark.anyio
async def test_over_the_share_a_large_item_goes_whole_when_it_is_the_least_recently_read(buffers: Buffers) -> None:
    async with buffers.of(shares={ONE: 30 * MEGABYTE}) as buffer:
        await keep(buffer, buffers, b"klein", SMALL)
        await keep(buffer, buffers)
        buffers.clock.pass_by(timedelta(seconds=1))
        assert await body_of(buffer, SMALL) == b"klein"
        buffers.clock.pass_by(timedelta(seconds=1))
        await keep(buffer, buffers, NOISE[::-1], replace(LARGE, path="/scan2"))
        with capture_logs() as logs:
            assert await body_of(buffer) is None
            assert await body_of(buffer, replace(LARGE, path="/scan2")) == NOISE[::-1]
            assert await body_of(buffer, SMALL) == b"klein"
    assert logs == []  # making room is no damage
    figures = Shelf(ONE, 30 * MEGABYTE).figures(buffers.clock())
    assert (figures.items, figures.evicted) == (6, 5)


@pytest.mark.anyio
async def test_a_part_that_goes_before_its_item_takes_the_item_and_the_other_parts_along(buffers: Buffers) -> None:
    async with buffers.of(shares={ONE: 16 * MEGABYTE}) as buffer:
        await keep(buffer, buffers)
        buffers.clock.pass_by(timedelta(seconds=1))
        raw().zadd("read", {NAME: buffers.clock().timestamp()})  # as after a read that ended between item and parts
        await keep(buffer, buffers, OTHER_NOISE[: 2 * MEGABYTE], SMALL)
        with capture_logs() as logs:
            assert await body_of(buffer) is None
        assert logs == []
        assert names() == {f"i:{KEYS.call(SMALL)}"}


@pytest.mark.anyio
async def test_a_large_item_that_was_read_lately_stays_with_all_its_parts(buffers: Buffers) -> None:
    other = replace(LARGE, path="/ander")
    async with buffers.of(shares={ONE: 25 * MEGABYTE}) as buffer:
        await keep(buffer, buffers)
        buffers.clock.pass_by(timedelta(seconds=1))
        await keep(buffer, buffers, OTHER_NOISE, other)
        buffers.clock.pass_by(timedelta(seconds=1))
        assert await body_of(buffer) == NOISE
        buffers.clock.pass_by(timedelta(seconds=1))
        await keep(buffer, buffers, OTHER_NOISE[: 3 * MEGABYTE], SMALL)
        assert await body_of(buffer) == NOISE
        assert await body_of(buffer, other) is None


@pytest.mark.anyio
async def test_a_share_too_small_for_the_whole_keeps_nothing_of_it_and_lets_nobody_else_go(buffers: Buffers) -> None:
    async with buffers.of(shares={ONE: 14 * MEGABYTE}) as buffer:
        await keep(buffer, buffers, b"klein", SMALL)
        await keep(buffer, buffers, b"oud")
        await keep(buffer, buffers)
        assert names() == {f"i:{KEYS.call(SMALL)}"}
        assert await body_of(buffer) is None
    assert Shelf(ONE, MEGABYTE).figures(buffers.clock()).evicted == 0


@pytest.mark.anyio
@pytest.mark.parametrize("body", [b"klein", OTHER_NOISE], ids=["small", "fewer parts"])
async def test_what_is_kept_anew_leaves_no_part_of_before(buffers: Buffers, body: bytes) -> None:
    async with buffers.of(shares=SHARES) as buffer:
        await keep(buffer, buffers)
        await keep(buffer, buffers, body)
        assert await body_of(buffer) == body
        held = sum(raw().strlen(name) + OVERHEAD_BYTES for name in names())
        assert len(names()) == {b"klein": 1}.get(body, 4)
        assert Shelf(ONE, SHARE).figures(buffers.clock()).bytes == held


@pytest.mark.anyio
async def test_an_item_is_not_kept_when_a_part_went_before_it_was_there(
    buffers: Buffers, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = Shelf._put

    def losing(self: Shelf, entry: Any, *rest: Any, **more: Any) -> int:
        if entry.digest == NAME:
            raw().delete(f"i:{NAME}.1")
        return put(self, entry, *rest, **more)

    monkeypatch.setattr(Shelf, "_put", losing)
    async with buffers.of(shares=SHARES) as buffer:
        await keep(buffer, buffers)
    assert empty_but_counted(buffers)


@pytest.mark.anyio
async def test_a_document_that_is_gone_takes_its_parts_along_and_none_is_kept_after_it(buffers: Buffers) -> None:
    """Field report 19: what a holder withdrew is not served from a copy."""
    async with buffers.of(shares=SHARES) as buffer:
        await keep(buffer, buffers)
        await buffer.bury(ONE, "7")
        assert empty_but_counted(buffers)
        await keep(buffer, buffers)  # by somebody who asked before it went
        assert empty_but_counted(buffers)


@pytest.mark.anyio
async def test_a_takedown_removes_the_parts_of_the_document_and_of_every_search_answer(buffers: Buffers) -> None:
    async with buffers.of(shares=SHARES) as buffer:
        await keep(buffer, buffers)
        await buffer.keep(call("/zoek"), answer(OTHER_NOISE, buffers.clock()))
        assert remove_everywhere(KEYS, rules(shares=SHARES), ONE, "7") == 5 + 4
    assert empty_but_counted(buffers)


@pytest.mark.anyio
async def test_what_turned_out_to_be_no_answer_is_dropped_with_its_parts(buffers: Buffers) -> None:
    async with buffers.of(shares=SHARES) as buffer:
        await keep(buffer, buffers)
        await buffer.drop(LARGE)
    assert empty_but_counted(buffers)


@pytest.mark.anyio
async def test_a_cache_that_fails_between_the_item_and_its_parts_is_a_miss_and_costs_nothing_kept(
    buffers: Buffers, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch = Shelf.fetch

    def failing(self: Shelf, wanted: Any, *rest: Any) -> Any:
        if len(wanted.items) > 1:
            raise ConnectionError
        return fetch(self, wanted, *rest)

    async with buffers.of(shares=SHARES, pause=0.0) as buffer:
        await keep(buffer, buffers)
        with monkeypatch.context() as patch, capture_logs() as logs:
            patch.setattr(Shelf, "fetch", failing)
            assert await body_of(buffer) is None
        assert [entry["event"] for entry in logs] == ["buffer_unreachable"]
        assert await body_of(buffer) == NOISE
