"""Where the endpoints for assistants are, and what each speaks for. Light: pages name these places without the SDK."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from connectors.platforms import PLATFORMS

PREFIX: Final = "/mcp"
UNIFIED: Final = "unified"
OF_ALL: Final = frozenset({"rapport_stand", "rapport_aanvragen", "rapport_annuleren", "meld_fout"})
"""Tools of the endpoint that speaks for all platforms alone: a report is of all, and so are changes."""


def speaks_for() -> Mapping[str, tuple[str, ...]]:
    """The name of each endpoint, and the keys of the platforms it speaks for."""
    keys = tuple(platform.key for platform in PLATFORMS)
    return MappingProxyType({UNIFIED: keys, **{key: (key,) for key in keys}})


def path(name: str) -> str:
    """The path of an endpoint, without a slash at the end."""
    return f"{PREFIX}/{name}/v1"


def serving(tool: str) -> tuple[str, ...]:
    """The paths of the endpoints that have a tool."""
    return (path(UNIFIED),) if tool in OF_ALL else tuple(map(path, speaks_for()))


def connector(name: str) -> str:
    """By what name the incoming limits know an endpoint."""
    return f"mcp:{name}"
