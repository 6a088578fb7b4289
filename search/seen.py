"""What an answer page has shown so far, so that a thing two platforms have is one result that names both.

Sections come in order of arrival and stay as they were sent. So the platform that came first has the result, and a later one
says that it has it too: its copy is folded, with what it says otherwise beside it.
"""

from __future__ import annotations

from dataclasses import dataclass

from connectors.records import Hit
from search.same import Disagreement, SameItem, together


@dataclass(frozen=True, slots=True)
class Copy:
    """A hit that stands on the page already. ``first``: the hit that does; ``disagreements``: where platforms differ on it."""

    hit: Hit
    first: Hit
    disagreements: tuple[Disagreement, ...] = ()


@dataclass(frozen=True, slots=True)
class Split:
    """The hits of one section: new ones, and copies of what another platform gave before."""

    new: tuple[Hit, ...]
    copies: tuple[Copy, ...]


class Seen:
    """The hits of one page while it is sent.

    ``copies`` counts those that stood on it already and count as found; ``shared`` are the things that more than one platform
    gave.
    """

    def __init__(self) -> None:
        self._hits: tuple[Hit, ...] = ()
        self.copies = 0
        self.shared: tuple[SameItem[Hit], ...] = ()

    def split(self, hits: tuple[Hit, ...]) -> Split:
        """Take the hits of the next section, each with whether it is a copy."""
        items = together((*self._hits, *hits))
        ours = {hit.id for hit in hits}
        copies = {
            hit.id: Copy(hit, item.first, item.disagreements)
            for item in items
            if item.is_shared and item.first.id not in ours
            for hit in item.things
            if hit.id in ours and hit.partly >= item.first.partly  # what fits is no copy of what only looks like it
        }
        self._hits = (*self._hits, *hits)
        self.copies += sum(not one.hit.partly for one in copies.values())
        self.shared = tuple(item for item in items if item.is_shared)
        return Split(tuple(hit for hit in hits if hit.id not in copies), tuple(copies.values()))
