"""From the parameters of a request to values: every fault is collected, and a parameter that does not exist is refused.

Names of parameters may stand in a problem; what somebody asked does not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from django.http import HttpRequest

from connectors.platforms import PLATFORMS
from search.address_names import SHOWN, meant
from search.api.errors import ProblemError, problem
from search.exceptions import Fault, FieldFault
from throttling.problems import Kinds

JSON: Final = "application/json"
EVENTS: Final = "text/event-stream"
MOST_VALUES: Final = 50
_ISO_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_NUMBER: Final = re.compile(r"\d{1,6}", re.ASCII)
_LONGEST: Final = 200
_REASONS: Final[Mapping[Fault, str]] = MappingProxyType(
    {
        Fault.NO_WORDS: "Er staat geen letter of cijfer in.",
        Fault.ONLY_OPERATORS: "Er staan alleen AND, OR of NOT in. Geef ook een woord om te zoeken.",
        Fault.REPEATED: "Deze parameter kan maar één keer.",
        Fault.PERIOD_TWICE: "Geef een periode, of dagen met van en tot. Niet allebei.",
        Fault.BAD_DATE: "Dit is geen dag die bestaat. Schrijf een dag als 2026-03-12.",
        Fault.PERIOD_REVERSED: "De laatste dag ligt voor de eerste.",
        Fault.UNKNOWN_ORGANISATION: "Deze organisatie kennen we niet.",
        Fault.AMBIGUOUS_ORGANISATION: "Dit kan meer dan één organisatie zijn. Kies er een uit keuzes.",
        Fault.UNKNOWN_KIND: "Deze soort bestaat niet. Kies uit keuzes.",
        Fault.UNKNOWN_PLATFORM: "Dit platform bestaat niet. Kies uit keuzes.",
        Fault.UNKNOWN_SORT: "Deze volgorde bestaat niet. Kies uit keuzes.",
        Fault.UNKNOWN_PERIOD: "Deze periode bestaat niet. Kies uit keuzes.",
        Fault.BAD_PAGE: "Dit is geen bladzijde. Kies een getal vanaf 1, en hooguit 200.",
        Fault.UNKNOWN_NAME: "Dit bestaat hier niet.",
        Fault.TOO_MANY_VALUES: (
            f"Dit zijn te veel waarden: hooguit {MOST_VALUES} kan. Vraag het in delen, of laat deze parameter weg om alles te "
            "vragen. Op de website mogen het er meer zijn."
        ),
    }
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of an operation as the description tells it. ``schema`` is a JSON schema; ``example`` fits it."""

    name: str
    about: str
    schema: Mapping[str, Any]
    example: Any = None

    @property
    def repeats(self) -> bool:
        """Whether it may come more than once."""
        return self.schema.get("type") == "array"

    @property
    def longest(self) -> int:
        """How many characters a value may have."""
        most: int = self.schema.get("items", self.schema).get("maxLength", _LONGEST)
        return most

    def described(self) -> dict[str, Any]:
        """As OpenAPI writes it."""
        told: dict[str, Any] = {
            "in": "query",
            "name": self.name,
            "required": False,
            "description": self.about,
            "schema": dict(self.schema),
        }
        if self.repeats:
            told |= {"style": "form", "explode": True}
        return told | ({} if self.example is None else {"example": self.example})


@dataclass(slots=True)
class Reading:
    """The parameters of one request while they are read. ``unknown``: whether one of the faults is a name we do not know."""

    values: Mapping[str, Sequence[str]]
    faults: list[dict[str, Any]] = field(default_factory=list)
    unknown: int = 0

    @classmethod
    def of(cls, request: HttpRequest, known: Sequence[Parameter]) -> Reading:
        """The parameters of ``request``, with each that is not ``known`` as a fault."""
        return cls.given(dict(request.GET.lists()), known)

    @classmethod
    def given(cls, values: Mapping[str, Sequence[str]], known: Sequence[Parameter]) -> Reading:
        """These values, with each whose name is not ``known`` as a fault."""
        reading = cls(values)
        by_name = {parameter.name: parameter for parameter in known}
        for name, given in values.items():
            if name not in by_name:
                reading.unknown += 1
                reading.fault(name, _no_such(name, list(by_name)))
            elif any(not value.strip() for value in given):
                reading.fault(name, "Hier staat niets. Laat de parameter weg, of geef een waarde.")
            elif len(given) > 1 and not by_name[name].repeats:
                reading.fault(name, "Deze parameter kan maar één keer.")
            elif any(len(value) > by_name[name].longest for value in given):
                reading.fault(name, f"Dit is te lang: hooguit {by_name[name].longest} tekens kan.")
            elif len(given) > MOST_VALUES:
                reading.fault(name, _REASONS[Fault.TOO_MANY_VALUES])
        return reading

    def one(self, name: str) -> str:
        """The value of a parameter that counts once; the last when it came more often."""
        given = self.values.get(name) or ()
        return given[-1].strip() if given else ""

    def many(self, name: str) -> tuple[str, ...]:
        """All values of a parameter, each once."""
        return tuple(dict.fromkeys(value.strip() for value in self.values.get(name) or () if value.strip()))

    def whole(self, name: str, usual: int, most: int) -> int:
        """A whole number from 1 to ``most``."""
        if not (given := self.values.get(name)):
            return usual
        text = given[-1].strip()
        if _NUMBER.fullmatch(text) and 1 <= int(text) <= most:
            return int(text)
        self.fault(name, f"Dit is geen getal van 1 tot en met {most}.")
        return usual

    def chosen(self, name: str, choices: Sequence[str]) -> tuple[str, ...]:
        """Values that must all be one of ``choices``."""
        given = self.many(name)
        if any(value not in choices for value in given):
            self.fault(name, "Dit bestaat niet. Kies uit keuzes.", [{"waarde": one} for one in choices])
        return given

    def platforms(self) -> tuple[str, ...]:
        """The platforms in ``platform``; all of them without one."""
        keys = tuple(platform.key for platform in PLATFORMS)
        return self.chosen("platform", keys) or keys

    def days(self, *names: str) -> None:
        """Days are written as ISO 8601 writes them, and no other way (ADR ``date-time/format``)."""
        for name in names:
            if any(given.strip() and not _ISO_DAY.fullmatch(given.strip()) for given in self.values.get(name) or ()):
                self.fault(name, _REASONS[Fault.BAD_DATE])

    def add(self, faults: Sequence[FieldFault], most: int) -> None:
        """Faults that the reader of questions found, each once with its choices."""
        for one in faults:
            if not any(known["name"] == one.parameter for known in self.faults):
                choices = [{"waarde": value, "naam": name} for value, name in one.choices]
                reason = (
                    f"Dit is te lang: hooguit {most} tekens kan."
                    if one.fault is Fault.TOO_LONG
                    else _REASONS[one.fault]
                )
                self.fault(one.parameter, reason, choices)

    def fault(self, name: str, reason: str, choices: Sequence[Mapping[str, str]] = ()) -> None:
        """Keep a fault."""
        told: dict[str, Any] = {"name": _harmless(name), "reason": reason}
        self.faults.append(told | ({"keuzes": list(choices)} if choices else {}))

    def done(self) -> None:
        """Raise all faults together, when there are any."""
        if self.faults:
            raise self.refusal()

    def refusal(self) -> ProblemError:
        """The problem with every fault in it."""
        only_unknown = self.unknown == len(self.faults)
        kind = Kinds.UNKNOWN_PARAMETER if only_unknown else Kinds.INVALID_INPUT
        count = len(self.faults)
        detail = f"Er {'is 1 fout' if count == 1 else f'zijn {count} fouten'} in de parameters. Er is niets gevraagd."
        return problem(kind, detail, invalidParams=self.faults)


def accepts(request: HttpRequest, *offered: str) -> str:
    """The form to answer in: what the asker likes best of ``offered``, the first when that is all the same."""
    found: str | None = request.get_preferred_type(list(offered))
    if found is None:
        raise problem(Kinds.NOT_ACCEPTABLE, f"Hier kan alleen: {' of '.join(offered)}.")
    return found


def _no_such(name: str, names: Sequence[str]) -> str:
    if near := meant(name, names):
        return f"Deze parameter bestaat hier niet. Bedoelt u {near}?"
    if not names:
        return "Hier zijn geen parameters."
    return f"Deze parameter bestaat hier niet. Wel: {', '.join(names)}."


def _harmless(name: str) -> str:
    """The name of a parameter as it came, cut short, without what does not print."""
    return "".join(character for character in name[:SHOWN] if character.isprintable())
