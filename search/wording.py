"""How days, times, numbers and lists are written in the language that is spoken, and what filters are called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from types import MappingProxyType
from typing import Final

from connectors.language import Language, later, say, spoken
from connectors.moments import AMSTERDAM, MONTHS, MONTHS_IN_ENGLISH
from connectors.records import Filter

FILTER_NAMES: Final[Mapping[Filter, str]] = MappingProxyType(
    {
        Filter.ORGANISATION: later("organisatie"),
        Filter.KIND: later("soort"),
        Filter.FROM: later("begindatum"),
        Filter.UNTIL: later("einddatum"),
        Filter.SORT: later("volgorde"),
        Filter.PAGE: later("pagina"),
    }
)


def day(value: date) -> str:
    """A day as people write it: 12 maart 2026, 12 March 2026."""
    months = MONTHS if spoken() is Language.DUTCH else MONTHS_IN_ENGLISH
    return f"{value.day} {months[value.month - 1]} {value.year}"


def clock(value: datetime) -> str:
    """A clock time in the Netherlands: 14:32 uur, or 14:32."""
    return say("{time} uur", time=f"{value.astimezone(AMSTERDAM):%H:%M}")


def clock_not_before(value: datetime) -> str:
    """A clock time for something to come, rounded up to a whole minute: who comes back then is never too early."""
    return clock(value + timedelta(minutes=1, microseconds=-1))


def number(value: int) -> str:
    """A number with points between thousands: 2.500; in English with commas."""
    return f"{value:,}".replace(",", ".") if spoken() is Language.DUTCH else f"{value:,}"


def listed(names: Sequence[str]) -> str:
    """Names as people list them: a, b en c."""
    if len(names) < 2:  # noqa: PLR2004 - one name is no list
        return "".join(names)
    return say("{names} en {last}", names=", ".join(names[:-1]), last=names[-1])


def joined(*sentences: str) -> str:
    """Sentences after each other; those that are empty are left out."""
    return " ".join(filter(None, sentences))
