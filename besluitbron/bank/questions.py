"""The questions of the bank: what is asked, what must be found, the right value, and the trap. Read strictly from TOML.

The right values were read from the data that the stand-ins serve, never from what this product answers.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from connectors.platforms import PLATFORMS
from search.parameters import PARAMETERS

_KEYS: Final = frozenset(platform.key for platform in PLATFORMS)
_ID: Final = re.compile(r"(?P<group>[a-z]+)-(?P<number>\d{3})")


_LEAST_WORDS: Final = 4
"""A reason of fewer words stands on any page."""


class UserGroup(StrEnum):
    """Who asks; the value is also the name of the file of its questions.

    ``OTHERS``: questions of somebody who did not know the lists of words. They stand apart, with a score of their own.
    """

    CITIZEN = "burger"
    JOURNALIST = "journalist"
    CLERK = "griffie"
    LAWYER = "jurist"
    ASSISTANT = "assistent"
    OTHERS = "anderen"


OWN: Final = tuple(group for group in UserGroup if group is not UserGroup.OTHERS)


class Door(StrEnum):
    """By which way a question comes in."""

    PAGE = "pagina"
    API = "api"
    MCP = "mcp"


class BadQuestionError(Exception):
    """A question of the bank that cannot be. The text is Dutch and names the question."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What a right answer holds. Empty: not asked for.

    ``papers``: ids of which one must be in the answer; ``title``: words of the title of such a paper instead; ``first``: it
    is the first of its source; ``everywhere``: each of ``sources`` has such a paper.
    ``values``: words that its page must show (a day as 2024-03-12, in whatever spelling); ``without``: words that must not
    stand there.
    ``read_as``: words of the sentence that says how the question was read. ``reasons``: sentences of which one must stand in a
    remark on the answer, or in the place of the paper.
    ``never``: ids that must not be in the answer. ``totals`` and ``states``: by platform.
    """

    sources: tuple[str, ...] = ()
    papers: tuple[str, ...] = ()
    title: str = ""
    everywhere: bool = False
    first: bool = False
    values: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    read_as: str = ""
    reasons: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    totals: Mapping[str, int] = field(default_factory=dict)
    states: Mapping[str, str] = field(default_factory=dict)

    @property
    def wants_paper(self) -> bool:
        """Whether a paper has to be found."""
        return bool(self.papers or self.title)


@dataclass(frozen=True, slots=True)
class BankQuestion:
    """One question. ``filters``: those that the asker sets; ``program``: how a program asks it, which the API takes literally.

    ``reports``: field reports that it is about; ``losses``: why it is lost at a door, where that is known.
    """

    id: str
    group: UserGroup
    question: str
    trap: str
    expected: Expected
    filters: Mapping[str, Sequence[str]] = field(default_factory=dict)
    program: Mapping[str, Sequence[str]] | None = None
    reports: tuple[int, ...] = ()
    losses: Mapping[Door, str] = field(default_factory=dict)

    def values(self, door: Door) -> dict[str, list[str]]:
        """The parameters of the question at ``door``, in the names of page and API."""
        if door is Door.API and self.program is not None:
            return {name: list(values) for name, values in self.program.items()}
        given = {name: list(values) for name, values in self.filters.items()}
        return {"vraag": [self.question], **given} if self.question else given


_EXPECTED: Final[Mapping[str, tuple[str, type]]] = MappingProxyType(
    {
        "bronnen": ("sources", tuple),
        "stuk": ("papers", tuple),
        "titel": ("title", str),
        "overal": ("everywhere", bool),
        "eerste": ("first", bool),
        "waarde": ("values", tuple),
        "zonder": ("without", tuple),
        "gelezen": ("read_as", str),
        "reden": ("reasons", tuple),
        "niet": ("never", tuple),
        "aantal": ("totals", dict),
        "staat": ("states", dict),
    }
)
_OTHERS: Final = frozenset({"id", "vraag", "valstrik", "filters", "programma", "melding", "verlies"})


def read_bank(folder: Path) -> tuple[BankQuestion, ...]:
    """All questions of our own, by group and number. Raises ``BadQuestionError``, also for what stands there twice."""
    found = [one for group in OWN for one in read_group(group, (folder / f"{group}.toml").read_text("utf-8"))]
    _refuse_twice((one.id for one in found), "id")
    _refuse_twice((_fold(one) for one in found), "vraag met dezelfde filters")
    return tuple(found)


def read_others(folder: Path) -> tuple[BankQuestion, ...]:
    """The questions of others. Raises ``BadQuestionError``."""
    return read_group(UserGroup.OTHERS, (folder / f"{UserGroup.OTHERS}.toml").read_text("utf-8"))


def read_group(group: UserGroup, text: str) -> tuple[BankQuestion, ...]:
    """The questions of one file. Raises ``BadQuestionError``."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = f"{group}.toml is geen TOML: {error}"
        raise BadQuestionError(message) from error
    if set(data) != {"vraag"}:
        message = f"{group}.toml hoort alleen [[vraag]] te hebben"
        raise BadQuestionError(message)
    return tuple(_question(group, row) for row in data["vraag"])


def _question(group: UserGroup, row: Mapping[str, Any]) -> BankQuestion:
    where = str(row.get("id", "zonder id"))
    named = _ID.fullmatch(where)
    if named is None or named["group"] != group:
        raise _bad(where, f"een id is {group}- en drie cijfers")
    unknown = set(row) - _OTHERS - set(_EXPECTED)
    if unknown:
        raise _bad(where, f"onbekend: {', '.join(sorted(unknown))}")
    if not isinstance(row.get("vraag"), str) or len(str(row.get("valstrik", ""))) < len("een val"):
        raise _bad(where, "vraag en valstrik zijn zinnen")
    expected = _expected(where, row)
    return BankQuestion(
        id=where,
        group=group,
        question=row["vraag"],
        trap=row["valstrik"],
        expected=expected,
        filters=_parameters(where, row.get("filters", {})),
        program=_parameters(where, row["programma"]) if "programma" in row else None,
        reports=tuple(int(number) for number in row.get("melding", ())),
        losses={Door(door): str(why) for door, why in row.get("verlies", {}).items()},
    )


def _expected(where: str, row: Mapping[str, Any]) -> Expected:
    given: dict[str, Any] = {}
    for name, (attribute, kind) in _EXPECTED.items():
        if name not in row:
            continue
        value = tuple(row[name]) if kind is tuple and isinstance(row[name], list) else row[name]
        if not isinstance(value, kind) or not (value or kind is bool):
            raise _bad(where, f"{name} heeft een verkeerde vorm")
        given[attribute] = value
    found = Expected(**given)
    named = {*found.sources, *found.totals, *found.states, *(one.partition(":")[0] for one in found.papers)}
    if named - _KEYS:
        raise _bad(where, f"onbekende bron: {', '.join(sorted(named - _KEYS))}")
    if not (found.wants_paper or found.reasons or found.totals or found.states):
        raise _bad(where, "zonder wat er gevonden of gezegd moet worden is niets te tellen")
    if any(len(reason.split()) < _LEAST_WORDS for reason in found.reasons):
        raise _bad(where, "een reden is een hele zin, zoals zij in een opmerking staat")
    if (found.values or found.without) and not found.wants_paper:
        raise _bad(where, "een waarde staat in een stuk")
    return found


def _parameters(where: str, given: Mapping[str, Any]) -> Mapping[str, Sequence[str]]:
    unknown = set(given) - set(PARAMETERS)
    if unknown:
        raise _bad(where, f"onbekend filter: {', '.join(sorted(unknown))}")
    return {name: tuple(map(str, value)) if isinstance(value, list) else (str(value),) for name, value in given.items()}


def _bad(where: str, what: str) -> BadQuestionError:
    return BadQuestionError(f"{where}: {what}")


def _fold(one: BankQuestion) -> str:
    return f"{' '.join(one.question.split()).casefold()} {sorted((n, tuple(v)) for n, v in one.filters.items())}"


def _refuse_twice(values: Iterable[str], what: str) -> None:
    seen: set[str] = set()
    for value in values:
        if value in seen:
            message = f"{what} staat er twee keer: {value}"
            raise BadQuestionError(message)
        seen.add(value)
