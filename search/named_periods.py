"""Times named in a question: "sinds maart 2024", "in 2023", "vorig jaar". They become a first and a last day.

In a question a month with its year is one; a month without is the last that began ("in maart"). A bare year is none ("begroting
2025", "Buitengebied 2014"), nor is one after "van" or "voor" ("de begroting van 2025"): those belong to what is asked about.
Nothing between quotes is looked at, and no year to come.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from connectors.moments import MONTHS, MONTHS_IN_ENGLISH

_YEAR: Final = r"(?:1[89]|20)\d\d"
_MONTH: Final = "|".join(dict.fromkeys(month.lower() for month in (*MONTHS, *MONTHS_IN_ENGLISH)))
_DAY: Final = rf"(?:(?:(?P<d{{0}}>\d{{{{1,2}}}}) )?(?P<m{{0}}>{_MONTH}) )?(?P<y{{0}}>{_YEAR})"
_FIRST: Final = _DAY.format(1)
_LAST: Final = _DAY.format(2)
_NUMBERS: Final = {"twee": 2, "drie": 3, "vier": 4, "vijf": 5, "tien": 10, "two": 2, "three": 3, "five": 5, "ten": 10}
_END: Final = r"(?![\w-])"
_OLDEST: Final = 1900


@dataclass(frozen=True, slots=True)
class Times:
    """The first and last day of a period, both included; None: no bound."""

    first: date | None = None
    last: date | None = None


@dataclass(frozen=True, slots=True)
class _Form:
    """A way to name a time, and what it stands for on a day."""

    pattern: re.Pattern[str]
    read: Callable[[re.Match[str], date], Times | None]


def _form(pattern: str, read: Callable[[re.Match[str], date], Times | None]) -> _Form:
    return _Form(re.compile(rf"(?<![\w-])(?:{pattern}){_END}", re.IGNORECASE), read)


def _span(found: re.Match[str], at: int) -> Times | None:
    """The days of a year, a month or a day. None where there is no such day, or it is long past."""
    year, month, day = (found[f"{part}{at}"] for part in "ymd")
    if int(year) < _OLDEST:
        return None
    if not month:
        return Times(date(int(year), 1, 1), date(int(year), 12, 31))
    names = MONTHS if month.lower() in MONTHS else [name.lower() for name in MONTHS_IN_ENGLISH]
    number = list(names).index(month.lower()) + 1
    days = calendar.monthrange(int(year), number)[1]
    if day and not 1 <= int(day) <= days:
        return None
    return Times(date(int(year), number, int(day or 1)), date(int(year), number, int(day or days)))


def _within(found: re.Match[str], today: date) -> Times | None:
    span = _span(found, 1)
    return span if span and span.first and span.first <= today else None


def _past_month(found: re.Match[str], today: date) -> Times | None:
    """The last month of a name that began: "in maart" is this year's, or last year's while it is not March yet."""
    name = found["month"].lower()
    number = list(MONTHS if name in MONTHS else [one.lower() for one in MONTHS_IN_ENGLISH]).index(name) + 1
    year = today.year - (number > today.month)
    return Times(date(year, number, 1), date(year, number, calendar.monthrange(year, number)[1]))


def _since_month(found: re.Match[str], today: date) -> Times | None:
    month = _past_month(found, today)
    return Times(month.first) if month else None


def _since(found: re.Match[str], today: date) -> Times | None:
    span = _within(found, today)
    return Times(span.first) if span else None


def _after(found: re.Match[str], today: date) -> Times | None:
    span = _within(found, today)
    return Times(span.last + timedelta(days=1)) if span and span.last and span.last < today else None


def _before(found: re.Match[str], today: date) -> Times | None:
    span = _within(found, today)
    return Times(None, span.first - timedelta(days=1)) if span and span.first else None


def _between(found: re.Match[str], today: date) -> Times | None:
    first, last = _within(found, today), _span(found, 2)
    if not (first and first.first and last and last.last) or first.first > last.last:
        return None
    return Times(first.first, last.last)


def _calendar(found: re.Match[str], today: date) -> Times | None:
    """This or the last year, month or week by the calendar; "afgelopen" counts back from today."""
    which, unit = found["which"].lower(), found["unit"].lower()
    if which in {"afgelopen", "laatste", "past"}:
        return Times(_back(today, unit, 1), today)
    last = which in {"vorig", "vorige", "last"}
    if unit in {"jaar", "year"}:
        year = today.year - last
        return Times(date(year, 1, 1), date(year, 12, 31) if last else today)
    if unit in {"maand", "month"}:
        begin = today.replace(day=1)
        return Times(_back(begin, unit, 1), begin - timedelta(days=1)) if last else Times(begin, today)
    monday = today - timedelta(days=today.weekday())
    return Times(monday - timedelta(days=7), monday - timedelta(days=1)) if last else Times(monday, today)


def _some(found: re.Match[str], today: date) -> Times | None:
    number = found["number"].lower()
    return Times(_back(today, found["units"].lower(), _NUMBERS.get(number) or int(number)), today)


def _back(day: date, unit: str, number: int) -> date:
    """So many units before a day: the same day of the month, or the last that is there."""
    if unit.startswith(("week", "weken")):
        return day - timedelta(days=7 * number)
    months = day.year * 12 + day.month - 1 - number * (12 if unit.startswith(("jaar", "jaren", "year")) else 1)
    year, month = divmod(months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def _days_ago(number: int) -> Callable[[re.Match[str], date], Times]:
    return lambda _, today: Times(today - timedelta(days=number), today - timedelta(days=number))


_UNIT: Final = "(?P<unit>jaar|maand|week|year|month)"
_FORMS: Final = (
    _form(rf"(?:tussen|between) {_FIRST} (?:en|and) {_LAST}", _between),
    _form(
        rf"(?:in de periode |periode )?(?:van|vanaf|from) {_FIRST} (?:tot en met|t/m|tot|to|until) {_LAST}", _between
    ),
    _form(rf"(?:sinds|vanaf|since)(?: begin)?(?: het jaar)? {_FIRST}", _since),
    _form(rf"(?:na|after) {_FIRST}", _after),
    _form(rf"(?:vóór|before) {_FIRST}", _before),
    _form(rf"(?:in|uit|gedurende|tijdens|during)(?: het jaar)? {_FIRST}", _within),
    _form(rf"(?:van|op|of|on) (?=(?:\d{{1,2}} )?(?:{_MONTH}) ){_FIRST}", _within),
    _form(
        rf"(?:in |van |uit |over |during )?(?:de |het |the )?(?P<which>vorige?|afgelopen|dit|deze|last|past|this) {_UNIT}",
        _calendar,
    ),
    _form(
        rf"(?:in |over )?(?:de |the )?(?:afgelopen|laatste|last|past) (?P<number>\d{{1,2}}|{'|'.join(_NUMBERS)}) "
        r"(?P<units>jaar|jaren|maanden|weken|years|months|weeks)",
        _some,
    ),
    _form(rf"(?:in|uit|gedurende|during) (?:de maand )?(?P<month>{_MONTH})", _past_month),
    _form(rf"(?:sinds|vanaf|since) (?P<month>{_MONTH})", _since_month),
    _form("vandaag|today", _days_ago(0)),
    _form("gisteren|yesterday", _days_ago(1)),
)


_BARE: Final = _form(rf"(?=(?:\d{{1,2}} )?(?:{_MONTH}) ){_FIRST}", _within)


def times_in(text: str, today: date, *, asks: bool = True) -> tuple[Times | None, str]:
    """The period that a text without quotes names, and the text without it. The first form that fits counts, once.

    ``asks``: the text is a question, in which a month with its year is a time too ("kamervragen over PFAS oktober 2025"); in a
    title ("verslag raadsnacht 26 oktober 2025") it belongs to the name.
    """
    for form in (*_FORMS, _BARE) if asks else _FORMS:
        found = form.pattern.search(text)
        times = form.read(found, today) if found else None
        if found and times:
            return times, " ".join(f"{text[: found.start()]} {text[found.end() :]}".split())
    return None, text
