"""What ``/status`` says that asks for attention in a Laadstatus, and of which sources it is known whether they are silent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from connectors.language import later, say
from connectors.load_status import LoadState
from connectors.moments import AMSTERDAM
from search import texts
from search.kept import KeptStatus
from search.load_picture import SILENT, silent_since
from search.load_words import Naming
from search.silence import Lately, Told, lately

_DAYS_FROM: Final = 72


class Basis(StrEnum):
    """By what it is known whether a source still loads anything."""

    LOADING = "laden"
    PAPERS = "stukken"
    SILENT = "stil"
    UNKNOWN = "onbekend"
    NOT_GIVEN = "niet gegeven"


_BASIS_WORDS: Final[Mapping[Basis, str]] = MappingProxyType(
    {
        Basis.LOADING: later("Deze bronnen laadden in de laatste 36 uur iets, volgens hun eigen Laadstatus: {names}."),
        Basis.PAPERS: later(
            "Deze bronnen zeggen niet wanneer zij laadden, maar hun nieuwste stuk is hooguit 4 dagen oud: {names}."
        ),
        Basis.UNKNOWN: later("Van deze bronnen weten we nu niet of zij nog iets laden: {names}."),
        Basis.NOT_GIVEN: later(
            "Deze bronnen hebben geen Laadstatus. Of zij nieuwe stukken missen, weten we niet: {names}."
        ),
    }
)
"""A source that is silent stands above, among what asks for attention."""
_BASES: Final[Mapping[Told, Basis]] = MappingProxyType(
    {Told.LOADING: Basis.LOADING, Told.PAPERS: Basis.PAPERS, Told.NOTHING: Basis.UNKNOWN}
)


def basis_words(bases: Sequence[tuple[str, Basis]]) -> Iterator[str]:
    """Of which sources (name, basis) it is known that they load, and of which not."""
    for basis, words in _BASIS_WORDS.items():
        if names := [name for name, one in bases if one is basis]:
            yield say(words, names=", ".join(names))


def load_basis(load: KeptStatus, at: datetime) -> Basis:
    """By what it is known at ``at`` whether the platform loads anything. An old list tells nothing of now."""
    made = load.generated_at
    if made is None or at - made > SILENT:
        return Basis.UNKNOWN
    seen = _seen(load, at)
    return Basis.SILENT if seen.is_silent(at) else _BASES[seen.told]


def load_alarms(load: KeptStatus, naming: Naming, at: datetime) -> Iterator[str]:
    """Who is silent for more than 36 hours now, and that the Laadstatus itself is old. Needs the moment it was made.

    When it is old, nobody tells of the time after it: then only who was silent when it was made is named. Where it names no
    suppliers, all its rows together tell.
    """
    made = load.generated_at
    assert made is not None
    if is_old := at - made > SILENT:
        yield say("de Laadstatus zelf is {age} oud. Hoe het nu is, weten we niet.", age=_age(at - made))
    seen_at = made if is_old else at
    if not load.suppliers:
        yield from _all_together(_seen(load, seen_at), naming, made, seen_at, at)
    for row in load.suppliers:
        if silent_since(row, seen_at) is not None:
            yield _silent(row, naming, made, at)


def dated(moment: datetime) -> str:
    """The day of a moment, in words."""
    return texts.day(moment.astimezone(AMSTERDAM).date())


def _seen(load: KeptStatus, at: datetime) -> Lately:
    return lately(load.suppliers or load.organisations, at)


def _all_together(seen: Lately, naming: Naming, made: datetime, seen_at: datetime, at: datetime) -> Iterator[str]:
    if seen.at is None:
        yield say(
            "haar Laadstatus zegt van niets wanneer het voor het laatst geladen is. Of zij stil is, weten we niet."
        )
    elif seen.is_silent(seen_at):
        words = (
            later(
                "geen van haar {many} werd bijgewerkt: de laatste keer was {age} geleden, volgens een lijst van {day}. "
                "Nieuwe stukken kunnen ontbreken."
            )
            if seen.told is Told.LOADING
            else later(
                "het nieuwste stuk van al haar {many} is {age} oud, volgens een lijst van {day}. Wanneer zij laadde, zegt "
                "zij niet. Nieuwe stukken kunnen ontbreken."
            )
        )
        yield say(words, many=say(naming.many), age=_age(seen.age(at)), day=dated(made))


def _silent(row: LoadState, naming: Naming, made: datetime, at: datetime) -> str:
    if row.last_success is None:
        return say(
            "van {supplier} {label} is geen geslaagde keer bekend, volgens een lijst van {day}.",
            supplier=say(naming.supplier),
            label=row.label,
            day=dated(made),
        )
    return say(
        "{supplier} {label} leverde {age} niets, volgens een lijst van {day}. {missing}",
        supplier=say(naming.supplier),
        label=row.label,
        age=_age(at - row.last_success),
        day=dated(made),
        missing=say(naming.missing),
    )


def _age(age: timedelta) -> str:
    hours = int(age.total_seconds() // 3600)
    return say("{hours} uur", hours=hours) if hours < _DAYS_FROM else say("{days} dagen", days=hours // 24)
