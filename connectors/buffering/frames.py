"""The frame around everything that is kept: a mark, a checksum, a header that can be read at once, and the load.

Layout: the mark, four bytes with the checksum of all that follows, four with the length of the header, the header as JSON, and
the load to the end. Whatever is not exactly that is damaged; nothing else is ever raised.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

MAX_HEADER_BYTES: Final = 64 * 1024
_NUMBER_BYTES: Final = 4


class Damage(StrEnum):
    """In what way something is not what it should be: one word for the log, never content."""

    TYPE = "type"
    MARK = "mark"
    CHECKSUM = "checksum"
    LENGTH = "length"
    HEADER = "header"
    SIZE = "size"
    PACKING = "packing"
    SHAPE = "shape"
    MISSING = "missing"
    VERSION = "version"
    FOREIGN = "foreign"
    OTHER = "other"


class DamagedItemError(Exception):
    """Not an item, because of ``damage``."""

    def __init__(self, damage: Damage) -> None:
        super().__init__(damage)
        self.damage = damage


def frame(mark: bytes, header: Mapping[str, object], load: bytes | memoryview) -> bytes | None:
    """The bytes of ``header`` and ``load`` under ``mark``, or None when the header is larger than one may be."""
    head = json.dumps(header, ensure_ascii=True, separators=(",", ":")).encode()
    if len(head) > MAX_HEADER_BYTES:
        return None
    length = _number(len(head))
    checksum = zlib.crc32(load, zlib.crc32(head, zlib.crc32(length)))
    return b"".join((mark, _number(checksum), length, head, load))


def unframe(mark: bytes, framed: object) -> tuple[Mapping[str, Any], memoryview]:
    """The header and the load. Raises ``DamagedItemError`` for whatever is not framed under ``mark``."""
    if not isinstance(framed, bytes):
        raise DamagedItemError(Damage.TYPE)
    if not framed.startswith(mark):
        raise DamagedItemError(Damage.MARK)
    view = memoryview(framed)[len(mark) :]
    checksum, rest = int.from_bytes(view[:_NUMBER_BYTES], "big"), view[_NUMBER_BYTES:]
    if zlib.crc32(rest) != checksum:
        raise DamagedItemError(Damage.CHECKSUM)
    length, rest = int.from_bytes(rest[:_NUMBER_BYTES], "big"), rest[_NUMBER_BYTES:]
    if length > min(MAX_HEADER_BYTES, len(rest)):
        raise DamagedItemError(Damage.LENGTH)
    return _header(bytes(rest[:length])), rest[length:]


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
