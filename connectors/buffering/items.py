"""An item as it lies in the cache: a header that can be read at once, and the body packed with zstd. Never a pickle.

Layout: the mark, four bytes with the checksum of all that follows, four with the length of the header, the header as JSON, and
the packed body to the end. Whatever is not exactly that is damaged; nothing else is ever raised.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from connectors.buffering.rules import MAX_ITEM_BYTES, MEGABYTE, Kept
from connectors.calls import Answer

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MAX_BODY_BYTES: Final = 20 * MEGABYTE
"""What a body may be after unpacking: as much as the wire lets in, so that a small item cannot fill the memory."""
_MARK: Final = b"\x93BB1"  # no text and no number starts so
_NUMBER_BYTES: Final = 4
_MAX_HEADER_BYTES: Final = 64 * 1024
_LEVEL: Final = 3
_OPTIONS: Final[Mapping[int, int]] = {
    zstd.CompressionParameter.compression_level: _LEVEL,
    zstd.CompressionParameter.content_size_flag: 1,
}
_NOT_KEPT: Final = frozenset({"set-cookie", "connection", "keep-alive", "transfer-encoding", "content-encoding"})


class Damage(StrEnum):
    """In what way something is no item: one word for the log, never content."""

    TYPE = "type"
    MARK = "mark"
    CHECKSUM = "checksum"
    LENGTH = "length"
    HEADER = "header"
    SIZE = "size"
    PACKING = "packing"
    SHAPE = "shape"
    OTHER = "other"


class DamagedItemError(Exception):
    """Not an item, because of ``damage``."""

    def __init__(self, damage: Damage) -> None:
        super().__init__(damage)
        self.damage = damage


@dataclass(frozen=True, slots=True)
class Item:
    """An answer as it is kept, with the version of the product that wrote it."""

    version: str
    kind: Kept
    answer: Answer


def pack(item: Item) -> bytes | None:
    """The bytes of ``item``, or None when they are more than one item may be."""
    answer = item.answer
    header = {
        "version": item.version,
        "kind": item.kind.value,
        "status": answer.status,
        "headers": {name: value for name, value in answer.headers.items() if name not in _NOT_KEPT},
        "fetched": answer.fetched_at.timestamp(),
        "bytes": len(answer.body),
    }
    head = json.dumps(header, ensure_ascii=True, separators=(",", ":")).encode()
    rest = b"".join((_number(len(head)), head, zstd.compress(answer.body, options=_OPTIONS)))
    packed = b"".join((_MARK, _number(zlib.crc32(rest)), rest))
    return packed if len(head) <= _MAX_HEADER_BYTES and len(packed) <= MAX_ITEM_BYTES else None


def unpack(packed: object) -> Item:
    """The item in ``packed``, its answer marked as buffered. Raises ``DamagedItemError`` for whatever else it is."""
    if not isinstance(packed, bytes):
        raise DamagedItemError(Damage.TYPE)
    if not packed.startswith(_MARK):
        raise DamagedItemError(Damage.MARK)
    view = memoryview(packed)[len(_MARK) :]
    checksum, rest = int.from_bytes(view[:_NUMBER_BYTES], "big"), view[_NUMBER_BYTES:]
    if zlib.crc32(rest) != checksum:
        raise DamagedItemError(Damage.CHECKSUM)
    length, rest = int.from_bytes(rest[:_NUMBER_BYTES], "big"), rest[_NUMBER_BYTES:]
    if length > min(_MAX_HEADER_BYTES, len(rest)):
        raise DamagedItemError(Damage.LENGTH)
    header = _header(bytes(rest[:length]))
    return _item(header, _body(rest[length:], header.get("bytes")))


def _number(value: int) -> bytes:
    return value.to_bytes(_NUMBER_BYTES, "big")


def _header(head: bytes) -> Mapping[str, Any]:
    try:
        header = json.loads(head)
    except (ValueError, RecursionError):
        raise DamagedItemError(Damage.HEADER) from None
    if not isinstance(header, dict):
        raise DamagedItemError(Damage.HEADER)
    return header


def _body(packed: memoryview, size: object) -> bytes:
    if type(size) is not int or not 0 <= size <= MAX_BODY_BYTES:
        raise DamagedItemError(Damage.SIZE)
    unpacker = zstd.ZstdDecompressor()
    try:
        body = unpacker.decompress(packed, max_length=size + 1)  # one more: the end of the frame must have been seen
    except zstd.ZstdError:
        raise DamagedItemError(Damage.PACKING) from None
    if len(body) != size or not unpacker.eof or unpacker.unused_data:
        raise DamagedItemError(Damage.PACKING)
    return body


def _item(header: Mapping[str, Any], body: bytes) -> Item:
    version, status, fetched, headers = (header.get(name) for name in ("version", "status", "fetched", "headers"))
    if not isinstance(version, str) or type(status) is not int or not isinstance(headers, dict):
        raise DamagedItemError(Damage.SHAPE)
    if not all(isinstance(value, str) for value in headers.values()):
        raise DamagedItemError(Damage.SHAPE)
    try:
        kind = Kept(str(header.get("kind")))
        fetched_at = datetime.fromtimestamp(_seconds(fetched), UTC)
    except (ValueError, OverflowError, OSError):
        raise DamagedItemError(Damage.SHAPE) from None
    answer = Answer(status=status, headers=MappingProxyType(headers), body=body, fetched_at=fetched_at, buffered=True)
    return Item(version, kind, answer)


def _seconds(value: object) -> float:
    if type(value) not in {int, float}:
        raise DamagedItemError(Damage.SHAPE)
    assert isinstance(value, int | float)
    return value
