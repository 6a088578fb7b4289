"""Values as they are kept: JSON of their types, packed with zstd. Never a pickle; what does not fit its type is refused."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeVar

from pydantic import TypeAdapter, ValidationError

from connectors.records import Filter, Hit, Note, Total
from reports.records import Cut, Overview, PlatformFound, Report, Wish

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_T = TypeVar("_T")
_LEVEL: Final = 3
MOST_BYTES: Final = 64 * 1024 * 1024
"""What a value may be after unpacking, so that a small damaged one cannot fill the memory."""


class UnreadableError(Exception):
    """Bytes that are no value of the type that was asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HitsPart:
    """One page of hits of one platform; of the first page ``total``, ``notes`` and ``ignored`` count.

    ``failed``: it gave no answer, ``said`` what it said; ``not_supported``: because it can have nothing of what is asked.
    """

    hits: tuple[Hit, ...] = ()
    total: Total | None = None
    fetched_at: datetime | None = None
    has_more: bool = False
    notes: tuple[Note, ...] = ()
    ignored: tuple[Filter, ...] = ()
    failed: bool = False
    not_supported: bool = False
    said: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What a finished run made, for everybody who asked for it."""

    most_hits: int
    most_texts: int
    totals: tuple[PlatformFound, ...]
    overview: Overview
    cuts: tuple[Cut, ...]
    sources: tuple[str, ...]


def report_of(made: Made, target: str, version: str, at: datetime, asked_at: datetime | None = None) -> Report:
    """The report of ``target`` that ``version`` made ``at`` a moment; ``asked_at`` is for one requester."""
    return Report(
        wish=Wish(target),
        asked_at=asked_at or at,
        made_at=at,
        version=version,
        most_hits=made.most_hits,
        most_texts=made.most_texts,
        totals=made.totals,
        overview=made.overview,
        cuts=made.cuts,
        sources=made.sources,
    )


_ADAPTERS: Final[dict[type[Any], TypeAdapter[Any]]] = {}


def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


def pack(value: object) -> bytes:
    """The bytes of a value."""
    return zstd.compress(_adapter(type(value)).dump_json(value), _LEVEL)


def unpack(kind: type[_T], packed: bytes) -> _T:
    """The value of ``kind`` in bytes. Raises ``UnreadableError``."""
    try:
        reading = zstd.ZstdDecompressor()
        content = reading.decompress(packed, MOST_BYTES)
        if not reading.eof:
            raise UnreadableError
        value = _adapter(kind).validate_json(content)
    except (zstd.ZstdError, ValidationError) as failure:
        raise UnreadableError from failure
    assert isinstance(value, kind)
    return value
