"""Open Data's search as the stand-in answers it (platform page, sections A2, A3 and A6). [inferred] marks what is a guess."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from connectors.moments import AMSTERDAM
from connectors.rechtspraak.standin_corpus import Decision, areas_below, decisions, identifiers
from connectors.rechtspraak.standin_website import cut

LARGEST_PAGE: Final = 1000
_CASES_IN_TITLE: Final = 40  # [inferred] from titles of 2016 that break off
_SUMMARY: Final = 400
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOMENT: Final = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:T([0-9]{2}:[0-9]{2}:[0-9]{2}))?(?:Z|[+-][0-9]{2}:[0-9]{2})?"
)
_ENDS: Final = 2
_NUMBER: Final = re.compile(r"[0-9]{1,18}")
_COURT_LISTS: Final = ("Instanties", "InstantiesBuitenlands")
_FOREIGN: Final = "http://psi.rechtspraak.nl/buitenlandseInstantie"
_SHORT_NAMES: Final = {"ECLI:NL:XX": _FOREIGN}  # section A2, from the official description


class BadValueError(Exception):
    """A parameter has a value that the service refuses with 400; ``parameter`` is its name."""

    def __init__(self, parameter: str) -> None:
        super().__init__(parameter)
        self.parameter = parameter


class NoSuchDayError(Exception):
    """A date that does not exist: the service answers with a page of HTML."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """The parameters as they came, by name."""

    values: dict[str, list[str]]

    def all(self, name: str) -> list[str]:
        return self.values.get(name, [])

    def one_of(self, name: str, *allowed: str) -> str | None:
        given = self.all(name)
        if len(given) > 1 or any(value.lower() not in allowed for value in given):
            raise BadValueError(name)
        return given[0].lower() if given else None

    def number(self, name: str, default: int) -> int:
        given = self.all(name)
        if len(given) > 1 or any(not _NUMBER.fullmatch(value) for value in given):
            raise BadValueError(name)
        return int(given[0]) if given else default

    def listed(self, name: str, *value_lists: str) -> frozenset[str]:
        given = frozenset(_SHORT_NAMES.get(identifier, identifier) for identifier in self.all(name))
        if not given <= frozenset().union(*(identifiers(value_list) for value_list in value_lists)):
            raise BadValueError(name)
        return given

    def range_of(self, name: str, form: re.Pattern[str]) -> list[re.Match[str]]:
        matches = [match for value in self.all(name) if (match := form.fullmatch(value))]
        if len(matches) != len(self.all(name)) or len(matches) > _ENDS:
            raise BadValueError(name)
        return matches


@dataclass(frozen=True, slots=True, kw_only=True)
class _Filter:
    """What the known parameters ask for; None and empty sets ask for nothing. Unknown parameters are ignored."""

    kind: str | None
    with_text_only: bool
    days: tuple[date, date] | None
    moments: tuple[datetime, datetime] | None
    courts: frozenset[str]
    areas: frozenset[str]
    replaced: frozenset[str]

    def matches(self, decision: Decision) -> bool:
        """Values of one parameter are joined with OR, parameters with AND (section A2)."""
        return (
            self.kind in {None, decision.kind.name.lower()}
            and (not self.with_text_only or decision.published is not None)
            and (self.days is None or self.days[0] <= decision.decided <= self.days[1])
            and (self.moments is None or self.moments[0] <= decision.changed <= self.moments[1])
            and (not self.courts or decision.court.identifier in self.courts)
            and (not self.areas or any(subject.identifier in self.areas for subject in decision.subjects))
            and (not self.replaced or any(number in self.replaced for number in decision.replaces))
        )


def feed(parameters: list[tuple[str, str]], now: datetime) -> bytes:
    """The feed for a query, with the mark of UTF-8 in front. Raises ``BadValueError`` and ``NoSuchDayError``."""
    values: dict[str, list[str]] = {}
    for name, value in parameters:
        values.setdefault(name, []).append(value)
    asked = _Asked(values)
    wanted = _filter(asked)
    size, start = min(asked.number("max", LARGEST_PAGE), LARGEST_PAGE), asked.number("from", 0)
    backwards = asked.one_of("sort", "asc", "desc") == "desc"
    found = [decision for decision in decisions() if wanted.matches(decision)]
    found.sort(key=lambda decision: (decision.changed, decision.ecli), reverse=backwards)
    entries = "".join(_entry(decision) for decision in found[start : start + size])
    return f"{_head(len(found), now)}{entries}</feed>".encode("utf-8-sig")


def _filter(asked: _Asked) -> _Filter:
    return _Filter(
        kind=asked.one_of("type", "uitspraak", "conclusie"),
        with_text_only=asked.one_of("return", "doc") is not None,
        days=_days(asked),
        moments=_moments(asked),
        courts=asked.listed("creator", *_COURT_LISTS),
        areas=frozenset(below for area in asked.listed("subject", "Rechtsgebieden") for below in areas_below(area)),
        replaced=frozenset(asked.all("replaces")),
    )


def _days(asked: _Asked) -> tuple[date, date] | None:
    """One value is that day, two are the first and the last."""
    days = [_day(match[0]) for match in asked.range_of("date", _DAY)]
    return (days[0], days[-1]) if days else None


def _moments(asked: _Asked) -> tuple[datetime, datetime] | None:
    """Dutch local time; an offset or Z is read over. One value is a beginning, two are a range."""
    matches = asked.range_of("modified", _MOMENT)
    moments = [datetime.combine(_day(match[1]), _time(match[2] or "00:00:00")) for match in matches]
    if not moments:
        return None
    return moments[0], moments[1] if len(moments) == _ENDS else datetime.max  # noqa: DTZ901 - Dutch local time, as stored


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise NoSuchDayError from None


def _time(text: str) -> time:
    try:
        return time.fromisoformat(text)
    except ValueError:
        raise NoSuchDayError from None


def _head(total: int, now: datetime) -> str:
    local = now.astimezone(AMSTERDAM).replace(microsecond=0)
    return (
        '<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom">'
        '<title type="text">Rechtspraak Open Data (Uitspraken)</title>'
        f'<subtitle type="text">Aantal gevonden ECLI\'s: {total}</subtitle>'
        "<id>uuid:00000000-0000-4000-8000-000000000000;id=1</id>"
        f'<rights type="text">Copyright {local.year} Rechtspraak.</rights><updated>{local.isoformat()}</updated>'
    )


def _entry(decision: Decision) -> str:
    """One entry. A decision that another ECLI replaced is marked as deleted and has no link (section A3)."""
    title = f"{decision.ecli}, {decision.court.name}, {decision.decided:%d-%m-%Y}, {decision.case_numbers[:_CASES_IN_TITLE]}"
    updated = decision.changed.replace(tzinfo=AMSTERDAM).astimezone(UTC)
    address = f"https://uitspraken.rechtspraak.nl/details?id={decision.ecli}"
    deleted = ' deleted="ecli"' if decision.is_replaced else ""
    link = "" if decision.is_replaced else f'<link rel="alternate" type="text/html" href={quoteattr(address)}/>'
    return (
        f'<entry{deleted}><id>{decision.ecli}</id><title type="text">{escape(title)}</title>{_summary(decision)}'
        f"<updated>{updated:%Y-%m-%dT%H:%M:%SZ}</updated>{link}</entry>"
    )


def _summary(decision: Decision) -> str:
    """Text, a lone "-", or an empty element."""
    if not decision.abstract:
        return '<summary type="text"/>'
    return f'<summary type="text">{escape(cut(decision.abstract, _SUMMARY))}</summary>'
