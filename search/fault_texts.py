"""What is wrong with a question, in plain Dutch: what it is, and what somebody can do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from search.exceptions import Fault, FieldFault
from search.texts import number

_FAULTS: Final[Mapping[Fault, Callable[[FieldFault, int], str]]] = MappingProxyType(
    {
        Fault.TOO_LONG: lambda f, most: (
            f"Uw vraag is te lang: {number(int(f.value))} tekens. Hooguit {number(most)} kan. Gebruik minder woorden."
        ),
        Fault.NO_WORDS: lambda _f, _m: "In uw vraag staat geen letter of cijfer. Typ een of meer woorden.",
        Fault.BAD_DATE: lambda f, _m: f"‘{f.value}’ is geen datum die bestaat. Schrijf een datum als 2026-03-12.",
        Fault.PERIOD_REVERSED: lambda _f, _m: "De einddatum ligt voor de begindatum. Draai ze om of pas er een aan.",
        Fault.UNKNOWN_ORGANISATION: lambda f, _m: (
            f"We kennen geen organisatie met de naam ‘{f.value}’. Controleer de naam"
            + (", of kies:" if f.choices else ".")
        ),
        Fault.AMBIGUOUS_ORGANISATION: lambda f, _m: f"Er zijn meer organisaties met de naam ‘{f.value}’. Kies er een:",
        Fault.UNKNOWN_KIND: lambda f, _m: f"De soort ‘{f.value}’ bestaat niet. Kies uit:",
        Fault.UNKNOWN_PLATFORM: lambda f, _m: f"De bron ‘{f.value}’ bestaat niet. Kies uit:",
        Fault.UNKNOWN_SORT: lambda f, _m: f"De volgorde ‘{f.value}’ bestaat niet. Kies uit:",
        Fault.UNKNOWN_PERIOD: lambda f, _m: f"De periode ‘{f.value}’ bestaat niet. Kies uit:",
        Fault.BAD_PAGE: lambda f, _m: f"De pagina ‘{f.value}’ bestaat niet. Kies een getal vanaf 1.",
        Fault.TOO_MANY_VALUES: lambda f, _m: f"U koos {f.value} waarden. Kies er minder.",
    }
)


def fault(value: FieldFault, max_characters: int) -> str:
    """The sentence of one fault in a question."""
    return _FAULTS[value.fault](value, max_characters)
