"""An item is read back as it was written, or it is damaged; there is nothing in between and nothing else."""

from __future__ import annotations

import json
import pickle
import sys
import zlib
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.buffering.frames import Damage, DamagedItemError
from connectors.buffering.graves import Grave, pack_grave, unpack_grave
from connectors.buffering.items import MAX_PARTS, Item, Parts, pack, unpack
from connectors.buffering.rules import MEGABYTE, Kept
from connectors.calls import Answer

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MOMENT = datetime(2026, 3, 12, 13, 50, 7, 123456, tzinfo=UTC)
NAMES = st.text("abcdefghijklmnopqrstuvwxyz-", min_size=1, max_size=20).map(lambda name: f"x-{name}")


def item(body: bytes = b"tekst", **changes: Any) -> Item:
    values: dict[str, Any] = {"status": 200, "headers": {"etag": '"1"'}, "body": body, "fetched_at": MOMENT}
    return Item("0.1.0", Kept.TEXT, Answer(**(values | changes)))


def damage(packed: object) -> Damage:
    with pytest.raises(DamagedItemError) as caught:
        unpack(packed)
    return caught.value.damage


def written(header: object, body: bytes | None = b"") -> bytes:
    """An item as somebody else might have written it, with a checksum that is right."""
    head = json.dumps(header).encode()
    rest = len(head).to_bytes(4, "big") + head + (b"" if body is None else zstd.compress(body))
    return b"\x93BB1" + zlib.crc32(rest).to_bytes(4, "big") + rest


ANSWERS = st.builds(
    Answer,
    status=st.integers(200, 299),
    headers=st.dictionaries(NAMES, st.text(max_size=50), max_size=8),
    body=st.binary(max_size=4000),
    fetched_at=st.integers(1_500_000_000_000, 4_000_000_000_000).map(lambda ms: datetime.fromtimestamp(ms / 1000, UTC)),
)


@given(st.builds(Item, st.text(max_size=20), st.sampled_from(Kept), ANSWERS))
def test_what_was_written_is_read_back_and_says_that_it_comes_from_the_buffer(written: Item) -> None:
    packed = pack(written)
    assert packed is not None
    assert packed.parts == ()
    assert unpack(packed.item) == replace(written, answer=replace(written.answer, buffered=True))


@given(st.binary(max_size=300) | st.binary(max_size=200).map(lambda rest: b"\x93BB1" + rest))
def test_bytes_that_nobody_wrote_as_an_item_are_damaged(packed: bytes) -> None:
    damage(packed)


@given(st.data())
def test_an_item_with_anything_changed_or_missing_is_damaged(data: st.DataObject) -> None:
    written = pack(item(b"een lange tekst " * 20))
    assert written is not None
    packed = written.item
    match data.draw(st.sampled_from(["flip", "cut", "more", "swap"])):
        case "flip":
            at = data.draw(st.integers(0, len(packed) - 1))
            changed = packed[:at] + bytes([packed[at] ^ data.draw(st.integers(1, 255))]) + packed[at + 1 :]
        case "cut":
            changed = packed[: data.draw(st.integers(0, len(packed) - 1))]
        case "more":
            changed = packed + data.draw(st.binary(min_size=1, max_size=9))
        case _:
            changed = packed[::-1]
    damage(changed)


GOOD = {"version": "1", "kind": "tekst", "status": 200, "headers": {}, "fetched": 1.5, "bytes": 0}
IN_PARTS = GOOD | {"parts": 2, "digest": "0" * 64}


@given(
    st.sampled_from([(GOOD, b""), (IN_PARTS, None)]),
    st.sampled_from(sorted(IN_PARTS)),
    st.none() | st.booleans() | st.floats() | st.text(max_size=5) | st.lists(st.none(), max_size=1) | st.just({"a": 1}),
)
def test_a_header_of_another_shape_is_damaged_or_still_an_item(
    kind: tuple[dict[str, object], bytes | None], name: str, value: object
) -> None:
    whole, body = kind
    try:
        found = unpack(written(whole | {name: value}, body))
    except DamagedItemError:
        return
    assert isinstance(found.version, str)
    assert isinstance(found.answer.fetched_at, datetime)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (GOOD | {"bytes": 5}, Damage.PACKING),
        (GOOD | {"bytes": -1}, Damage.SIZE),
        (GOOD | {"bytes": 21 * MEGABYTE}, Damage.SIZE),
        (GOOD | {"bytes": True}, Damage.SIZE),
        (GOOD | {"fetched": 1e300}, Damage.SHAPE),
        (GOOD | {"fetched": float("nan")}, Damage.SHAPE),
        (GOOD | {"kind": "iets"}, Damage.SHAPE),
        (GOOD | {"headers": {"a": 1}}, Damage.SHAPE),
        ([], Damage.HEADER),
        ("tekst", Damage.HEADER),
    ],
)
def test_each_damage_has_a_name(header: object, expected: Damage) -> None:
    assert damage(written(header)) is expected


@pytest.mark.parametrize(
    ("changes", "body"),
    [
        ({}, b"x"),
        ({"parts": 1}, None),
        ({"parts": MAX_PARTS + 1}, None),
        ({"parts": True}, None),
        ({"digest": "0"}, None),
    ],
)
def test_an_item_in_parts_has_no_body_of_its_own_and_says_rightly_where_it_is(
    changes: dict[str, object], body: bytes | None
) -> None:
    assert unpack(written(IN_PARTS, None)).parts == Parts(2, "0" * 64, 0)
    assert damage(written(IN_PARTS | changes, body)) is Damage.SHAPE


def test_a_small_item_that_would_unpack_to_more_than_it_says_is_damaged() -> None:
    assert damage(written(GOOD | {"bytes": 10}, b"0" * (64 * MEGABYTE))) is Damage.PACKING


@pytest.mark.parametrize("value", [None, 7, "tekst", bytearray(b"x"), [b"x"]])
def test_what_is_no_bytes_is_damaged(value: object) -> None:
    assert damage(value) is Damage.TYPE


def test_a_pickle_is_never_opened() -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return (pytest.fail, ("a pickle was opened",))

    assert damage(pickle.dumps(Trap())) is Damage.MARK


def test_an_item_with_headers_that_are_too_large_is_not_written() -> None:
    assert pack(item(headers={"x": "y" * 70_000})) is None


def test_cookies_and_the_packing_of_the_wire_are_not_kept() -> None:
    packed = pack(item(headers={"set-cookie": "wie=u", "content-encoding": "gzip", "content-type": "text/html"}))
    assert packed is not None
    assert unpack(packed.item).answer.headers == {"content-type": "text/html"}


@given(st.text(max_size=20), st.text(max_size=20))
def test_a_grave_is_read_back_as_it_was_written(version: str, successor: str) -> None:
    assert unpack_grave(pack_grave(Grave(version, successor))) == Grave(version, successor)


@given(
    st.binary(max_size=60) | st.none() | st.sampled_from([b"[]", b"{}", b'{"version": 1, "successor": ""}', b"[" * 9])
)
def test_what_is_no_grave_is_damaged(packed: object) -> None:
    with pytest.raises(DamagedItemError):
        unpack_grave(packed)
