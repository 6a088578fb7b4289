"""What the platform says of its indices: how many there are, how much is in each, and which fields they have. For checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from connectors.bodies import json_body
from connectors.calls import Answer
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.json_values import mapping, objects
from connectors.open_raadsinformatie.answers import KEY, object_of, require_answer
from connectors.plaintext import line

ASKED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "@type": "keyword",
        "name": "text",
        "description": "text",
        "text": "text",
        "md_text": "text",
        "text_pages": "nested",
        "text_pages.text": "text",
        "original_url": "keyword",
        "parent": "keyword",
        "is_referenced_by": "keyword",
        "last_discussed_at": "date",
        "start_date": "date",
        "classification.keyword": "keyword",
    }
)
"""The fields that our questions name, and what each must be for them to work (platform page, sections 4 and 5)."""
_DEEPEST: Final = 6


@dataclass(frozen=True, slots=True)
class Index:
    """One index. ``documents`` counts the pages of papers too; None where the number cannot be read."""

    name: str
    documents: int | None


def indices(answer: Answer) -> tuple[Index, ...]:
    """The indices of ``_cat/indices``, old copies among them. Raises ``NotAnAnswerError`` when there is none."""
    require_answer(answer)
    rows = objects(json_body(KEY, answer))
    found = tuple(Index(name, _count(row.get("docs.count"))) for row in rows if (name := line(row.get("index"))))
    if not found:
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "index")
    return found


def fields(answer: Answer) -> Mapping[str, str]:
    """The type of each field of the one index in a ``_mapping``; a field within another is named with a dot."""
    for index in object_of(answer).values():
        properties = mapping(mapping(mapping(index).get("mappings")).get("properties"))
        if properties:
            return MappingProxyType(_flat(properties))
    raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "mappings.properties")


def wrong_fields(found: Mapping[str, str]) -> tuple[str, ...]:
    """The fields of ``ASKED`` that are not there or are something else."""
    return tuple(
        f"{name} ({found[name]})" if name in found else name for name, kind in ASKED.items() if found.get(name) != kind
    )


def _flat(properties: dict[str, Any], prefix: str = "", depth: int = 0) -> dict[str, str]:
    made: dict[str, str] = {}
    for name, value in properties.items():
        described = mapping(value)
        made[f"{prefix}{name}"] = line(described.get("type")) or "object"
        for inner in ("properties", "fields"):
            below = mapping(described.get(inner))
            if below and depth < _DEEPEST:
                made |= _flat(below, f"{prefix}{name}.", depth + 1)
    return made


def _count(value: object) -> int | None:
    """These numbers are written as texts."""
    text = line(value)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 13 else None  # noqa: PLR2004 - a count
