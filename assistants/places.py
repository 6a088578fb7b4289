"""Where the endpoints for assistants are, and what each speaks for. Light: pages name these places without the SDK."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from connectors.platforms import PLATFORMS

PREFIX: Final = "/mcp"
UNIFIED: Final = "unified"


def speaks_for() -> Mapping[str, tuple[str, ...]]:
    """The name of each endpoint, and the keys of the platforms it speaks for."""
    keys = tuple(platform.key for platform in PLATFORMS)
    return MappingProxyType({UNIFIED: keys, **{key: (key,) for key in keys}})


def path(name: str) -> str:
    """The path of an endpoint, without a slash at the end."""
    return f"{PREFIX}/{name}/v1"


def connector(name: str) -> str:
    """By what name the incoming limits know an endpoint."""
    return f"mcp:{name}"
