"""What is wrong with a question, in plain Dutch: what it is, and what somebody can do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from connectors.language import say
from search.address_names import SHOWN
from search.exceptions import Fault, FieldFault
from search.texts import number

_FAULTS: Final[Mapping[Fault, Callable[[FieldFault, int], str]]] = MappingProxyType(
    {
        Fault.TOO_LONG: lambda f, most: say(
            "Uw vraag is te lang: {count} tekens. Hooguit {most} kan. Gebruik minder woorden.",
            count=number(int(f.value)),
            most=number(most),
        ),
        Fault.NO_WORDS: lambda _f, _m: say("In uw vraag staat geen letter of cijfer. Typ een of meer woorden."),
        Fault.ONLY_OPERATORS: lambda _f, _m: say(
            "In uw vraag staan alleen AND, OR of NOT. Zulke woorden verbinden andere. Typ ook een woord om te zoeken."
        ),
        Fault.REPEATED: lambda f, _m: say(
            "‘{name}’ staat meer dan één keer in het adres, met iets anders. Kies er een:", name=f.parameter
        ),
        Fault.PERIOD_TWICE: lambda _f, _m: say(
            "U koos een periode, en ook een begin- of einddatum. Het kan maar een van de twee zijn. Kies:"
        ),
        Fault.BAD_DATE: lambda f, _m: say(
            "‘{value}’ is geen datum die bestaat. Schrijf een datum als 2026-03-12.", value=f.value
        ),
        Fault.PERIOD_REVERSED: lambda _f, _m: say(
            "De einddatum ligt voor de begindatum. Draai ze om of pas er een aan."
        ),
        Fault.UNKNOWN_ORGANISATION: lambda f, _m: (
            say("We kennen geen organisatie met de naam ‘{value}’. Controleer de naam, of kies:", value=f.value)
            if f.choices
            else say("We kennen geen organisatie met de naam ‘{value}’. Controleer de naam.", value=f.value)
        ),
        Fault.AMBIGUOUS_ORGANISATION: lambda f, _m: say(
            "Er zijn meer organisaties met de naam ‘{value}’. Kies er een:", value=f.value
        ),
        Fault.UNKNOWN_KIND: lambda f, _m: say("De soort ‘{value}’ bestaat niet. Kies uit:", value=f.value),
        Fault.UNKNOWN_PLATFORM: lambda f, _m: say("De bron ‘{value}’ bestaat niet. Kies uit:", value=f.value),
        Fault.UNKNOWN_SORT: lambda f, _m: say("De volgorde ‘{value}’ bestaat niet. Kies uit:", value=f.value),
        Fault.UNKNOWN_PERIOD: lambda f, _m: say("De periode ‘{value}’ bestaat niet. Kies uit:", value=f.value),
        Fault.BAD_PAGE: lambda f, _m: say("De pagina ‘{value}’ bestaat niet. Kies een getal vanaf 1.", value=f.value),
        Fault.UNKNOWN_NAME: lambda f, _m: (
            say(
                "‘{value}’ in het adres kennen we niet. Bedoelde u ‘{meant}’?",
                value=shown_name(f.value),
                meant=f.choices[0][0],
            )
            if f.choices
            else say("‘{value}’ in het adres kennen we niet.", value=shown_name(f.value))
        ),
        Fault.TOO_MANY_VALUES: lambda f, _m: say("U koos {value} waarden. Kies er minder.", value=f.value),
    }
)


def shown_name(name: str) -> str:
    """A name from an address, cut short, without what does not print."""
    return "".join(character for character in name[:SHOWN] if character.isprintable())


def fault(value: FieldFault, max_characters: int) -> str:
    """The sentence of one fault in a question."""
    return _FAULTS[value.fault](value, max_characters)
