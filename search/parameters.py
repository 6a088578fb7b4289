"""From the parameters of an address (or a command) to a question with its query, and back.

One reader for page, terminal and API: every fault is collected. Names that are no parameter are looked at by who calls
(``search.address_names``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final, TypeVar
from urllib.parse import urlencode

from connectors.moments import AMSTERDAM, now
from connectors.platforms import PLATFORMS
from connectors.records import Group, Kind, Organisation, Query, Sort
from search.exceptions import SHOWN_CHARACTERS, Fault, FieldFault, InvalidQuestionError
from search.organisations import Bodies, with_lives
from search.periods import Period, days_of
from search.question import Question, clean, read_question

PARAMETERS: Final = (
    *("vraag", "platform", "organisatie", "soort", "fractie", "commissie", "van", "tot", "sorteer", "pagina"),
    *("periode", "voorgangers", "letterlijk"),
)
_LONGEST_GROUP: Final = 100
YES: Final = "ja"
NO: Final = "nee"
MAX_PAGE: Final = 200
MAX_VALUES: Final = 50
_MOST_CHOICES: Final = 5
MAX_BODIES: Final = 900
"""So many bodies may be chosen one by one: more than there are, and fewer than fields in an address are read."""
_ISO_DAY: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})", re.ASCII)
_DUTCH_DAY: Final = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})", re.ASCII)
_NUMBER: Final = re.compile(r"\d{1,6}", re.ASCII)
_T = TypeVar("_T", Kind, Sort, Period)


@dataclass(frozen=True, slots=True)
class Asked:
    """One question as it was asked: the query for the connectors, and the keys of the platforms to ask (empty: all).

    ``predecessors``: whether bodies that went into an asked one are asked too; ``literally``: nothing that was typed becomes a
    filter or leads to a document by itself. ``before``: the question before it was read, where that made filters of its words.
    """

    question: Question
    query: Query
    platforms: tuple[str, ...] = ()
    predecessors: bool = True
    literally: bool = False
    before: Asked | None = field(default=None, repr=False)

    @property
    def as_typed(self) -> Asked:
        """The question as its reader typed and chose it: what links ask that go on with it, and what its form shows.

        So what was read from it never becomes a choice of the reader's own, which would stay when he asks something else.
        """
        return self.before or self

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to ask: no words and no filter that stands by itself."""
        query = self.query
        return not (query.text or query.organisations or query.kinds or query.has_period)

    def broad(self, register: Bodies) -> Query:
        """The query to put to platforms: with what went into the asked bodies and what those went to, unless left out."""
        if not (self.predecessors and self.query.organisations):
            return self.query
        return replace(self.query, organisations=with_lives(self.query.organisations, register))

    def pairs(self) -> list[tuple[str, str]]:
        """The parameters of this question, defaults left out, in a fixed order."""
        query = self.query
        found = [("vraag", self.question.typed)] if self.question.typed else []
        found += [("platform", key) for key in self.platforms]
        found += [("organisatie", organisation.id) for organisation in query.organisations]
        found += [("soort", kind.value) for kind in sorted(query.kinds)]
        found += [(group.value, name) for group, name in query.groups]
        found += [(name, day.isoformat()) for name, day in (("van", query.date_from), ("tot", query.date_until)) if day]
        found += [("sorteer", query.sort.value)] if query.sort is not Sort.RELEVANCE else []
        found += [("pagina", str(query.page))] if query.page > 1 else []
        found += [("voorgangers", NO)] if not self.predecessors else []
        return [*found, *([("letterlijk", YES)] if self.literally else [])]

    def address(self, **changes: str | int | None) -> str:
        """The query string of this question. ``changes`` replace single values; None takes a parameter out."""
        pairs = self.pairs()
        for name, value in changes.items():
            pairs = [pair for pair in pairs if pair[0] != name]
            if value is not None:
                pairs.append((name, str(value)))
        return _written(pairs)

    def address_without(self, *gone: tuple[str, str]) -> str:
        """The query string of this question, from its first page, without these parameters."""
        return _written([pair for pair in self.pairs() if pair not in gone and pair[0] != "pagina"])


def _written(pairs: Sequence[tuple[str, str]]) -> str:
    return urlencode(sorted(pairs, key=lambda pair: PARAMETERS.index(pair[0])))


@dataclass(slots=True)
class _Reading:
    """The parameters while they are read; faults are collected."""

    values: Mapping[str, Sequence[str]]
    faults: list[FieldFault] = field(default_factory=list)

    def one(self, name: str) -> str:
        """The value of a field that counts once; more than one is a fault, for one of them would be left out in silence."""
        given = list(dict.fromkeys(stripped for value in self.values.get(name) or () if (stripped := value.strip())))
        if len(given) > 1 and not any(known.parameter == name for known in self.faults):
            self.fault(name, Fault.REPEATED, choices=[(value, value) for value in given[:_MOST_CHOICES]])
        return given[-1] if given else ""

    def many(self, name: str, most: int = MAX_VALUES) -> list[str]:
        given = [value.strip() for value in self.values.get(name) or () if value.strip()]
        if len(given) > most:
            self.fault(name, Fault.TOO_MANY_VALUES, str(len(given)))
            return []
        return list(dict.fromkeys(given))

    def fault(self, name: str, fault: Fault, value: str = "", choices: Sequence[tuple[str, str]] = ()) -> None:
        self.faults.append(FieldFault(name, fault, value[:SHOWN_CHARACTERS], tuple(choices)))


def read_parameters(values: Mapping[str, Sequence[str]], register: Bodies, *, max_characters: int) -> Asked:
    """Read the parameters; raises ``InvalidQuestionError`` with every fault."""
    reading = _Reading(values)
    question = _read_text(reading, max_characters)
    first, last = _read_period(reading)
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
            groups=tuple(
                (group, name) for group in Group if (name := clean(reading.one(group.value))[:_LONGEST_GROUP])
            ),
        ),
        _read_platforms(reading),
        predecessors=reading.one("voorgangers").lower() != NO,
        literally=reading.one("letterlijk").lower() == YES,
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
        is_joining = any(character.isalnum() for character in question.typed)
        reading.fault("vraag", Fault.ONLY_OPERATORS if is_joining else Fault.NO_WORDS)
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


def _read_period(reading: _Reading) -> tuple[date | None, date | None]:
    """The first and the last day: as they are given, else those of a period by name, counted back from today."""
    first, last = _read_day(reading, "van"), _read_day(reading, "tot")
    name = reading.one("periode")
    if name and (reading.one("van") or reading.one("tot")):
        reading.fault("periode", Fault.PERIOD_TWICE, name)
    if not name or reading.one("van") or reading.one("tot"):
        return first, last
    period = _choice(reading, "periode", Fault.UNKNOWN_PERIOD, name, Period)
    return days_of(period, now().astimezone(AMSTERDAM).date()) if period else (None, None)


def _choice(reading: _Reading, name: str, fault: Fault, value: str, kinds: type[_T]) -> _T | None:
    try:
        return kinds(value.lower())
    except ValueError:
        reading.fault(name, fault, value, [(kind.value, kind.value) for kind in kinds])
        return None


def _read_organisations(reading: _Reading, register: Bodies) -> tuple[Organisation, ...]:
    """The chosen bodies. All that there are now, chosen one by one, is the same as choosing none: a question to all."""
    found: dict[str, Organisation] = {}
    for text in reading.many("organisatie", MAX_BODIES):
        matches = register.find(text)
        if len(matches) == 1:
            found[matches[0].id] = matches[0]
            continue
        fault = Fault.AMBIGUOUS_ORGANISATION if matches else Fault.UNKNOWN_ORGANISATION
        choices = matches or register.suggestions(text[:100])
        reading.fault("organisatie", fault, text, [(choice.id, choice.name) for choice in choices])
    if len(found) > MAX_VALUES and all(body.id in found for body in register.everybody() if body.ended is None):
        return ()
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
