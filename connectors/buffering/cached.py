"""The buffer that the client knows: answers that were fetched before, as long as their kind and our version allow.

Whatever is odd about what the cache holds or does is a miss: the platform is asked, and the log says why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Self

import structlog

from connectors.buffer import Found, Gone
from connectors.buffering.frames import DamagedItemError
from connectors.buffering.graves import Grave, pack_grave
from connectors.buffering.hop import Found as Lying
from connectors.buffering.hop import Hop, opened
from connectors.buffering.items import MAX_PARTS, Item, join, pack
from connectors.buffering.keys import Keys
from connectors.buffering.rules import Kept, Rules, kept_as
from connectors.buffering.shelf import Entry, Shelf, Wanted, part_names
from connectors.calls import Answer, Call

log = structlog.get_logger(__name__)
_VALIDATORS = ("etag", "last-modified")


class CachedBuffer:
    """See ``connectors.buffer.Buffer``. One per process and event loop; use as an async context manager."""

    def __init__(self, keys: Keys, rules: Rules, clock: Callable[[], datetime]) -> None:
        self._keys = keys
        self._rules = rules
        self._clock = clock
        self._hop = Hop(shelves(rules), rules, clock)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._hop.close()

    def name(self, call: Call) -> str:
        """The digest of ``call``."""
        return self._keys.call(call)

    async def read(self, call: Call, document: str = "") -> Found | None:
        """The answer kept for exactly this call, when it is fresh and this version wrote it."""
        kind = kept_as(call, document)
        if kind is None:
            return None
        digest = self.name(call)
        item = await self._hop.item(call.platform, digest)
        if isinstance(item, Item) and item.parts is not None and self._serves(item, kind):
            item = await self._whole(call.platform, digest, item)
        if isinstance(item, DamagedItemError):
            log.warning("buffer_item_damaged", platform=call.platform, damage=item.damage.value)
            self._hop.count(call.platform, "damaged")
        fresh = isinstance(item, Item) and self._serves(item, kind)
        self._hop.count(call.platform, "hits" if fresh else "misses")
        if fresh:
            assert isinstance(item, Item)
            return Found(item.answer, due=kind is Kept.TEXT and self._is_due(call, item.answer))
        if item is not None:
            await self._throw_away(call.platform, digest)
        return None

    async def keep(self, call: Call, answer: Answer, document: str = "") -> None:
        """Keep a good answer for as long as its kind allows."""
        kind = kept_as(call, document)
        if kind is None:
            return
        item = Item(self._rules.version, kind, replace(answer, buffered=False))
        packed = await self._hop.beside(lambda: pack(item))
        digest = self.name(call)
        if packed is None:  # headers too large to keep; what was kept before is no longer what the platform says
            await self._throw_away(call.platform, digest)
            return
        belongs = self._keys.document(call.platform, document) if document and kind is Kept.TEXT else ""
        entry = Entry(digest, packed.item, kind, item.version, self._rules.lifetimes.of(kind), belongs, packed.parts)

        def put(shelf: Shelf, counted: Mapping[str, int]) -> int:
            return shelf.keep(entry, self._clock(), counted)

        await self._hop.work(call.platform, "keep", put)

    async def drop(self, call: Call) -> None:
        """Throw away what is kept for this call: it turned out to be no answer."""
        self._hop.count(call.platform, "damaged")
        await self._throw_away(call.platform, self.name(call))

    async def gone(self, platform: str, document: str) -> Gone | None:
        """That the platform said within the last day that this document is gone."""
        digest = self._keys.document(platform, document)
        grave = await self._hop.grave(platform, digest)
        if isinstance(grave, Grave) and grave.version == self._rules.version:
            return Gone(grave.successor, grave.withdrawn)
        if grave is not None:
            await self._hop.work(platform, "unbury", lambda shelf, _: shelf.unbury(digest))
        return None

    async def bury(self, platform: str, document: str, successor: str = "", *, withdrawn: bool = False) -> None:
        """Throw away everything of a document that is gone, and know that for a day."""
        digest = self._keys.document(platform, document)
        grave = pack_grave(Grave(self._rules.version, successor, withdrawn))
        lives = self._rules.lifetimes.gone
        await self._hop.work(platform, "bury", lambda shelf, _: shelf.bury(digest, grave, lives))

    async def _throw_away(self, platform: str, digest: str) -> None:
        names = (digest, *part_names(digest, MAX_PARTS))  # all that can be: a damaged item does not say what it has
        await self._hop.work(platform, "forget", lambda shelf, _: shelf.forget(names))

    async def _whole(self, platform: str, digest: str, item: Item) -> Lying:
        """``item`` with the body that lies in parts, read in one hop; None when the cache did not answer."""
        assert item.parts is not None
        wanted = Wanted(part_names(digest, item.parts.count))

        def fetch(shelf: Shelf, counted: Mapping[str, int]) -> Sequence[bytes | None]:
            return shelf.fetch(wanted, self._clock(), counted)[0]

        parts = await self._hop.work(platform, "parts", fetch)
        return await self._hop.beside(lambda: opened(lambda values: join(item, values), parts))

    def _serves(self, item: Item, kind: Kept) -> bool:
        lived = self._clock() - item.answer.fetched_at
        return item.version == self._rules.version and lived <= self._rules.lifetimes.of(kind)

    def _is_due(self, call: Call, answer: Answer) -> bool:
        can_be_checked = call.method == "GET" and any(name in answer.headers for name in _VALIDATORS)
        return can_be_checked and self._clock() - answer.fetched_at > self._rules.lifetimes.recheck


def shelves(rules: Rules) -> dict[str, Shelf]:
    """The shelf of each platform that has a share."""
    return {platform: Shelf(platform, share) for platform, share in rules.shares.items()}


def remove_everywhere(keys: Keys, rules: Rules, platform: str, document: str) -> int:
    """Remove one document from the buffer, and every search answer of its platform; waits for the cache.

    Returns how many parts there were; raises whatever the cache raises.
    """
    digest, grave = keys.document(platform, document), pack_grave(Grave(rules.version))
    return Shelf(platform, rules.shares[platform]).remove(digest, grave, rules.lifetimes.gone)


def let_back(keys: Keys, rules: Rules, platform: str, document: str) -> None:
    """Let a document that was removed be asked for again; waits for the cache, and raises whatever the cache raises."""
    Shelf(platform, rules.shares[platform]).unbury(keys.document(platform, document))
