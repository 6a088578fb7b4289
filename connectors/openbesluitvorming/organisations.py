"""The bodies of this platform: the list that the project ships, and how a source of the platform becomes one of them.

The platform makes its labels from its keys ("Aa En Maas", "Noord Holland") and counts the districts of Amsterdam among the
municipalities (platform page, section 3.6); ``lists/names.json`` puts that right. Its ids may spell a key otherwise than its
list does (``provincie_groningen``, in ids ``groningen``), so a key is looked up together with the type of body.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from connectors.names import listed_body, register_id
from connectors.platforms import OPENBESLUITVORMING
from connectors.records import BodyKind, Organisation

_LISTS = Path(__file__).parent / "lists"
_SMALL_WORDS = re.compile(r"(?<=\w )(?:Aan|Bij|En|In|Op|Van)(?: (?:De|Den|Het))?(?= )")
BODY_KINDS: Mapping[str, BodyKind] = MappingProxyType(
    {"gemeente": BodyKind.GEMEENTE, "provincie": BodyKind.PROVINCIE, "waterschap": BodyKind.WATERSCHAP}
)


@cache
def shipped() -> tuple[Organisation, ...]:
    """The organisations of the platform's catalogue in the order of their keys, then successors that came later."""
    return tuple(made for row in _rows() if (made := organisation(row["type"], row["key"], row["label"])))


def organisation(body_type: str, key: str, label: str) -> Organisation | None:
    """The body behind a source of the platform, or None for what is none of the kinds we know (an aggregate, say).

    What the shipped lists know about ``key`` (its proper name, code, end and successor) goes before the platform's label, of
    which otherwise the small words lose their capitals ("Land Van Cuijk").
    """
    kind = BODY_KINDS.get(body_type)
    if kind is None:
        return None
    row = _by_key().get((body_type, key), {})
    kind = BodyKind(row.get("kind", kind))
    name = row.get("name") or _SMALL_WORDS.sub(lambda found: found[0].lower(), label)
    successor = row.get("successor")
    facts = {
        **row,
        "code": None if kind is BodyKind.STADSDEEL else row.get("code"),  # a district has the code of Amsterdam itself
        "successor": register_id(BodyKind.GEMEENTE, successor) if successor else None,
    }
    return listed_body(kind, name, (OPENBESLUITVORMING.key, row.get("key", key)), facts, (label, *row.get("names", ())))


@cache
def _rows() -> tuple[dict[str, Any], ...]:
    """The rows of all lists as one: those of ``names.json`` over the others."""
    better = {row["key"]: row for row in _read("names.json")}
    listed = [*_read("organisations.json"), *_read("successors.json")]
    return tuple(row | better.get(row["key"], {}) for row in listed)


@cache
def _by_key() -> Mapping[tuple[str, str], dict[str, Any]]:
    """Every row by type of body and key, in both spellings of the key."""
    found = {(row["type"], row["key_in_ids"]): row for row in _rows() if "key_in_ids" in row}
    return found | {(row["type"], row["key"]): row for row in _rows()}


def _read(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((_LISTS / name).read_text(encoding="utf-8"))
    return rows
