"""A vote as a picture: for each party a bar of its votes in favour (filled) and against (hatched), in numbers for an SVG.

Colour tells nothing by itself: the two have another pattern, and their numbers stand beside the bar and in the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from connectors.voting import VoteGroup, Votes

WIDTH: Final = 320
_BAR_FROM: Final = 112
_BAR_WIDTH: Final = 130
_ROW: Final = 18
_LONGEST: Final = 18


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One party. ``top`` is the upper edge of its bar, ``base`` the foot of its words; ``split`` where "against" begins."""

    name: str
    words: str
    top: int
    base: int
    split: int
    in_favour: int
    against: int
    words_at: int


@dataclass(frozen=True, slots=True)
class VotePicture:
    """The bars, the height of the picture, and the whole of it in words."""

    bars: tuple[Bar, ...]
    height: int
    words: str

    @property
    def left(self) -> int:
        """Where bars begin."""
        return _BAR_FROM

    @property
    def width(self) -> int:
        """How wide the picture is."""
        return WIDTH


def vote_picture(votes: Votes | None) -> VotePicture | None:
    """The picture of a vote; None when the platform does not say how each party voted."""
    cast = [group for group in votes.groups if group.in_favour or group.against] if votes else []
    if votes is None or not cast:
        return None
    most = max(group.in_favour + group.against for group in cast)
    bars = tuple(_bar(group, place, most) for place, group in enumerate(cast))
    favour, against = sum(group.in_favour for group in cast), sum(group.against for group in cast)
    words = f"Stemmen per partij: samen {favour} voor en {against} tegen. De tabel hieronder heeft dezelfde getallen."
    return VotePicture(bars, len(cast) * _ROW, words)


def _bar(group: VoteGroup, place: int, most: int) -> Bar:
    favour = _length(group.in_favour, most)
    against = _length(group.against, most)
    name = group.name if len(group.name) <= _LONGEST else f"{group.name[: _LONGEST - 1]}…"
    told = ((group.in_favour, "voor"), (group.against, "tegen"))
    return Bar(
        name=name,
        words=", ".join(f"{count} {side}" for count, side in told if count),
        top=place * _ROW + 3,
        base=place * _ROW + 13,
        split=_BAR_FROM + favour,
        in_favour=favour,
        against=against,
        words_at=_BAR_FROM + favour + against + 4,
    )


def _length(count: int, most: int) -> int:
    """How long the bar of so many votes is; one vote can be seen as well."""
    return max(round(count / most * _BAR_WIDTH), 2) if count else 0
