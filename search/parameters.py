"""From the parameters of an address (or a command) to a question with its query, and back.

One reader for page, terminal and, later, API: every fault is collected. The page ignores unknown parameters and leaves
them out of its own links.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final, TypeVar
from urllib.parse import urlencode

from connectors.platforms import PLATFORMS
from connectors.records import Kind, Organisation, Query, Sort
from search.exceptions import SHOWN_CHARACTERS, Fault, FieldFault, InvalidQuestionError
from search.organisations import Bodies
from search.question import Question, read_question

PARAMETERS: Final = ("vraag", "platform", "organisatie", "soort", "van", "tot", "sorteer", "pagina")
MAX_PAGE: Final = 200
MAX_VALUES: Final = 50
_ISO_DAY: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})", re.ASCII)
_DUTCH_DAY: Final = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})", re.ASCII)
_NUMBER: Final = re.compile(r"\d{1,6}", re.ASCII)
_T = TypeVar("_T", Kind, Sort)


@dataclass(frozen=True, slots=True)
class Asked:
    """One question as it was asked: the query for the connectors, and the keys of the platforms to ask (empty: all)."""

    question: Question
    query: Query
    platforms: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to ask: no words and no filter that stands by itself."""
        query = self.query
        return not (query.text or query.organisations or query.kinds or query.has_period)

    def address(self, **changes: str | int | None) -> str:
        """The query string of this question, defaults left out, keys in a fixed order.

        ``changes`` replace single values.
        """
        query = self.query
        pairs: list[tuple[str, str]] = [("vraag", self.question.typed)] if self.question.typed else []
        pairs += [("platform", key) for key in self.platforms]
        pairs += [("organisatie", organisation.id) for organisation in query.organisations]
        pairs += [("soort", kind.value) for kind in sorted(query.kinds)]
        pairs += [(name, day.isoformat()) for name, day in (("van", query.date_from), ("tot", query.date_until)) if day]
        pairs += [("sorteer", query.sort.value)] if query.sort is not Sort.RELEVANCE else []
        pairs += [("pagina", str(query.page))] if query.page > 1 else []
        for name, value in changes.items():
            pairs = [pair for pair in pairs if pair[0] != name]
            if value is not None:
                pairs.append((name, str(value)))
        return urlencode(sorted(pairs, key=lambda pair: PARAMETERS.index(pair[0])))


@dataclass(slots=True)
class _Reading:
    """The parameters while they are read; faults are collected."""

    values: Mapping[str, Sequence[str]]
    faults: list[FieldFault] = field(default_factory=list)

    def one(self, name: str) -> str:
        given = self.values.get(name) or ()
        return given[-1].strip() if given else ""

    def many(self, name: str) -> list[str]:
        given = [value.strip() for value in self.values.get(name) or () if value.strip()]
        if len(given) > MAX_VALUES:
            self.fault(name, Fault.TOO_MANY_VALUES, str(len(given)))
            return []
        return list(dict.fromkeys(given))

    def fault(self, name: str, fault: Fault, value: str = "", choices: Sequence[tuple[str, str]] = ()) -> None:
        self.faults.append(FieldFault(name, fault, value[:SHOWN_CHARACTERS], tuple(choices)))


def read_parameters(values: Mapping[str, Sequence[str]], register: Bodies, *, max_characters: int) -> Asked:
    """Read the parameters; raises ``InvalidQuestionError`` with every fault."""
    reading = _Reading(values)
    question = _read_text(reading, max_characters)
    first, last = _read_day(reading, "van"), _read_day(reading, "tot")
    if first and last and first > last:
        reading.fault("tot", Fault.PERIOD_REVERSED, last.isoformat())
    kinds = [_choice(reading, "soort", Fault.UNKNOWN_KIND, value, Kind) for value in reading.many("soort")]
    sort = _choice(reading, "sorteer", Fault.UNKNOWN_SORT, reading.one("sorteer") or Sort.RELEVANCE.value, Sort)
    asked = Asked(
        question,
        Query(
            text=question.text,
            organisations=_read_organisations(reading, register),
            kinds=frozenset(kind for kind in kinds if kind),
            date_from=first,
            date_until=last,
            sort=sort or Sort.RELEVANCE,
            page=_read_page(reading),
        ),
        _read_platforms(reading),
    )
    if reading.faults:
        raise InvalidQuestionError(tuple(reading.faults))
    return asked


def _read_text(reading: _Reading, max_characters: int) -> Question:
    typed = reading.one("vraag")
    if len(typed) > max_characters:
        reading.fault("vraag", Fault.TOO_LONG, str(len(typed)))
        return read_question("")
    question = read_question(typed)
    if typed and not question.text:
        reading.fault("vraag", Fault.NO_WORDS)
    return question


def read_day(text: str) -> date | None:
    """The day that ``2026-03-12`` or ``12-03-2026`` stands for, or None when there is no such day."""
    iso, dutch = _ISO_DAY.fullmatch(text.strip()), _DUTCH_DAY.fullmatch(text.strip())
    try:
        if iso:
            return date(int(iso[1]), int(iso[2]), int(iso[3]))
        if dutch:
            return date(int(dutch[3]), int(dutch[2]), int(dutch[1]))
    except ValueError:
        return None
    return None


def _read_day(reading: _Reading, name: str) -> date | None:
    text = reading.one(name)
    day = read_day(text)
    if text and day is None:
        reading.fault(name, Fault.BAD_DATE, text)
    return day


def _choice(reading: _Reading, name: str, fault: Fault, value: str, kinds: type[_T]) -> _T | None:
    try:
        return kinds(value.lower())
    except ValueError:
        reading.fault(name, fault, value, [(kind.value, kind.value) for kind in kinds])
        return None


def _read_organisations(reading: _Reading, register: Bodies) -> tuple[Organisation, ...]:
    found: dict[str, Organisation] = {}
    for text in reading.many("organisatie"):
        matches = register.find(text)
        if len(matches) == 1:
            found[matches[0].id] = matches[0]
            continue
        fault = Fault.AMBIGUOUS_ORGANISATION if matches else Fault.UNKNOWN_ORGANISATION
        choices = matches or register.suggestions(text[:100])
        reading.fault("organisatie", fault, text, [(choice.id, choice.name) for choice in choices])
    return tuple(found.values())


def _read_platforms(reading: _Reading) -> tuple[str, ...]:
    known = {platform.key: platform.name for platform in PLATFORMS}
    chosen = []
    for text in reading.many("platform"):
        if text.lower() in known:
            chosen.append(text.lower())
        else:
            reading.fault("platform", Fault.UNKNOWN_PLATFORM, text, list(known.items()))
    return tuple(dict.fromkeys(chosen))


def _read_page(reading: _Reading) -> int:
    text = reading.one("pagina")
    if not text:
        return 1
    if _NUMBER.fullmatch(text) and 1 <= int(text) <= MAX_PAGE:
        return int(text)
    reading.fault("pagina", Fault.BAD_PAGE, text)
    return 1
