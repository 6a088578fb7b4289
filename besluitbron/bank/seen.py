"""What a door showed, in one form for all doors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

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
    """An answer.

    ``straight``: ids of papers to which the question led by itself; ``said``: all of its words; ``remarks``: of those what the
    product says of the answer itself (alerts, messages, remarks), not what sources wrote or what stands on every page.
    """

    sources: Mapping[str, SeenSource] = field(default_factory=dict)
    straight: tuple[str, ...] = ()
    said: str = ""
    remarks: tuple[str, ...] = ()

    def hits(self, at: Sequence[str] = ()) -> Iterable[SeenHit]:
        """All papers, source by source; ``at``: those of these sources alone."""
        return (hit for key, source in self.sources.items() if not at or key in at for hit in source.hits)


@dataclass(frozen=True, slots=True)
class SeenPaper:
    """What a door shows of a paper: all of its words, and what the product says of it or in its place."""

    text: str
    remarks: tuple[str, ...] = ()


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

    async def read(self, identifier: str) -> SeenPaper:
        """What the door shows of a paper. Raises ``besluitbron.bank.web.Unanswered``."""
        ...


_REMARKS: Final = frozenset({"melding", "opmerkingen", "waarom", "waarschuwingen", "dekking", "detail", "reason"})


def remarks_in(data: Any) -> tuple[str, ...]:
    """What the API and MCP say themselves in an answer, a paper or a problem, by the names under which it stands."""
    return tuple(found for found in map(words, _remarks(data, is_remark=False)) if found)


def _remarks(data: Any, *, is_remark: bool) -> Iterator[str]:
    if isinstance(data, Mapping):
        if data.get("keuzes"):
            yield " ".join([str(data.get("reason", "")), *(word for one in data["keuzes"] for word in one.values())])
        for name, value in data.items():
            yield from _remarks(value, is_remark=name in _REMARKS)
    elif isinstance(data, list):
        for value in data:
            yield from _remarks(value, is_remark=is_remark)
    elif is_remark and isinstance(data, str):
        yield data


def words(text: str) -> str:
    """A text with single blanks."""
    return " ".join(text.split())
