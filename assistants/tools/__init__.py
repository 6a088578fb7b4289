"""The tools of the assistants: one file a tool, or what belongs together. All read, but those that name an operation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from assistants.tool import Tool
from assistants.tools.bodies import BODIES, BODIES_HERE
from assistants.tools.checking import CHECK
from assistants.tools.faults import REPORT_FAULT
from assistants.tools.lists import LISTS, LISTS_HERE
from assistants.tools.loading import LOADING, LOADING_HERE
from assistants.tools.reading import READ
from assistants.tools.reports import ASK, CANCEL, STATE
from assistants.tools.resolving import RESOLVE
from assistants.tools.searching import SEARCH, SEARCH_HERE
from assistants.tools.within import WITHIN

TOOLS: Final[tuple[Tool, ...]] = (
    *(SEARCH, READ, WITHIN, CHECK, RESOLVE, BODIES, LISTS, LOADING),
    *(STATE, ASK, CANCEL, REPORT_FAULT),
)
"""The tools of the endpoint that speaks for all platforms: a report is of all, and so are changes."""
_NARROW: Final[tuple[Tool, ...]] = (
    SEARCH_HERE,
    READ,
    WITHIN,
    CHECK,
    RESOLVE,
    BODIES_HERE,
    LISTS_HERE,
    LOADING_HERE,
)


def tools_for(platforms: Sequence[str]) -> tuple[Tool, ...]:
    """The tools of an endpoint that speaks for these platforms: of one, they do not ask which."""
    return _NARROW if len(platforms) == 1 else TOOLS
