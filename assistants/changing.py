"""What tools that change something work with; the composition root hands it down, for reports are of another room.

A tool that changes something names the operation that a contract must grant. Without such a contract it is refused before it
runs, with what is needed: the edge refused already, and here again for whatever came by a way round it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from throttling.admitted import needs
from throttling.problems import Kinds, Problem

ONE_CHANGE: Final = "Eén verzoek verandert hooguit één ding. Er is bij deze aanroep niets gedaan."


class ContractNeededError(Exception):
    """A call of a tool that changes something, without a contract for ``operation``."""

    def __init__(self, operation: str) -> None:
        super().__init__(operation)
        self.operation = operation

    def problem(self, site: str) -> dict[str, Any]:
        """The problem as data of an error; ``site`` as in ``Visit.pages``."""
        kind = Kinds.TOKEN_REQUIRED.value
        return Problem(kind=kind, detail=kind.means, more=needs(site, self.operation)).as_dict(site)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportTold:
    """How a report stands, as a tool tells it: moments as texts in UTC, None where nobody knows or it does not matter.

    ``number``: the last part of its address, which is a secret. ``again_in``: seconds after which it makes sense to look again.
    """

    number: str = field(repr=False)
    state: str
    message: str
    page: str = field(repr=False)
    place: int | None = None
    starts_at: str | None = None
    done: int = 0
    size: int = 0
    reason: str | None = None
    come_back: str | None = None
    kept_until: str = ""
    again_in: int | None = None
    files: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The address of each file by its form; empty until it is ready."""


class Reports(Protocol):
    """Where reports are asked for. Every method raises ``ToolFailedError`` when it cannot be done now."""

    async def ask(self, target: str, contract: str) -> ReportTold:
        """Ask for a report of the query string of a search, counted under a contract."""
        ...

    async def standing(self, number: str) -> ReportTold | None:
        """How it stands; None when there is no such report (any more)."""
        ...

    async def cancel(self, number: str) -> ReportTold | None:
        """Nobody wants it any more; how it stands now."""
        ...
