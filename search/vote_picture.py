"""A vote as a picture: for each party a bar of its votes in favour (filled) and against (hatched), in numbers for an SVG.

Colour tells nothing by itself: the two have another pattern, and their numbers stand beside the bar and in the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from connectors.language import say
from connectors.voting import VoteGroup, Votes

WIDTH: Final = 280
"""About what a narrow screen of 320 pixels has, so that words there are as big as the style says."""
_BAR_WIDTH: Final = 136
_ROW: Final = 38
_LONGEST: Final = 34


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One party: its name above, its bar below that with the words behind it.

    ``name_base`` and ``words_base`` are the feet of either; ``top`` is the upper edge of the bar, ``in_favour`` and ``against``
    how long its two parts are.
    """

    name: str
    words: str
    name_base: int
    top: int
    words_base: int
    in_favour: int
    against: int
    words_at: int


@dataclass(frozen=True, slots=True)
class VotePicture:
    """The bars, the height of the picture, and the whole of it in words. ``groups``: the parties in the order of the bars."""

    bars: tuple[Bar, ...]
    height: int
    words: str
    groups: tuple[VoteGroup, ...] = ()

    @property
    def width(self) -> int:
        """How wide the picture is."""
        return WIDTH


def vote_picture(votes: Votes | None) -> VotePicture | None:
    """The picture of a vote; None when the platform does not say how each party voted."""
    given = sorted(votes.groups, key=_by_side_and_size) if votes else []
    cast = [group for group in given if group.in_favour or group.against]
    if votes is None or not cast:
        return None
    most = max(group.in_favour + group.against for group in cast)
    bars = tuple(_bar(group, place, most) for place, group in enumerate(cast))
    favour, against = sum(group.in_favour for group in cast), sum(group.against for group in cast)
    words = say(
        "Stemmen per partij: samen {favour} voor en {against} tegen. De tabel hieronder heeft dezelfde getallen.",
        favour=favour,
        against=against,
    )
    return VotePicture(bars, len(cast) * _ROW, words, tuple(given))


def _by_side_and_size(group: VoteGroup) -> tuple[int, int, str]:
    """Those in favour, those against, those who did neither; the largest of each first."""
    side = 2 if not (group.in_favour or group.against) else int(group.in_favour < group.against)
    return side, -(group.in_favour + group.against), group.name.casefold()


def _bar(group: VoteGroup, place: int, most: int) -> Bar:
    favour = _length(group.in_favour, most)
    against = _length(group.against, most)
    name = group.name if len(group.name) <= _LONGEST else f"{group.name[: _LONGEST - 1]}…"
    told = ((group.in_favour, say("voor")), (group.against, say("tegen")))
    return Bar(
        name=name,
        words=", ".join(f"{count} {side}" for count, side in told if count),
        name_base=place * _ROW + 13,
        top=place * _ROW + 18,
        words_base=place * _ROW + 29,
        in_favour=favour,
        against=against,
        words_at=favour + against + 4,
    )


def _length(count: int, most: int) -> int:
    """How long the bar of so many votes is; one vote can be seen as well."""
    return max(round(count / most * _BAR_WIDTH), 2) if count else 0
