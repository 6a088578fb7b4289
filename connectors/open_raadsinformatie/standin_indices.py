"""The indices of the stand-in: one for each organisation, with a time stamp in its name and an alias that stays the same.

Names of some are real (corpus/aliases.json), the stamps of the others are made. Heemskerk has an old copy without an alias,
which makes 331 (platform page, section 2).
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from connectors.open_raadsinformatie.organisations import sources

_ALIASES = Path(__file__).parent / "corpus" / "aliases.json"


class NoSuchIndexError(LookupError):
    """There is no index or alias of that name."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


@cache
def aliases() -> Mapping[str, tuple[str, ...]]:
    """The aliases of each index."""
    real: dict[str, dict[str, Any]] = json.loads(_ALIASES.read_text(encoding="utf-8"))
    found = {index: tuple(row["aliases"]) for index, row in real.items()}
    named = {alias for names in found.values() for alias in names}
    found |= {f"{alias}_{_stamp(alias)}": (alias,) for alias in sources() if alias not in named}
    return MappingProxyType(dict(sorted(found.items())))


def index_of(alias: str) -> str:
    """The index behind an alias."""
    return _behind()[alias]


def resolve(path: str, *, ignore_unavailable: bool) -> tuple[str, ...]:
    """The indices that a comma list of names, aliases and wildcards means; of a wildcard none is not a fault."""
    found: dict[str, None] = {}
    for name in path.split(","):
        if name in {"_all", "*", ""}:
            found |= dict.fromkeys(aliases())
        elif "*" in name:
            found |= dict.fromkeys(
                index
                for index, names in aliases().items()
                if any(fnmatchcase(one, name.replace("[", "[[]")) for one in (index, *names))
            )
        elif name in _behind():
            found[_behind()[name]] = None
        elif name in aliases():
            found[name] = None
        elif not ignore_unavailable:
            raise NoSuchIndexError(name)
    return tuple(found)


@cache
def _behind() -> Mapping[str, str]:
    return MappingProxyType({alias: index for index, names in aliases().items() for alias in names})


def _stamp(alias: str) -> str:
    made = zlib.crc32(alias.encode())
    return f"2025{made % 9 + 1:02}{made // 9 % 28 + 1:02}{made // 300 % 24:02}{made // 8_000 % 60:02}{made // 500_000 % 60:02}"
