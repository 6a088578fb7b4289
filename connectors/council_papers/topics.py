"""The subjects about which papers are written, each with its own vocabulary and sentences.

The tables stand in ``data/topics/*.toml``, one line an entry:

``kinds``           for which bodies: any of g (gemeente), p (provincie), w (waterschap)
``since``           the first year to which its facts apply (optional)
``thing``           what it is about, a singular noun with its article
``terms``           its nouns, separated by commas
``subjects``        ``title | the same with an article, as the object of a preposition``
``background``      sentences of fact
``arguments``, ``risks``   ``heading | explanation``
``finance``         sentences about money
``decisions``, ``requests``   what is decided or asked, ending in "te" with an infinitive
``questions``       ``question | answer``
``considerations``  subordinate clauses that follow "dat"
``debate``          what a party does in a debate, beginning with its verb
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from connectors.council_papers.bodies import BodyType

Pair = tuple[str, str]
_DATA = Path(__file__).parent / "data" / "topics"
_KINDS = {"g": BodyType.GEMEENTE, "p": BodyType.PROVINCIE, "w": BodyType.WATERSCHAP}


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """One subject; the fields hold templates as described above."""

    key: str
    kinds: frozenset[BodyType]
    since: int
    thing: str
    terms: tuple[str, ...]
    subjects: tuple[Pair, ...]
    background: tuple[str, ...]
    arguments: tuple[Pair, ...]
    risks: tuple[Pair, ...]
    finance: tuple[str, ...]
    decisions: tuple[str, ...]
    questions: tuple[Pair, ...]
    considerations: tuple[str, ...]
    requests: tuple[str, ...]
    debate: tuple[str, ...]


def lines(text: str) -> tuple[str, ...]:
    """The lines of a table entry that hold something."""
    return tuple(line for line in text.splitlines() if line)


def pair(line: str) -> Pair:
    """The two sides of a line with one bar in it. Raises ``ValueError`` when there is none."""
    left, right = line.split(" | ")
    return left, right


def _topic(key: str, table: dict[str, Any]) -> Topic:
    return Topic(
        key=key,
        kinds=frozenset(_KINDS[letter] for letter in table["kinds"]),
        since=table.get("since", 0),
        thing=table["thing"],
        terms=tuple(table["terms"].split(", ")),
        subjects=tuple(pair(line) for line in lines(table["subjects"])),
        background=lines(table["background"]),
        arguments=tuple(pair(line) for line in lines(table["arguments"])),
        risks=tuple(pair(line) for line in lines(table["risks"])),
        finance=lines(table["finance"]),
        decisions=lines(table["decisions"]),
        questions=tuple(pair(line) for line in lines(table["questions"])),
        considerations=lines(table["considerations"]),
        requests=lines(table["requests"]),
        debate=lines(table["debate"]),
    )


@cache
def topics() -> tuple[Topic, ...]:
    """All subjects, in the order of their files and tables."""
    tables = (tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(_DATA.glob("*.toml")))
    return tuple(_topic(key, table) for tables_of_file in tables for key, table in tables_of_file.items())
