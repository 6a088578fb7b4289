"""An item as it lies in the cache: a header that can be read at once, and the body packed with zstd. Never a pickle.

A body that is large even when packed lies beside its item, cut into parts that each say of which version, which body and which
place they are. The item then names how many there are and the digest of what they make together.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final

from connectors.buffering.frames import Damage, DamagedItemError, frame, unframe
from connectors.buffering.rules import MEGABYTE, PART_BYTES, Kept
from connectors.calls import Answer

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MAX_BODY_BYTES: Final = 20 * MEGABYTE
"""What a body may be after unpacking: as much as the wire lets in, so that a small item cannot fill the memory."""
MAX_PARTS: Final = MAX_BODY_BYTES // PART_BYTES + 1
"""As many as a body makes that packing only made larger."""
_ITEM: Final = b"\x93BB1"  # no text and no number starts so
_PART: Final = b"\x93BP1"
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_LEVEL: Final = 3
_OPTIONS: Final[Mapping[int, int]] = {
    zstd.CompressionParameter.compression_level: _LEVEL,
    zstd.CompressionParameter.content_size_flag: 1,
}
_NOT_KEPT: Final = frozenset({"set-cookie", "connection", "keep-alive", "transfer-encoding", "content-encoding"})


@dataclass(frozen=True, slots=True)
class Parts:
    """Where the body of an item is when it does not lie in the item.

    ``count`` is how many parts there are, ``digest`` the SHA-256 of the packed body that they make together, ``size`` what it
    is after unpacking, in bytes.
    """

    count: int
    digest: str
    size: int


@dataclass(frozen=True, slots=True)
class Item:
    """An answer as it is kept, with the version of the product that wrote it.

    ``parts``: where the body is to be had; the answer's own is then empty. None when the body is there.
    """

    version: str
    kind: Kept
    answer: Answer
    parts: Parts | None = None


@dataclass(frozen=True, slots=True)
class Packed:
    """The bytes of an item, and those of the parts of its body in order: none when the body is in the item."""

    item: bytes = field(repr=False)
    parts: tuple[bytes, ...] = field(default=(), repr=False)


def pack(item: Item) -> Packed | None:
    """The bytes of ``item``, its body cut up where it is large; None when its headers are larger than an item's may be."""
    answer = item.answer
    body = zstd.compress(answer.body, options=_OPTIONS)
    header = {
        "version": item.version,
        "kind": item.kind.value,
        "status": answer.status,
        "headers": {name: value for name, value in answer.headers.items() if name not in _NOT_KEPT},
        "fetched": answer.fetched_at.timestamp(),
        "bytes": len(answer.body),
    }
    if len(body) <= PART_BYTES:
        packed = frame(_ITEM, header, body)
        return None if packed is None else Packed(packed)
    digest = hashlib.sha256(body).hexdigest()
    parts = _cut(item.version, digest, body)
    packed = frame(_ITEM, header | {"parts": len(parts), "digest": digest}, b"")
    return None if packed is None else Packed(packed, parts)


def unpack(packed: object) -> Item:
    """The item in ``packed``, its answer marked as buffered. Raises ``DamagedItemError`` for whatever else it is."""
    header, load = unframe(_ITEM, packed)
    parts = _parts(header) if "parts" in header else None
    if parts is None:
        return _item(header, _body(load, _size(header)), None)
    if load:
        raise DamagedItemError(Damage.SHAPE)
    return _item(header, b"", parts)


def join(item: Item, parts: Sequence[object]) -> Item:
    """``item`` with the body that lay in ``parts``. Raises ``DamagedItemError`` when they are not exactly its parts."""
    asked = item.parts
    if asked is None:
        raise DamagedItemError(Damage.SHAPE)
    body = b"".join(_part(item.version, asked.digest, place, part) for place, part in enumerate(parts, 1))
    if hashlib.sha256(body).hexdigest() != asked.digest:
        raise DamagedItemError(Damage.CHECKSUM)
    return replace(item, answer=replace(item.answer, body=_body(body, asked.size)), parts=None)


def _cut(version: str, digest: str, body: bytes) -> tuple[bytes, ...]:
    view = memoryview(body)
    pieces = [view[start : start + PART_BYTES] for start in range(0, len(body), PART_BYTES)]
    framed = [
        frame(_PART, {"version": version, "digest": digest, "part": place}, piece)
        for place, piece in enumerate(pieces, 1)
    ]
    return tuple(part for part in framed if part is not None)


def _part(version: str, digest: str, place: int, part: object) -> memoryview:
    if part is None:
        raise DamagedItemError(Damage.MISSING)
    header, load = unframe(_PART, part)
    if header.get("version") != version:
        raise DamagedItemError(Damage.VERSION)
    if (header.get("digest"), header.get("part")) != (digest, place):
        raise DamagedItemError(Damage.FOREIGN)
    return load


def _parts(header: Mapping[str, Any]) -> Parts:
    count, digest = header.get("parts"), header.get("digest")
    if type(count) is not int or not 1 < count <= MAX_PARTS:
        raise DamagedItemError(Damage.SHAPE)
    if not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
        raise DamagedItemError(Damage.SHAPE)
    return Parts(count, digest, _size(header))


def _size(header: Mapping[str, Any]) -> int:
    size = header.get("bytes")
    if type(size) is not int or not 0 <= size <= MAX_BODY_BYTES:
        raise DamagedItemError(Damage.SIZE)
    return size


def _body(packed: bytes | memoryview, size: int) -> bytes:
    unpacker = zstd.ZstdDecompressor()
    try:
        body = unpacker.decompress(packed, max_length=size + 1)  # one more: the end of the frame must have been seen
    except zstd.ZstdError:
        raise DamagedItemError(Damage.PACKING) from None
    if len(body) != size or not unpacker.eof or unpacker.unused_data:
        raise DamagedItemError(Damage.PACKING)
    return body


def _item(header: Mapping[str, Any], body: bytes, parts: Parts | None) -> Item:
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
    return Item(version, kind, answer, parts)


def _seconds(value: object) -> float:
    if type(value) not in {int, float}:
        raise DamagedItemError(Damage.SHAPE)
    assert isinstance(value, int | float)
    return value
