"""What to ask for next, and what of it a report holds: both caps divided fairly over the platforms. Pure.

Fairly: each platform may have as much as any other, and what one does not need goes to the others. So a platform with a million
hits leaves no other without.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Final

from connectors.platforms import PLATFORMS
from connectors.records import Certainty, Hit, Total
from reports.codec import HitsPart, Made
from reports.overview import cuts_of_readings, overview
from reports.records import Cut, CutReason, PlatformFound, Reading
from search.parameters import MAX_PAGE
from search.same import SameItem, together

_MOST_BARREN: Final = 3
"""So many pages without anything new are enough: a platform that pages in circles gives no more."""
_ORDER: Final = {platform.key: place for place, platform in enumerate(PLATFORMS)}


def shares(wanted: Sequence[int], most: int) -> list[int]:
    """``most`` divided fairly over who want so many each. What is left of an even division goes to the first."""
    given = [0] * len(wanted)
    left = most
    while left > 0 and (hungry := [place for place, want in enumerate(wanted) if given[place] < want]):
        each = max(left // len(hungry), 1)
        for place in hungry:
            more = min(each, wanted[place] - given[place], left)
            given[place] += more
            left -= more
    return given


@dataclass(slots=True)
class Lane:
    """What one platform gave so far, page after page."""

    platform: str
    pages: list[HitsPart] = field(default_factory=list)

    @property
    def hits(self) -> list[Hit]:
        """Its hits that count, each once, in its own order: what only looks like what was asked is not in a report."""
        return [hit for hit in self._all if not hit.partly]

    @property
    def alike(self) -> int:
        """How many hits only look like what was asked."""
        return sum(hit.partly for hit in self._all)

    @property
    def _all(self) -> list[Hit]:
        return list({hit.id: hit for page in self.pages for hit in page.hits}.values())

    @property
    def is_open(self) -> bool:
        """Whether there may be more."""
        return not self.pages or (self.pages[-1].has_more and not self.is_spent and len(self.pages) < MAX_PAGE)

    @property
    def there(self) -> int:
        """How many hits it probably has that count: what it said at first, where there may be more than were seen."""
        said = self.pages[0].total if self.pages else None
        return max(len(self.hits) + 1, (said.value or 0) if said else 0) if self.is_open else len(self.hits)

    def pages_for(self, number: int) -> int:
        """How many more pages it takes to have so many hits, by how many a page of it has."""
        more = number - len(self.hits)
        if more <= 0 or not self.is_open:
            return 0
        return min(math.ceil(more * len(self.pages) / max(len(self.hits), 1)), MAX_PAGE - len(self.pages))

    @property
    def is_spent(self) -> bool:
        """Whether its last pages gave nothing new that counts."""
        seen: set[str] = set()
        barren = 0
        for page in self.pages:
            new = {hit.id for hit in page.hits if not hit.partly} - seen
            barren = 0 if new else barren + 1
            seen |= new
        return barren >= _MOST_BARREN


def to_ask(lanes: Sequence[Lane], most: int) -> list[Lane]:
    """The platforms of which a next page is needed: those that may have more, and have not what they may have."""
    wanted = [most if lane.is_open else len(lane.hits) for lane in lanes]
    return [
        lane for lane, share in zip(lanes, shares(wanted, most), strict=True) if lane.is_open and len(lane.hits) < share
    ]


def still_to_come(lanes: Sequence[Lane], most_hits: int, most_texts: int) -> int:
    """How many parts there are still, as far as anybody can say: pages and texts, by what platforms say they have.

    A platform that was not asked yet counts for one page, for nobody knows what it has.
    """
    asked = [lane for lane in lanes if lane.pages]
    given = shares([lane.there for lane in asked], most_hits)
    pages = sum(lane.pages_for(share) for lane, share in zip(asked, given, strict=True))
    return len(lanes) - len(asked) + pages + min(sum(given), most_texts)


def taken(lanes: Sequence[Lane], most: int) -> dict[str, list[Hit]]:
    """The hits of each platform that the report holds."""
    given = shares([len(lane.hits) for lane in lanes], most)
    return {lane.platform: lane.hits[:share] for lane, share in zip(lanes, given, strict=True)}


def to_read(hits: Mapping[str, Sequence[Hit]], most: int) -> list[SameItem[Hit]]:
    """The things of which a text is read, each once whatever platforms have it, the platforms in turn."""
    own: defaultdict[str, list[SameItem[Hit]]] = defaultdict(list)
    for item in together(_in_turn(hits.values())):
        own[item.first.platform].append(item)
    given = shares([len(items) for items in own.values()], most)
    chosen = [items[:share] for items, share in zip(own.values(), given, strict=True)]
    return [item for row in zip_longest(*chosen) for item in row if item is not None]


def sum_up(lanes: Sequence[Lane], readings: Mapping[str, Reading], *, most_hits: int, most_texts: int) -> Made:
    """The contents of a report."""
    held = taken(lanes, most_hits)
    found = overview(_in_turn(held.values()), readings)
    entries = [entry for body in found.bodies for month in body.months for entry in month.entries]
    answered = [lane for lane in lanes if lane.pages and not lane.pages[0].failed]
    return Made(
        most_hits=most_hits,
        most_texts=most_texts,
        totals=tuple(_found(lane, len(held[lane.platform])) for lane in answered),
        overview=found,
        cuts=(*_cuts(lanes, held), *cuts_of_readings(entries, wanted=most_texts)),
        sources=tuple(lane.platform for lane in sorted(lanes, key=lambda lane: _ORDER.get(lane.platform, len(_ORDER)))),
    )


def _in_turn(rows: Iterable[Sequence[Hit]]) -> list[Hit]:
    return [hit for row in zip_longest(*rows) for hit in row if hit is not None]


def _found(lane: Lane, number: int) -> PlatformFound:
    first = lane.pages[0]
    assert first.fetched_at is not None  # it answered
    total = first.total or Total(None, Certainty.UNKNOWN)
    if total.certainty is Certainty.AT_LEAST and (total.value or 0) < number:
        total = Total(number, Certainty.AT_LEAST)  # later pages showed more than the first
    return PlatformFound(
        platform=lane.platform,
        total=total,
        taken=number,
        fetched_at=first.fetched_at,
        notes=first.notes,
        ignored=first.ignored,
    )


def _cuts(lanes: Sequence[Lane], held: Mapping[str, Sequence[Hit]]) -> Iterable[Cut]:
    for lane in lanes:
        last = lane.pages[-1] if lane.pages else HitsPart(failed=True)
        if last.failed:
            later = len(lane.pages) > 1
            never = CutReason.NOT_ASKED if last.not_supported else CutReason.FAILED
            yield Cut(lane.platform, CutReason.FAILED_LATER if later else never, last.said)
        elif why := _why_no_more(lane, len(held[lane.platform])):
            yield why
        if lane.alike:
            yield Cut(lane.platform, CutReason.ALIKE, (str(lane.alike),))


def _why_no_more(lane: Lane, number: int) -> Cut | None:
    """Why a report holds ``number`` hits of a platform that answered to the last, and not more; None where it has no more."""
    if number < len(lane.hits) or lane.is_open:
        return Cut(lane.platform, CutReason.MOST_HITS)
    if not lane.pages[-1].has_more or (lane.alike and lane.is_spent):
        return None
    if lane.is_spent:
        return Cut(lane.platform, CutReason.NOTHING_NEW)
    return Cut(lane.platform, CutReason.MOST_PAGES, (str(len(lane.pages)),))
