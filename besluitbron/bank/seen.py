"""What a door showed, in one form for all doors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from besluitbron.bank.questions import BankQuestion, Door


@dataclass(frozen=True, slots=True)
class SeenHit:
    """One paper in an answer."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class SeenSource:
    """One source in an answer: its state, the total that it shows (None: none, or an unknown one), its papers in order."""

    state: str
    total: int | None = None
    hits: tuple[SeenHit, ...] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """An answer. ``straight``: ids of papers to which the question led by itself; ``said``: all of its words."""

    sources: Mapping[str, SeenSource] = field(default_factory=dict)
    straight: tuple[str, ...] = ()
    said: str = ""

    def hits(self, at: Sequence[str] = ()) -> Iterable[SeenHit]:
        """All papers, source by source; ``at``: those of these sources alone."""
        return (hit for key, source in self.sources.items() if not at or key in at for hit in source.hits)


def sources_in(data: Mapping[str, Any]) -> Mapping[str, SeenSource]:
    """The sources of an answer as the API and ``zoek`` write them; none in a problem that stands in its place."""
    return {
        one["platform"]: SeenSource(
            one["staat"],
            one["totaal"]["waarde"],
            tuple(SeenHit(hit["id"], words(hit["titel"])) for hit in one["treffers"]),
        )
        for one in data.get("bronnen", ())
    }


class Asks(Protocol):
    """A door, as the bank asks it."""

    @property
    def door(self) -> Door:
        """Which one it is."""
        ...

    async def ask(self, question: BankQuestion) -> Seen:
        """The answer to a question. Raises ``besluitbron.bank.web.Unanswered``."""
        ...

    async def read(self, identifier: str) -> str:
        """All words that the door shows of a paper. Raises ``besluitbron.bank.web.Unanswered``."""
        ...


def words(text: str) -> str:
    """A text with single blanks."""
    return " ".join(text.split())
