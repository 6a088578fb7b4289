"""Pieces of JSON Schema that the tools share, in the shape of their answers."""

from __future__ import annotations

from typing import Any, Final

from connectors.platforms import PLATFORMS
from connectors.records import Certainty, Kind, TextForm, TextState
from search.answers import State

Schema = dict[str, Any]

KEYS: Final = [platform.key for platform in PLATFORMS]
TEXT: Final[Schema] = {"type": "string"}
MAYBE_TEXT: Final[Schema] = {"type": ["string", "null"]}
COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
MAYBE_COUNT: Final[Schema] = {"type": ["integer", "null"], "minimum": 0}
FLAG: Final[Schema] = {"type": "boolean"}
MOMENT: Final[Schema] = {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"}
MAYBE_MOMENT: Final[Schema] = {**MOMENT, "type": ["string", "null"]}
MAYBE_DAY: Final[Schema] = {"type": ["string", "null"], "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
TEXTS: Final[Schema] = {"type": "array", "items": TEXT}
PLATFORM: Final[Schema] = {"type": "string", "enum": KEYS}


def closed(properties: Schema, *optional: str) -> Schema:
    """An object with these properties and no others; all are there but the ``optional`` ones."""
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
        "required": [name for name in properties if name not in optional],
    }


def many(items: Schema) -> Schema:
    """A list."""
    return {"type": "array", "items": items}


def maybe(schema: Schema) -> Schema:
    """That, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def arguments(properties: Schema, *required: str) -> Schema:
    """The input schema of a tool."""
    needed = {"required": list(required)} if required else {}
    return {"type": "object", "properties": properties, **needed, "additionalProperties": False}


COPY: Final = closed({"adres": MAYBE_TEXT, "gemaaktOp": MAYBE_DAY, "origineelWeg": FLAG})
"""A copy that a source keeps."""
_WHAT: Final[Schema] = {
    "id": {"type": "string", "pattern": "^[a-z-]+:.+$"},
    "platform": PLATFORM,
    "bronId": TEXT,
    "titel": TEXT,
    "organisatie": TEXT,
    "organisatieId": MAYBE_TEXT,
    "soort": {"type": "string", "enum": [kind.value for kind in Kind]},
    "soortBijBron": TEXT,
    "datum": MAYBE_DAY,
    "tijdstip": MAYBE_MOMENT,
    "datumBetekenis": MAYBE_TEXT,
    "datumInWoorden": TEXT,
    "adres": TEXT,
    "origineel": MAYBE_TEXT,
    "bewaardeKopie": maybe(COPY),
    "verwijzing": TEXT,
    "opgehaald": MOMENT,
    "uitBuffer": FLAG,
}
HIT: Final = closed({**_WHAT, "fragment": TEXT, "pagina": MAYBE_COUNT, "dekking": TEXT, "lijktErop": FLAG})
"""One hit."""
PAPER: Final = closed(
    {
        **_WHAT,
        "datums": many(closed({"datum": MAYBE_DAY, "tijdstip": MAYBE_MOMENT, "betekenis": TEXT})),
        "tekststaat": {"type": "string", "enum": [state.value for state in TextState]},
        "tekstVolledig": FLAG,
        "opmerkingen": TEXTS,
    }
)
"""A document without its text."""
TOTAL: Final = closed(
    {
        "waarde": MAYBE_COUNT,
        "zekerheid": {"type": "string", "enum": [certainty.value for certainty in Certainty]},
        "inWoorden": TEXT,
    }
)
SOURCE: Final = closed(
    {
        "platform": PLATFORM,
        "naam": TEXT,
        "staat": {"type": "string", "enum": [state.value for state in State]},
        "melding": TEXT,
        "totaal": TOTAL,
        "genegeerdeFilters": TEXTS,
        "opmerkingen": TEXTS,
        "opgehaald": MAYBE_MOMENT,
        "uitBuffer": FLAG,
        "verwachteStart": MAYBE_MOMENT,
        "plaatsInRij": MAYBE_COUNT,
        "opnieuwNa": MAYBE_MOMENT,
        "opDezePagina": COUNT,
        "meer": FLAG,
        "treffers": many(HIT),
    }
)
"""The answer of one source."""
SHARED: Final = closed(
    {
        "ids": TEXTS,
        "verschillen": many(closed({"over": TEXT, "gezegd": many(closed({"platform": PLATFORM, "tekst": TEXT}))})),
    }
)
"""One thing that several sources have."""
PASSAGE: Final = closed(
    {
        "nummer": COUNT,
        "isPagina": FLAG,
        "kop": TEXT,
        "vorm": {"type": "string", "enum": [form.value for form in TextForm]},
        "vervolg": FLAG,
        "tekst": TEXT,
    }
)
"""A page or part of a text, or a piece of it."""
SPOT: Final = closed({"nummer": COUNT, "isPagina": FLAG, "kop": TEXT, "deel": COUNT})
"""A place in a text; ``deel`` is the part of ``lees`` in which it stands."""
