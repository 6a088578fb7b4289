"""How long answers are kept, how much of them, and how long anybody waits for the cache. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import Final

from connectors.calls import Call, CallKind

MEGABYTE: Final = 1024 * 1024
PART_BYTES: Final = 4 * MEGABYTE - 4096
"""How much of a packed body lies under one name; what is larger is cut into parts. With its header a part fits in 4 MB."""


class Kept(StrEnum):
    """The three kinds of what is kept."""

    LIST = "lijst"
    SEARCH = "zoeken"
    TEXT = "tekst"


def kept_as(call: Call, document: str) -> Kept | None:
    """As what the answer to ``call`` is kept, or None when it is not.

    ``document`` is the number of the document that was asked for. A document fetched on the way to a search answer counts as
    part of that answer: nobody could name it when it must be removed. A load status has its place in the database.
    """
    match call.kind:
        case CallKind.LIST:
            return Kept.LIST
        case CallKind.SEARCH:
            return Kept.SEARCH
        case CallKind.DOCUMENT:
            return Kept.TEXT if document else Kept.SEARCH
        case _:
            return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifetimes:
    """How long each kind is kept, when a text is checked again, and how long it is known that a document is gone."""

    lists: timedelta = timedelta(days=60)
    searches: timedelta = timedelta(minutes=30)
    texts: timedelta = timedelta(days=28)
    recheck: timedelta = timedelta(days=7)
    gone: timedelta = timedelta(days=1)

    def of(self, kind: Kept) -> timedelta:
        """How long something of ``kind`` is kept."""
        return {Kept.LIST: self.lists, Kept.SEARCH: self.searches, Kept.TEXT: self.texts}[kind]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What the buffer keeps to. ``version`` is the version of the product: what another wrote is never served.

    ``shares`` are bytes by platform; ``patience`` is how many seconds anybody waits for the cache, ``pause`` how many seconds
    a cache that failed is left alone.
    """

    version: str
    shares: Mapping[str, int]
    lifetimes: Lifetimes = field(default_factory=Lifetimes)
    patience: float = 0.25
    pause: float = 5.0
