"""Documents that an operator took down: they are served nowhere, whatever the platforms and the buffer still hold.

A takedown is no item of the buffer: it stands in the database and survives upgrades (field report 19).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final, Protocol

from connectors.records import Document, Note, NoteCode, SearchResult

Known = frozenset[tuple[str, str]]
"""Platform and upstream id of every document that was taken down."""
MAX_AGE: Final = 1.0
"""Seconds after which it is read anew, by the next who asks."""


class Takedowns(Protocol):
    """What was taken down."""

    async def known(self) -> Known:
        """All of it. Never fails: what cannot be read now is what was known before."""
        ...


class NoTakedowns:
    """Nothing was taken down."""

    async def known(self) -> Known:
        """Nothing."""
        return frozenset()


class CurrentTakedowns:
    """What was taken down, at most a second ago. ``read`` gives it, or None when it cannot be read now."""

    def __init__(self, read: Callable[[], Awaitable[Known | None]]) -> None:
        self._read = read
        self._reading = asyncio.Lock()
        self._known: Known = frozenset()
        self._read_at: float | None = None

    async def known(self) -> Known:
        """See ``Takedowns``. Whoever asks while it is being read waits for that."""
        async with self._reading:
            now = asyncio.get_running_loop().time()
            if self._read_at is None or now - self._read_at >= MAX_AGE:
                found = await self._read()
                self._known = self._known if found is None else found
                self._read_at = now
        return self._known


def without_hits(result: SearchResult, known: Known) -> SearchResult:
    """``result`` without what was taken down, and with a remark when that left something out."""
    hits = tuple(hit for hit in result.hits if (hit.platform, hit.upstream_id) not in known)
    gone = len(result.hits) - len(hits)
    if not gone:
        return result
    return replace(result, hits=hits, notes=(*result.notes, Note(NoteCode.TAKEN_DOWN_LEFT_OUT, (str(gone),))))


def without_related(document: Document, known: Known) -> Document:
    """``document`` without links to what was taken down: their titles say enough."""
    related = tuple(one for one in document.related if (document.platform, one.upstream_id or "") not in known)
    return replace(document, related=related) if len(related) < len(document.related) else document
