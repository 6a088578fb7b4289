"""Motions and amendments that platforms give as several things without a number in common: the entry, its text, the item.

A council's motion stands in a register of decisions, as a file with its text, and as an item of the agenda of the meeting that
votes on it. In their answers to a search platforms do not say which of these belong together (platform pages of
OpenBesluitvorming, section 3.1, and Open Raadsinformatie, section 3), so there is no key. What is certain enough instead is all
of this together:

- the title says that it is a motion or an amendment and gives the number that it had in its meeting ("Motie M5 …", "15-A-1
  Amendement …"), and has words of its own behind it;
- body, day and the whole title are the same, apart from case, accents and punctuation. "Gewijzigd" before it or a 6 for the 5
  is another title;
- nothing says that they differ: no two numbers of one supplier for the same sort of thing, and no platform that has two things
  of one sort under the title.

A day apart stays apart: a motion that is put off comes back under its name, changed or not.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import Final

from connectors.records import Document, Hit, Kind
from search.spelling import fold

_KINDS: Final = frozenset({Kind.MOTIE, Kind.AMENDEMENT, Kind.AGENDA})
_NUMBERED: Final = {
    word: rf"(?:(?:nr|nummer) \d{{1,3}}|(?:\d{{1,4}} ){{0,2}}{letter} ?\d{{1,3}}[a-z]?(?: \d{{1,2}})?)"
    for word, letter in (("motie", "m"), ("amendement", "a"))
}
_TITLE: Final = re.compile(
    "|".join(rf"(?:{word} {number}|{number} {word}) .*" for word, number in _NUMBERED.items()), re.ASCII
)
"""Of a folded title. A bare number is none: "Motie 30 km in de kern"; nor is a road: "Motie A2"."""
_WORDS: Final = 5
"""So many words a title must have, its number among them: "Motie M3" says too little."""
_COUNCIL: Final = "raad:"


def title_key(thing: Hit | Document) -> Hashable | None:
    """What a numbered motion has in common with its other forms; None for what is none, and for an opened document.

    An opened document has numbers of its own.
    """
    if not isinstance(thing, Hit) or thing.kind not in _KINDS or thing.organisation_id is None or thing.date is None:
        return None
    title = fold(thing.title)
    if _TITLE.fullmatch(title) is None or len(title.split()) < _WORDS:
        return None
    return thing.organisation_id, thing.date.day, title


def may_be_one(things: Iterable[Hit | Document]) -> bool:
    """Whether nothing says that these are different: one thing of each sort at most, and no motion with an amendment."""
    numbers: defaultdict[str, set[str]] = defaultdict(set)
    without: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    kinds = set()
    for thing in things:
        kinds.add(thing.kind)
        numbered = [key for key in thing.same_as if key.startswith(_COUNCIL)]
        for key in numbered:
            _, supplier, collection, _ = key.split(":", 3)
            numbers[f"{supplier}:{collection}"].add(key)
        if not numbered:
            without[thing.platform, thing.kind_at_source].add(thing.upstream_id)
    return len(kinds - {Kind.AGENDA}) <= 1 and all(len(one) == 1 for one in (*numbers.values(), *without.values()))


def under_one_title(things: Sequence[Hit | Document]) -> list[list[int]]:
    """The places of the things that have a title key in common, where there are more than one, in order of arrival."""
    found: defaultdict[Hashable, list[int]] = defaultdict(list)
    for place, thing in enumerate(things):
        if (key := title_key(thing)) is not None:
            found[key].append(place)
    return [places for places in found.values() if len(places) > 1]
