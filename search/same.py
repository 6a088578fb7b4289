"""The same document or meeting on several platforms: one item that names them all, with what they do not agree on.

Joined by the keys of ``connectors.sameness``, never by a title alone: every week two councils have a paper of the same name.
Only a motion with its number, of which platforms give no key in common, is joined by body, day and whole title together, and
not when anything says that they differ (``search.numbered_motions``).
What platforms say of one thing stays beside each other, so that a reader sees that they differ (field report 10).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Generic, TypeVar

from connectors.language import say
from connectors.platforms import PLATFORMS
from connectors.records import DateMeaning, Document, Hit, Moment
from search import texts
from search.numbered_motions import may_be_one, under_one_title
from search.spelling import fold

Thing = TypeVar("Thing", Hit, Document)
_NAMES: Final = {platform.key: platform.name for platform in PLATFORMS}
_ADDRESS: Final = "adres:"
_CUT_OFF: Final = 20
_OF_SEVERAL: Final = frozenset({DateMeaning.MEETING_OR_CHANGE, DateMeaning.MEETING_OR_MOTION, DateMeaning.CHANGE})
_DISCUSSED: Final = frozenset({DateMeaning.MEETING, DateMeaning.MEETING_OR_CHANGE, DateMeaning.MEETING_OR_MOTION})


class Differs(StrEnum):
    """On what platforms do not agree about one thing."""

    TIME = "tijd"
    DATE = "datum"
    TITLE = "titel"
    ORGANISATION = "organisatie"


@dataclass(frozen=True, slots=True)
class Disagreement:
    """What platforms say of one thing where they differ: each platform with its own words, in order of arrival."""

    on: Differs
    said: tuple[tuple[str, str], ...]

    @property
    def warning(self) -> str:
        """The sentence for a reader, in Dutch."""
        said = "; ".join(f"{_NAMES.get(platform, platform)}: {words}" for platform, words in self.said)
        return say(
            "De bronnen noemen een andere {on}. {said}. Kijk bij de organisatie zelf wat klopt.",
            on=say(self.on.value),
            said=said,
        )


@dataclass(frozen=True, slots=True)
class SameItem(Generic[Thing]):
    """One thing as one or more platforms give it, in order of arrival; never empty. ``disagreements``: where they differ."""

    things: tuple[Thing, ...]
    disagreements: tuple[Disagreement, ...] = ()

    @property
    def first(self) -> Thing:
        """What came first: the one to show."""
        return self.things[0]

    @property
    def platforms(self) -> tuple[str, ...]:
        """The keys of the platforms that have it, in order of arrival."""
        return tuple(dict.fromkeys(thing.platform for thing in self.things))

    @property
    def is_shared(self) -> bool:
        """Whether more than one platform has it."""
        return len(self.things) > 1


def together(things: Iterable[Thing]) -> tuple[SameItem[Thing], ...]:
    """The things of all platforms, each once: in order of arrival, a group at the place of its first.

    Things of one platform alone are never joined: what it lists twice, it lists twice.
    """
    found = tuple(things)
    groups = _Groups(len(found))
    seen: dict[str, int] = {}
    doubted = _ambiguous(found)
    for place, thing in enumerate(found):
        for key in thing.same_as:
            if key not in doubted:
                groups.join(seen.setdefault(key, place), place)
    _join_titles(found, groups)
    members: defaultdict[int, list[Thing]] = defaultdict(list)
    for place, thing in enumerate(found):
        members[groups.of(place)].append(thing)
    items: list[tuple[int, SameItem[Thing]]] = []
    for place, thing in enumerate(found):
        group = members[groups.of(place)]
        if len({one.platform for one in group}) == 1:
            items.append((place, SameItem((thing,))))
        elif group[0] is thing:
            items.append((place, SameItem(tuple(group), tuple(disagreements(group)))))
    return tuple(item for _, item in items)


def disagreements(things: Sequence[Thing]) -> Iterator[Disagreement]:
    """Where platforms differ about one thing: its time, its date, its title, whose it is."""
    yield from _other_days(things)
    yield from _other_hours(things)
    titles = [(thing.platform, thing.title) for thing in things]
    if not _alike([fold(title) for _, title in titles]):
        yield Disagreement(Differs.TITLE, tuple(titles))
    bodies = [(thing.platform, thing.organisation) for thing in things if thing.organisation_id]
    if len({thing.organisation_id for thing in things if thing.organisation_id}) > 1:
        yield Disagreement(Differs.ORGANISATION, tuple(bodies))


def _other_days(things: Sequence[Thing]) -> Iterator[Disagreement]:
    """Days that mean the same and are not. Of a paper that was discussed twice platforms name either meeting, by right."""
    for said in _said(things, lambda moment: moment.meaning if moment.meaning not in _OF_SEVERAL else None):
        if len({moment.day for _, moment in said}) > 1:
            yield _as_said(Differs.DATE, said)


def _other_hours(things: Sequence[Thing]) -> Iterator[Disagreement]:
    """Hours of one day that are not the same."""
    for said in _said(things, lambda moment: moment.day if moment.meaning in _DISCUSSED and moment.at else None):
        if len({moment.at for _, moment in said}) > 1:
            yield _as_said(Differs.TIME, said)


def _said(things: Sequence[Thing], group: Callable[[Moment], object]) -> Iterable[list[tuple[str, Moment]]]:
    """The dates of the things with who says them, grouped; those without a group (None) are left out."""
    found: defaultdict[object, list[tuple[str, Moment]]] = defaultdict(list)
    for thing in things:
        for moment in _moments(thing):
            if (key := group(moment)) is not None:
                found[key].append((thing.platform, moment))
    return found.values()


def _as_said(on: Differs, said: Iterable[tuple[str, Moment]]) -> Disagreement:
    return Disagreement(on, tuple((platform, texts.moment(moment)) for platform, moment in said))


def _moments(thing: Hit | Document) -> tuple[Moment, ...]:
    if isinstance(thing, Document):
        return thing.dates
    return (thing.date,) if thing.date else ()


def _alike(titles: Sequence[str]) -> bool:
    """Whether titles are the same, or one is the beginning of the other: some platforms cut long ones off."""
    longest = max(titles, key=len)
    return all(title == longest or (len(title) >= _CUT_OFF and longest.startswith(title)) for title in titles)


def _ambiguous(things: Sequence[Hit | Document]) -> frozenset[str]:
    """The addresses that one platform gives for different things: a page that lists papers is no paper.

    Of one paper that it lists twice the number of the supplier is the same.
    """
    owners: defaultdict[tuple[str, str], dict[str, tuple[str, ...]]] = defaultdict(dict)
    for thing in things:
        numbers = tuple(key for key in thing.same_as if not key.startswith(_ADDRESS))
        for key in thing.same_as:
            if key.startswith(_ADDRESS):
                owners[thing.platform, key][thing.upstream_id] = numbers
    doubted = set()
    for (_, key), held in owners.items():
        if len(held) > 1:
            counted = Counter(number for numbers in held.values() for number in set(numbers))
            if not counted or max(counted.values()) < len(held):
                doubted.add(key)
    return frozenset(doubted)


def _join_titles(things: Sequence[Hit | Document], groups: _Groups) -> None:
    """Join motions under one title, unless their groups together hold two things that are not the same."""
    titled = under_one_title(things)
    if not titled:
        return
    members: defaultdict[int, list[Hit | Document]] = defaultdict(list)
    for place, thing in enumerate(things):
        members[groups.of(place)].append(thing)
    for places in titled:
        roots = sorted({groups.of(place) for place in places})
        together_now = [thing for root in roots for thing in members[root]]
        if len(roots) > 1 and may_be_one(together_now):
            for root in roots[1:]:
                groups.join(roots[0], root)
            members[roots[0]] = together_now


class _Groups:
    """Places that belong together (union-find): joining all takes hardly more than one step each."""

    def __init__(self, size: int) -> None:
        self._parent = list(range(size))

    def of(self, place: int) -> int:
        """The first place of the group of ``place``."""
        while self._parent[place] != place:
            self._parent[place] = self._parent[self._parent[place]]
            place = self._parent[place]
        return place

    def join(self, one: int, other: int) -> None:
        """Make the groups of two places one; the earliest place stays the first."""
        first, second = sorted((self.of(one), self.of(other)))
        self._parent[second] = first
