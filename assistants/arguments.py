"""The arguments of a call, held against the schema of its tool: mended where only the spelling is odd, else refused in Dutch.

What somebody gave is never repeated in a message, because a question may stand in the wrong place. A name that is nearly right
gets the right one: "bedoelt u …". Field report 43: extra arguments are refused, and dates never crash.
"""

from __future__ import annotations

import difflib
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from itertools import islice
from typing import Any, Final

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError

from assistants.tool import Arguments, Outcome, Tool, ToolFailedError, Visit
from connectors.moments import AMSTERDAM
from search.parameters import read_day

_MOST_FAULTS: Final = 5
_MOST_LOOKED_AT: Final = 50
_MOST_MENDED: Final = (
    200  # more than any list may hold: what is longer is refused, and looking at it would only cost time
)
_LONGEST_MENDED: Final = 200
_MOST_SHOWN: Final = 20
_MOST_CHARACTERS: Final = 20_000
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,39}")
_DIGITS: Final = re.compile(r"\d{1,9}", re.ASCII)
_BOOLEANS: Final = {"true": True, "ja": True, "false": False, "nee": False}
_formats: Final = FormatChecker(formats=())


class BadArgumentsError(ToolFailedError):
    """Arguments that do not fit. ``faults`` holds a sentence for each thing that is wrong."""

    def __init__(self, name: str, faults: Sequence[str]) -> None:
        shown = " ".join(faults[:_MOST_FAULTS])
        super().__init__(
            f"De aanroep van `{name}` klopt niet. {shown}",
            "Er is geen bron gevraagd.",
            "Verbeter de aanroep en probeer het opnieuw.",
        )
        self.faults = tuple(faults)


def _is_day(value: object) -> bool:
    return not isinstance(value, str) or (len(value) == len("2026-03-12") and read_day(value) is not None)


_formats.checks("date")(_is_day)


async def called(tool: Tool, given: object, visit: Visit) -> Outcome:
    """What a tool finds with the arguments as they were given. Raises ``ToolFailedError``."""
    return await tool.run(checked(tool.name, tool.input_schema, given), visit)


def checked(name: str, schema: Mapping[str, Any], given: object) -> Arguments:
    """The arguments for the tool (or prompt) ``name``, mended. Raises ``BadArgumentsError``."""
    if given is None:
        given = {}
    if not isinstance(given, Mapping):
        raise BadArgumentsError(name, ["De argumenten moeten een object met namen en waarden zijn."])
    properties: Mapping[str, Any] = schema.get("properties", {})
    mended = {
        key: mend(properties.get(key, {}), value)
        for key, value in given.items()
        if not (value is None and key in properties)
    }
    validator = Draft202012Validator(dict(schema), format_checker=_formats)
    first = islice(validator.iter_errors(mended), _MOST_LOOKED_AT)
    faults = sorted(first, key=lambda fault: (str(list(fault.path)), str(fault.validator)))
    if faults:
        sentences = [sentence for fault in faults for sentence in _sentences(fault, properties)]
        raise BadArgumentsError(name, list(dict.fromkeys(sentences)))
    return mended


def mend(schema: Mapping[str, Any], value: object) -> object:
    """The value in the spelling of the schema, where another spelling can mean one thing only; else as it is."""
    match schema.get("type"):
        case "array":
            return _list(schema.get("items", {}), value)
        case "integer":
            return _integer(value)
        case "boolean" if isinstance(value, str):
            return _BOOLEANS.get(value.strip().lower(), value)
        case "string" if isinstance(value, str):
            return _text(schema, value)
        case _:
            return value


def _list(items: Mapping[str, Any], value: object) -> object:
    """One text for a list of one; a list that was written down as a text."""
    if isinstance(value, str) and value.strip().startswith("[") and len(value) <= _MOST_CHARACTERS:
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return value
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list | tuple) or len(value) > _MOST_MENDED:
        return value
    mended = [mend(items, item) for item in value]
    if not all(isinstance(item, str) for item in mended):
        return mended
    return list(dict.fromkeys(mended))


def _integer(value: object) -> object:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and _DIGITS.fullmatch(value.strip()):
        return int(value)
    return value


def _text(schema: Mapping[str, Any], value: str) -> str:
    if len(value) > _LONGEST_MENDED:
        return value
    if "enum" in schema:
        folded = fold(value)
        return next((choice for choice in schema["enum"] if fold(choice) == folded), value)
    return _day(value) if schema.get("format") == "date" else value


def _day(value: str) -> str:
    """The day as 2026-03-12. A moment counts where the day that is written is the day in the Netherlands."""
    day = read_day(value)
    if day is not None:
        return day.isoformat()
    try:
        moment = datetime.fromisoformat(value.strip())
    except ValueError:
        return value
    written: date = moment.date()
    if moment.tzinfo is not None and _local_day(moment) != written:
        return value
    return written.isoformat()


def _local_day(moment: datetime) -> date | None:
    try:
        return moment.astimezone(AMSTERDAM).date()
    except OverflowError:
        return None


def fold(text: str) -> str:
    """A name without case and accents; blanks and underscores are hyphens."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.strip()) if not unicodedata.combining(c))
    return re.sub(r"[\s_-]+", "-", plain.casefold())


def meant(given: str, names: Iterable[str]) -> str:
    """A question whether the nearest name was meant; empty when none is near."""
    by_fold = {fold(name): name for name in names}
    near = difflib.get_close_matches(fold(given[:80]), by_fold, n=1, cutoff=0.6)
    return f"Bedoelt u `{by_fold[near[0]]}`?" if near else ""


def _sentences(fault: ValidationError, properties: Mapping[str, Any]) -> list[str]:
    """What is wrong, in Dutch, without what was given."""
    rule: Any = fault.validator_value
    given: Any = fault.instance
    where = _place(fault)
    match fault.validator:
        case "additionalProperties":
            unknown = (name for name in given if name not in properties)
            return [_unknown(name, properties) for name in islice(unknown, _MOST_FAULTS)]
        case "required":
            return [f"`{name}` ontbreekt." for name in rule if name not in given]
        case "enum":
            return [f"{where} heeft een waarde die niet bestaat. {_choices(given, rule)}"]
        case _:
            return [f"{where} {_RULES.get(str(fault.validator), _anything)(rule)}"]


def _place(fault: ValidationError) -> str:
    if not fault.path:
        return "De aanroep"
    name, *rest = fault.path
    places = [f" (nummer {part + 1})" for part in rest if isinstance(part, int)]
    return f"`{name}`{''.join(places)}"


def _unknown(name: str, properties: Mapping[str, Any]) -> str:
    hint = meant(name, properties) if _NAME.fullmatch(name) else ""
    if hint:
        return f"Een argument `{name}` bestaat niet. {hint}"
    return f"Er is een argument dat niet bestaat. Dit kan: {_and(properties)}."


def _choices(given: object, choices: Sequence[Any]) -> str:
    hint = meant(given, map(str, choices)) if isinstance(given, str) else ""
    return " ".join(filter(None, (hint, f"Dit kan: {_and(map(str, choices))}.")))


def _and(names: Iterable[str]) -> str:
    written = [f"`{name}`" for name in list(names)[:_MOST_SHOWN]]
    return " en ".join(filter(None, (", ".join(written[:-1]), *written[-1:])))


_TYPES: Final = {
    "string": "een tekst",
    "integer": "een heel getal",
    "array": "een lijst",
    "boolean": "waar of onwaar (true of false)",
    "object": "een object",
}


def _anything(_: Any) -> str:
    return "heeft een waarde die niet kan."


_RULES: Final[Mapping[str, Callable[[Any], str]]] = {
    "type": lambda rule: f"moet {_TYPES.get(str(rule), 'iets anders')} zijn.",
    "format": lambda _: "is geen datum die in Nederland zo bestaat. Schrijf een datum als 2026-03-12.",
    "minLength": lambda rule: f"is te kort: minstens {rule} tekens.",
    "maxLength": lambda rule: f"is te lang: hooguit {rule} tekens.",
    "minimum": lambda rule: f"is te laag: minstens {rule}.",
    "maximum": lambda rule: f"is te hoog: hooguit {rule}.",
    "minItems": lambda _: "is leeg. Laat het weg of geef iets op.",
    "maxItems": lambda rule: (
        f"heeft te veel waarden: hooguit {rule}. Vraag het in delen, of laat het weg als alles mag."
    ),
}
