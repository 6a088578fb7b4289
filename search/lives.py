"""When bodies began and ended, and which of them came of which: facts that no platform tells, from lists that we ship.

A body ends when it merges with others, is divided among others, or takes another name (then it gets another code too). Field
report 13: papers of what ended are still there, under its own name.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from connectors.names import display_name, own_name, register_id
from connectors.records import BodyKind, Organisation

LISTS: Final = Path(__file__).parent / "lists"
_TOOI: Final = "https://identifier.overheid.nl/tooi/id"
_IN_TOOI: Final = frozenset({BodyKind.GEMEENTE, BodyKind.PROVINCIE})


@dataclass(frozen=True, slots=True)
class Succession:
    """One body that gave way to another on ``day``. ``whole``: all of its territory went there; ``renamed``: nothing else."""

    before: str
    after: str
    day: date
    whole: bool
    renamed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """What our lists know of a body: its code, spellings, first day, first day no more, what it came of and went to.

    ``name`` and ``kind`` are None where the lists only add to what a platform tells. ``began`` is None for what is older than
    the lists: before 2010.
    """

    id: str
    name: str | None = None
    kind: BodyKind | None = None
    code: str | None = None
    names: tuple[str, ...] = ()
    began: date | None = None
    ended: date | None = None
    came_of: tuple[Succession, ...] = ()
    went_to: tuple[Succession, ...] = ()

    @property
    def successor(self) -> str | None:
        """The one body that it went to; None when it still is there, or was divided."""
        return self.went_to[0].after if len(self.went_to) == 1 else None


@dataclass(frozen=True, slots=True)
class Code:
    """A code of a body: ``CBS`` (Statistics Netherlands), ``TOOI`` (an address), or ``ECLI`` for the code of a court."""

    scheme: str
    value: str


def codes_of(body: Organisation) -> tuple[Code, ...]:
    """All codes that are known for certain. No OIN is: nothing that we have gives those."""
    if body.code is None:
        return ()
    if body.kind is BodyKind.GERECHT:
        return (Code("ECLI", body.code),)
    address = f"{_TOOI}/{body.kind.value}/{body.code.lower()}"
    return (Code("CBS", body.code), *((Code("TOOI", address),) if body.kind in _IN_TOOI else ()))


def with_life(body: Organisation, life: Life) -> Organisation:
    """The body with what its platforms left out."""
    names = (name for name in (*body.names, *life.names) if name != body.name)
    return replace(
        body,
        names=tuple(dict.fromkeys(names)),
        code=body.code or life.code,
        ended=body.ended or life.ended,
        successor=body.successor or life.successor,
    )


def as_body(life: Life) -> Organisation | None:
    """The body of a life that no platform lists; None when our lists only add to what platforms tell."""
    if life.name is None or life.kind is None:
        return None
    return Organisation(
        id=life.id,
        name=life.name,
        kind=life.kind,
        names=tuple(dict.fromkeys((own_name(life.kind, life.name), *life.names))),
        code=life.code,
        ended=life.ended,
        successor=life.successor,
    )


@cache
def shipped_lives() -> Mapping[str, Life]:
    """The lives in the lists of this folder, by id of the register."""
    found: dict[str, Life] = {}
    for row in _read("reorganisations.json"):
        for life in _named(row):
            found[life.id] = _joined(found.get(life.id), life)
    for row in _read("bodies.json"):
        added = Life(id=row["id"], code=row.get("code"), names=tuple(row.get("names", ())))
        found[added.id] = _joined(found.get(added.id), added)
    return MappingProxyType(_with_changes(found, tuple(_changes())))


@cache
def first_papers() -> Mapping[tuple[str, str], date]:
    """The first day of which a platform has papers of a body, by platform and id, where that is known."""
    rows: dict[str, dict[str, str]] = json.loads((LISTS / "first_papers.json").read_text(encoding="utf-8"))
    return MappingProxyType(
        {(platform, body): date.fromisoformat(day) for platform, days in rows.items() for body, day in days.items()}
    )


def _named(row: dict[str, Any]) -> Iterator[Life]:
    """The bodies that a reorganisation names, with what it says of each."""
    kind, day, began = BodyKind(row.get("kind", "gemeente")), date.fromisoformat(row["day"]), row.get("began", ())
    for name, code in (*row["ended"].items(), *row["into"].items()):
        yield Life(
            id=_id(kind, name),
            name=display_name(kind, name),
            kind=kind,
            code=code,
            began=day if name in began else None,
            ended=day if name in row["ended"] else None,
        )


def _changes() -> Iterator[Succession]:
    for row in _read("reorganisations.json"):
        kind, day = BodyKind(row.get("kind", "gemeente")), date.fromisoformat(row["day"])
        for before in row["ended"]:
            for after in row["into"]:
                whole, renamed = len(row["into"]) == 1, row.get("renamed", False)
                yield Succession(_id(kind, before), _id(kind, after), day, whole, renamed)


def _joined(known: Life | None, other: Life) -> Life:
    if known is None:
        return other
    return replace(
        known,
        code=known.code or other.code,
        names=(*known.names, *other.names),
        began=known.began or other.began,
        ended=known.ended or other.ended,
    )


def _with_changes(lives: Mapping[str, Life], changes: tuple[Succession, ...]) -> dict[str, Life]:
    before, after = defaultdict(list), defaultdict(list)
    for change in changes:
        after[change.before].append(change)
        before[change.after].append(change)
    return {
        key: replace(life, came_of=tuple(before.get(key, ())), went_to=tuple(after.get(key, ())))
        for key, life in lives.items()
    }


def _id(kind: BodyKind, name: str) -> str:
    identifier = register_id(kind, name)
    if identifier is None:
        raise ValueError(name)
    return identifier


def _read(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((LISTS / name).read_text(encoding="utf-8"))
    return rows
