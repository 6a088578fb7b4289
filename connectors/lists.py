"""The lists of a platform as rows that can be kept: from records to rows and back, without a database.

A list is kept as rows of key, name and details. What a newer or older version wrote, or somebody changed by hand, may be
odd: such a row is left out, never a failure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, Protocol

from connectors.exceptions import (
    ClosedError,
    ConnectorError,
    NotAnAnswerError,
    OverLimitError,
    QueueFullError,
    RefusedError,
    TooSlowError,
    UnreachableError,
)
from connectors.language import later
from connectors.records import BodyKind, ListItem, Lists, Organisation

ORGANISATIONS: Final = "organisaties"
REGISTERS: Final = "registers"
"""The list of the words under which a platform keeps its registers, where it has one."""
"""The list that every platform has, be it empty."""
LOAD_STATUS: Final = "laadstatus"


class Source(StrEnum):
    """Where a kept list comes from."""

    SHIPPED = "meegeleverd"
    PLATFORM = "bron"


class Trouble(StrEnum):
    """Why a list could not be fetched. Only the kind is kept, never what was asked or answered."""

    UNREACHABLE = "unreachable"
    TOO_SLOW = "too_slow"
    OVER_LIMIT = "over_limit"
    QUEUE_FULL = "queue_full"
    CLOSED = "closed"
    REFUSED = "refused"
    NOT_AN_ANSWER = "not_an_answer"
    EMPTY = "empty"
    SHRUNK = "shrunk"
    OTHER = "other"
    BROKEN = "broken"


_KINDS: Final[tuple[tuple[type[ConnectorError], Trouble], ...]] = (
    (UnreachableError, Trouble.UNREACHABLE),
    (TooSlowError, Trouble.TOO_SLOW),
    (OverLimitError, Trouble.OVER_LIMIT),
    (RefusedError, Trouble.REFUSED),
    (QueueFullError, Trouble.QUEUE_FULL),
    (ClosedError, Trouble.CLOSED),
    (NotAnAnswerError, Trouble.NOT_AN_ANSWER),
)
TROUBLE_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        Trouble.UNREACHABLE: later("De bron was niet bereikbaar."),
        Trouble.TOO_SLOW: later("De bron antwoordde niet op tijd."),
        Trouble.OVER_LIMIT: later("De bron zei dat we te veel vroegen."),
        Trouble.QUEUE_FULL: later("Onze eigen wachtrij voor deze bron was vol."),
        Trouble.CLOSED: later(
            "Niet gevraagd: een beheerder zette de bron uit, of BesluitBron kon niet bij haar eigen wachtrij."
        ),
        Trouble.REFUSED: later("De bron weigerde het verzoek."),
        Trouble.NOT_AN_ANSWER: later("Wat de bron stuurde, was geen lijst."),
        Trouble.EMPTY: later("De bron gaf een lege lijst, en er was er een met regels."),
        Trouble.SHRUNK: later(
            "De bron gaf een lijst die nog niet half zo lang is als de vorige. Klopt dat? "
            "Ververs haar dan zelf: wat u zelf vraagt, nemen we over."
        ),
        Trouble.OTHER: later("De bron kon deze lijst niet geven."),
        Trouble.BROKEN: later("Bij het ophalen ging aan onze kant iets mis."),
    }
)


def trouble_of(failure: ConnectorError) -> Trouble:
    """The kind of a failure."""
    return next((trouble for kind, trouble in _KINDS if isinstance(failure, kind)), Trouble.OTHER)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a kept list. ``details`` is plain data: texts, lists, numbers."""

    key: str
    name: str
    parent: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)


class KeptLists(Protocol):
    """The kept lists as a register reads them."""

    def stamp(self, version: str) -> object:
        """Something that is equal as long as what ``organisations`` gives is the same. Cheap: one query."""
        ...

    def organisations(self, version: str) -> Mapping[str, tuple[Organisation, ...]]:
        """For each platform the organisations that it gave itself and ``version`` wrote down. One query for all."""
        ...


def rows_of(lists: Lists) -> dict[str, tuple[Row, ...]]:
    """Every list of a platform by name, the organisations first."""
    values = {name: tuple(_item_row(item) for item in items) for name, items in lists.values}
    return {ORGANISATIONS: organisation_rows(lists.organisations)} | values


def organisation_rows(organisations: Iterable[Organisation]) -> tuple[Row, ...]:
    """Organisations as rows; one that stands there twice is kept once."""
    return tuple({one.id: _organisation_row(one) for one in organisations}.values())


def organisation_of(row: Row) -> Organisation | None:
    """The organisation in a row; None when the row is odd."""
    try:
        return _organisation(row)
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def joined(shipped: Iterable[Organisation], kept: Iterable[Organisation]) -> tuple[Organisation, ...]:
    """The organisations of one platform: what it gave itself counts, and what only our own list knows stays.

    Platforms leave out bodies that are no more, and say nothing of former names; papers of those are still there.
    """
    found = {one.id: one for one in shipped}
    for one in kept:
        ours = found.get(one.id)
        found[one.id] = one if ours is None else _join(ours, one)
    return tuple(found.values())


def doubt(new: int, old: int, source: Source) -> Trouble | None:
    """Why a list of ``new`` rows may not take the place of one with ``old`` rows; None when it may."""
    if not new and old:
        return Trouble.EMPTY
    if source is Source.PLATFORM and new * 2 < old:
        return Trouble.SHRUNK
    return None


def _item_row(item: ListItem) -> Row:
    return Row(item.identifier, item.name, item.parent or "")


def _organisation_row(one: Organisation) -> Row:
    details = {
        "kind": one.kind.value,
        "keys": [list(pair) for pair in one.keys],
        "names": list(one.names),
        "code": one.code,
        "ended": one.ended.isoformat() if one.ended else None,
        "successor": one.successor,
    }
    return Row(one.id, one.name, details={name: value for name, value in details.items() if value})


def _organisation(row: Row) -> Organisation:
    details = row.details
    ended = details.get("ended")
    return Organisation(
        id=_text(row.key),
        name=_text(row.name),
        kind=BodyKind(details["kind"]),
        keys=tuple((_text(platform), _text(key)) for platform, key in details.get("keys", ())),
        names=tuple(_text(name) for name in details.get("names", ())),
        code=_optional(details.get("code")),
        ended=date.fromisoformat(ended) if ended else None,
        successor=_optional(details.get("successor")),
    )


def _text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise TypeError
    return value


def _optional(value: object) -> str | None:
    return None if value is None else _text(value)


def _join(ours: Organisation, theirs: Organisation) -> Organisation:
    names = dict.fromkeys((*theirs.names, ours.name, *ours.names))
    names.pop(theirs.name, None)
    return replace(
        theirs,
        keys=tuple((dict(ours.keys) | dict(theirs.keys)).items()),
        names=tuple(names),
        code=theirs.code or ours.code,
        ended=theirs.ended or ours.ended,
        successor=theirs.successor or ours.successor,
    )
