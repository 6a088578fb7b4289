"""The tools of the assistants, all read-only: one file a tool."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from assistants.tool import Tool
from assistants.tools.reading import READ
from assistants.tools.searching import SEARCH, SEARCH_HERE

TOOLS: Final[tuple[Tool, ...]] = (SEARCH, READ)
"""The tools of the endpoint that speaks for all platforms."""
_NARROW: Final[tuple[Tool, ...]] = (SEARCH_HERE, READ)


def tools_for(platforms: Sequence[str]) -> tuple[Tool, ...]:
    """The tools of an endpoint that speaks for these platforms: of one, they do not ask which."""
    return _NARROW if len(platforms) == 1 else TOOLS
