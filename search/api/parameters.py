"""The parameters of each operation: what may come, and how the description tells it. One list for both."""

from __future__ import annotations

from typing import Any, Final

from connectors.platforms import PLATFORMS
from connectors.records import BodyKind, Kind, Sort
from search.api.reading import MOST_VALUES, Parameter
from search.parameters import MAX_PAGE, NO, YES
from search.periods import Period

MOST_CHARACTERS: Final = 500
"""How long a question may be; a test holds it to the setting."""
MOST_HOURS: Final = 100_000
MOST_ROWS: Final = 200
KEYS: Final = [platform.key for platform in PLATFORMS]


def _many(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": 1, "maxItems": MOST_VALUES}


_PLATFORM: Final = Parameter(
    "platform",
    "Alleen deze platforms. Mag vaker voorkomen. Zonder deze parameter: alle.",
    _many({"type": "string", "enum": KEYS}),
    ["rechtspraak"],
)
_ORGANISATION: Final = Parameter(
    "organisatie",
    "Een organisatie: haar id in het register, haar naam of haar code. Mag vaker voorkomen. Kan een naam meer dan één "
    "organisatie zijn, dan staan de keuzes in het antwoord.",
    _many({"type": "string", "minLength": 1, "maxLength": 200}),
    ["gemeente-ede"],
)
_PAGE: Final = Parameter(
    "pagina",
    "De hoeveelste bladzijde, vanaf 1.",
    {"type": "integer", "minimum": 1, "maximum": MAX_PAGE, "default": 1},
    1,
)
_DAY: Final = {"type": "string", "format": "date"}
_GROUP: Final = {"type": "string", "minLength": 1, "maxLength": 100}
_WHERE_THERE_IS: Final = (
    "Alleen waar een platform daarop kan kiezen (groepen bij platforms); elders staat bij opmerkingen dat dit "
    "niet is gebruikt."
)

SEARCH: Final = (
    Parameter(
        "vraag",
        "De woorden om naar te zoeken. Alle woorden moeten voorkomen; een woordgroep staat tussen aanhalingstekens. "
        "De vraag wordt letterlijk genomen: een filter ontstaat alleen uit een parameter. Zou de website er een zin in lezen, "
        "dan staan de parameters daarvan bij `opmerkingen`.",
        {"type": "string", "minLength": 1, "maxLength": MOST_CHARACTERS},
        "warmtenet",
    ),
    _PLATFORM,
    _ORGANISATION,
    Parameter(
        "soort",
        "Alleen stukken van deze soorten. Mag vaker voorkomen.",
        _many({"type": "string", "enum": [kind.value for kind in Kind]}),
        ["motie"],
    ),
    Parameter(
        "voorgangers",
        "Of ook wordt gevraagd naar organisaties die in de genoemde opgingen.",
        {"type": "string", "enum": [YES, NO], "default": YES},
        NO,
    ),
    Parameter("fractie", f"Een fractie, zoals het platform haar schrijft. {_WHERE_THERE_IS}", _GROUP, "D66"),
    Parameter("commissie", f"Een commissie, zoals het platform haar schrijft. {_WHERE_THERE_IS}", _GROUP, "Financiën"),
    Parameter("van", "De eerste dag.", _DAY, "2024-01-01"),
    Parameter("tot", "De laatste dag; die hoort erbij.", _DAY, "2024-12-31"),
    Parameter(
        "periode",
        "Een tijd tot en met vandaag, in plaats van van en tot.",
        {"type": "string", "enum": [period.value for period in Period]},
        Period.YEAR.value,
    ),
    Parameter(
        "sorteer",
        "De volgorde.",
        {"type": "string", "enum": [sort.value for sort in Sort], "default": Sort.RELEVANCE.value},
        Sort.NEWEST.value,
    ),
    _PAGE,
)
PARTS: Final = (
    _PAGE,
    Parameter(
        "aantal", "Hoeveel delen per bladzijde.", {"type": "integer", "minimum": 1, "maximum": 50, "default": 20}, 20
    ),
)
BODIES: Final = (
    Parameter(
        "naam",
        "Een deel van de naam, of het id of de code van een organisatie.",
        {"type": "string", "minLength": 1, "maxLength": 200},
        "cuijk",
    ),
    Parameter(
        "soort",
        "Alleen organisaties van deze soorten. Mag vaker voorkomen.",
        _many({"type": "string", "enum": [kind.value for kind in BodyKind]}),
        ["gemeente"],
    ),
    Parameter(
        "platform",
        "Alleen organisaties die een van deze platforms kent. Mag vaker voorkomen.",
        _many({"type": "string", "enum": KEYS}),
        ["open-raadsinformatie"],
    ),
    _PAGE,
    Parameter(
        "aantal",
        "Hoeveel organisaties per bladzijde.",
        {"type": "integer", "minimum": 1, "maximum": MOST_ROWS, "default": 50},
        50,
    ),
)
LOADING: Final = (
    _PLATFORM,
    _ORGANISATION,
    Parameter(
        "ouderDanUren",
        "Alleen wie langer dan zo veel uren geleden voor het laatst is bijgewerkt, of nooit.",
        {"type": "integer", "minimum": 1, "maximum": MOST_HOURS},
        36,
    ),
    _PAGE,
    Parameter(
        "aantal",
        "Hoeveel rijen per platform en bladzijde.",
        {"type": "integer", "minimum": 1, "maximum": MOST_ROWS, "default": 50},
        50,
    ),
)
