"""The bodies of this platform: the list that the project ships. An alias is the key, never the name of an index.

The platform's own records name some bodies wrongly (platform page, section 2: the province of Groningen is called a
municipality, Noordwijk is named Noordwijkerhout), so the layer comes from the prefix and the name from our list.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from connectors.names import listed_body
from connectors.platforms import OPEN_RAADSINFORMATIE
from connectors.records import BodyKind, Organisation

_LIST = Path(__file__).parent / "lists" / "organisations.json"
_KINDS: Mapping[str, BodyKind] = MappingProxyType(
    {"ori": BodyKind.GEMEENTE, "osi": BodyKind.PROVINCIE, "owi": BodyKind.WATERSCHAP}
)


@dataclass(frozen=True, slots=True)
class Source:
    """One row of the shipped list: the body, its ``key`` at the project that gathers the papers, and its supplier."""

    body: Organisation
    alias: str
    key: str
    supplier: str


@cache
def sources() -> Mapping[str, Source]:
    """The rows of the shipped list by alias."""
    rows: list[dict[str, Any]] = json.loads(_LIST.read_text(encoding="utf-8"))
    made = (Source(body, row["alias"], row["key"], row["supplier"]) for row in rows if (body := _body(row)))
    return MappingProxyType({source.alias: source for source in made})


@cache
def shipped() -> tuple[Organisation, ...]:
    """The organisations of the shipped list, in the order of their aliases."""
    return tuple(source.body for source in sources().values())


def organisation(alias: str) -> Organisation | None:
    """The body behind an alias. One that the list does not have is named after its alias, in lower case but for the first."""
    known = sources().get(alias)
    if known is not None:
        return known.body
    prefix, _, slug = alias.partition("_")
    words = slug.replace("_", " ").strip()
    if prefix not in _KINDS or not words:
        return None
    return _body({"alias": alias, "name": words[:1].upper() + words[1:]})


def _body(row: dict[str, Any]) -> Organisation | None:
    kind = BodyKind(row["kind"]) if "kind" in row else _KINDS[row["alias"][:3]]
    return listed_body(kind, row["name"], (OPEN_RAADSINFORMATIE.key, row["alias"]), row, row.get("names", ()))
