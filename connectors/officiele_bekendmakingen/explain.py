"""What the search service says of itself: how many records it holds, and in which indexes it can be searched. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Final

from connectors.calls import Answer
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.officiele_bekendmakingen.elements import KEY, line_of, root_of
from connectors.officiele_bekendmakingen.failures import require_search_answer
from connectors.xml_elements import attribute, first, local

ASKED: Final = frozenset(
    {
        "dt.available",
        "dt.creator",
        "dt.identifier",
        "w.organisatietype",
        "w.publicatienaam",
        "c.product-area",
        "cql.textAndIndexes",
    }
)
"""The indexes that our queries name. Being listed does not mean that one is filled (platform page, section 2)."""
_MOST: Final = 5000


@dataclass(frozen=True, slots=True)
class Explained:
    """``records`` is None where the number is not given; ``indexes`` are named as in a query, such as ``dt.creator``."""

    records: int | None
    indexes: frozenset[str]

    @property
    def missing(self) -> tuple[str, ...]:
        """The indexes that we name and the service does not list."""
        return tuple(sorted(ASKED - self.indexes))


def parse_explain(answer: Answer) -> Explained:
    """The description in an answer. Raises ``OverLimitError``, ``RefusedError``, ``NotAnAnswerError``."""
    require_search_answer(answer)
    root = root_of(answer.body)
    if local(root) != "explainResponse":
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "root")
    counted = next((attribute(one, "numRecs") for one in root.iter("{*}database")), "")
    maps = islice(root.iter("{*}map"), _MOST)
    names = (name for one in maps if (name := first(one, "name")) is not None)
    return Explained(
        int(counted) if counted.isascii() and counted.isdigit() and len(counted) < 12 else None,  # noqa: PLR2004 - a count
        frozenset(f"{attribute(name, 'set')}.{line_of(name)}" for name in names),
    )
