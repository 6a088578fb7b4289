"""One platform's cache: a database of its own on the buffer server, within a share of bytes that we count ourselves.

What it holds beside the items is the count: when each was last read (who goes first), when each ends, how large each is and
what it is part of. Keeping and forgetting are one atomic script each, so the count holds over processes. All functions wait
for the server and belong in a thread; they raise whatever the cache raises.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from django.core.cache import caches

from connectors.buffering.rules import Kept

_SCRIPTS: Final = Path(__file__).parent / "scripts"
_KEEP, _FORGET = (
    "".join((_SCRIPTS / f"{name}.lua").read_text("utf-8") for name in ("forgetting", own)) for own in ("keep", "forget")
)
_READ, _ENDS, _NOTES, _FIGURES, _VERSIONS = "read", "ends", "notes", "figures", "versions"
_COUNT: Final = (_READ, _ENDS, _NOTES, _FIGURES, _VERSIONS)
_STEP: Final = 500
OVERHEAD_BYTES: Final = 640
"""What the server needs for an item beside its value: its name and its places in the count (measured with 3,000 items)."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One item on its way to the shelf: ``document`` is the digest of the document it is part of, empty for none.

    ``parts`` are the values that lie beside it, in order; the item and its parts are kept together or not at all.
    """

    digest: str
    value: bytes = field(repr=False)
    kind: Kept
    version: str
    lives: timedelta
    document: str = ""
    parts: tuple[bytes, ...] = field(default=(), repr=False)

    @property
    def size(self) -> int:
        """What it takes of the share, in bytes."""
        return sum(len(value) + OVERHEAD_BYTES for value in (self.value, *self.parts))


def part_names(digest: str, count: int) -> tuple[str, ...]:
    """Under which names the parts of an item lie, in order. The scripts know the same names."""
    return tuple(f"{digest}.{place}" for place in range(1, count + 1))


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to fetch: items by the digest of their call, and the graves of documents by theirs."""

    items: tuple[str, ...] = ()
    graves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Figures:
    """What is on the shelf, and what it was good for since it was last cleared."""

    items: int = 0
    bytes: int = 0
    share: int = 0
    hits: int = 0
    misses: int = 0
    evicted: int = 0
    damaged: int = 0
    versions: Mapping[str, int] = field(default_factory=dict)

    @property
    def hit_share(self) -> float | None:
        """The part of all reads that found something, from 0 to 1; None before the first."""
        reads = self.hits + self.misses
        return self.hits / reads if reads else None


class Shelf:
    """The cache ``alias`` of Django's settings, for at most ``share`` bytes. Makes no connection before it is used."""

    def __init__(self, alias: str, share: int) -> None:
        self._alias = alias
        self.share = share

    def fetch(
        self, wanted: Wanted, at: datetime, counted: Mapping[str, int]
    ) -> tuple[Sequence[bytes | None], Sequence[bytes | None]]:
        """Items and graves in the order asked, in one exchange. ``counted`` is added to the figures on the way."""
        trip = self._server().pipeline(transaction=False)
        names = [*(f"i:{digest}" for digest in wanted.items), *(f"g:{digest}" for digest in wanted.graves)]
        trip.mget(names)
        if wanted.items:
            trip.zadd(_READ, dict.fromkeys(wanted.items, at.timestamp()), xx=True)
        _add(trip, counted)
        values = trip.execute()[0]
        return values[: len(wanted.items)], values[len(wanted.items) :]

    def keep(self, entry: Entry, at: datetime, counted: Mapping[str, int]) -> int:
        """Keep one item; the least recently read go when the share is full. Returns how many, -1 when it was not kept.

        Parts come before their item, each in an exchange of its own: an item that is there has had all its parts.
        """
        names, gone = part_names(entry.digest, len(entry.parts)), 0
        if names:
            self.forget((entry.digest,))  # with its parts of before, which have the same names
            if entry.size > self.share:
                return -1
        for name, part in zip(names, entry.parts, strict=True):
            went = self._put(replace(entry, digest=name, value=part, parts=()), at, {}, head=entry.digest)
            if went < 0:
                break
            gone += went
        else:
            went = self._put(entry, at, counted)
        if went >= 0:
            return gone + went
        self.forget(names)
        return -1

    def forget(self, digests: Iterable[str]) -> int:
        """Throw items away. Returns how many there were."""
        server, names = self._server(), tuple(digests)
        return sum(
            server.eval(_FORGET, len(_COUNT), *_COUNT, *names[start : start + _STEP])
            for start in range(0, len(names), _STEP)
        )

    def bury(self, document: str, grave: bytes, lives: timedelta) -> int:
        """Note that a document is gone and throw its parts away. Returns how many there were.

        The grave comes first: what somebody else is fetching at this moment is then not kept any more.
        """
        self._server().set(f"g:{document}", grave, px=max(int(lives.total_seconds() * 1000), 1))
        return self.forget(name for name, note in self._notes() if note.get("document") == document)

    def remove(self, document: str, grave: bytes, lives: timedelta) -> int:
        """As ``bury``, and every search answer as well: any of them may hold a fragment of the document."""
        buried = self.bury(document, grave, lives)
        return buried + self.forget(name for name, note in self._notes() if note.get("kind") == Kept.SEARCH)

    def unbury(self, document: str) -> None:
        """Forget that a document is gone."""
        self._server().unlink(f"g:{document}")

    def figures(self, at: datetime) -> Figures:
        """What is on the shelf at this moment."""
        server = self._server()
        self.forget(name.decode() for name in server.zrangebyscore(_ENDS, "-inf", at.timestamp()))
        trip = self._server().pipeline(transaction=False)
        trip.hlen(_NOTES)
        trip.hgetall(_FIGURES)
        trip.hgetall(_VERSIONS)
        items, counted, versions = trip.execute()
        known = {name.decode(): int(value) for name, value in counted.items()}
        return Figures(
            items=items,
            share=self.share,
            versions={name.decode(): int(count) for name, count in versions.items()},
            **{name: known.get(name, 0) for name in ("bytes", "hits", "misses", "evicted", "damaged")},
        )

    def clear(self) -> None:
        """Empty this platform's database, its figures included; no other is touched."""
        caches[self._alias].clear()

    def _put(self, entry: Entry, at: datetime, counted: Mapping[str, int], head: str = "") -> int:
        """Keep one value: a part of the item ``head``, or an item whose parts are there."""
        lives, size = max(int(entry.lives.total_seconds() * 1000), 1), len(entry.value) + OVERHEAD_BYTES
        about = (lives, size, entry.kind.value, entry.version, entry.document, len(entry.parts), head)
        trip = self._server().pipeline(transaction=False)
        trip.eval(_KEEP, len(_COUNT), *_COUNT, entry.digest, entry.value, *about, at.timestamp(), self.share)
        _add(trip, counted)
        gone: int = trip.execute()[0]
        return gone

    def _server(self) -> Any:
        """The connection that django-redis keeps for this cache."""
        return caches[self._alias].client.get_client(write=True)  # type: ignore[attr-defined] # of django-redis

    def _notes(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        for name, note in self._server().hscan_iter(_NOTES, count=_STEP):
            yield name.decode(), json.loads(note)


def _add(trip: Any, counted: Mapping[str, int]) -> None:
    for name, amount in counted.items():
        trip.hincrby(_FIGURES, name, amount)
