"""Unpacking a body with a bound: what a platform packed small may not grow past what we are ready to read."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Final

_STEP: Final = 64 * 1024
_GZIP_OR_ZLIB: Final = 32 + zlib.MAX_WBITS
ENCODINGS: Final = frozenset({"", "identity", "gzip", "x-gzip", "deflate"})
"""The values of ``Content-Encoding`` that can be read. At most one: packed twice, a small body is an endless one."""


class DamagedError(Exception):
    """The packing is damaged, or ends too early."""


class Inflater:
    """Unpacks the parts of one body, in pieces of at most 64 kB."""

    def __init__(self, encoding: str) -> None:
        self._stream = zlib.decompressobj(_GZIP_OR_ZLIB) if encoding not in {"", "identity"} else None

    def feed(self, part: bytes) -> Iterator[bytes]:
        """The pieces that ``part`` unpacks to. Raises ``DamagedError``."""
        if self._stream is None:
            yield part
            return
        rest = part
        while rest and not self._stream.eof:
            try:
                piece = self._stream.decompress(rest, _STEP)
            except zlib.error:
                raise DamagedError from None
            rest = self._stream.unconsumed_tail
            if piece:
                yield piece

    def finish(self) -> None:
        """Say that all parts were fed. Raises ``DamagedError`` when the packing goes on."""
        if self._stream is not None and not self._stream.eof:
            raise DamagedError
